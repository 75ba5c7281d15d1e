/* dalsynth: makes a program of three specifications, or four. Its options choose other verbs. */
#include "synth/command/verbs.h"

int main(int argc, char **argv)
{
    struct dal_request request = {.table = &dal_commands,
                                  .verb = &dal_commands.verbs[DAL_VERB_BUILD],
                                  .said = "dalsynth",
                                  .is_classic = 1};
    return dal_request_main(&request, argc, argv);
}
