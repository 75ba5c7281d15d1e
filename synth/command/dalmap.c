/* dalmap: finds a mapping for a network, a machine and measured times. */
#include "synth/command/verbs.h"

int main(int argc, char **argv)
{
    struct dal_request request = {
        .table = &dal_commands, .verb = &dal_commands.verbs[DAL_VERB_MAP], .said = "dalmap"};
    return dal_request_main(&request, argc, argv);
}
