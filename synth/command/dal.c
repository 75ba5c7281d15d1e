/* dal: one program with verbs. Some of them other programs do, which stand beside it. */
#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "rt/base/output.h"
#include "spec/base/names.h"
#include "synth/command/verbs.h"
#include "synth/program/program.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The script that begins a network, and adds to it. */
static const char script[] = "dal-new";

static const struct dal_verb *find_verb(const char *name)
{
    return DAL_NAMED(dal_commands.verbs, dal_commands.verb_count, name, name);
}

static void print_help(FILE *out)
{
    fputs("usage: dal VERB [OPTION]... FILE...\n"
          "       dal help VERB\n\n",
          out);
    dal_verbs_print(&dal_commands, out);
}

/* Says what is wrong with the first word. */
static int refuse_verb(const char *word)
{
    struct dal_names names = {0};
    struct dal__hint hint;
    for (size_t i = 0; i < dal_commands.verb_count; i++)
        dal_names_add(&names, dal_commands.verbs[i].name, i);
    if (*word == '-' || access(word, F_OK) != 0)
        fprintf(stderr, "dal: there is no verb '%s'%s\n", word,
                dal__did_you_mean(&hint, &names, word));
    else
        fprintf(stderr, "dal: what is to be done with %s, as in 'dal build %s'?\n", word, word);
    dal_names_finish(&names);
    fputs("Try 'dal help'.\n", stderr);
    return DAL_EXIT_USAGE;
}

/* Becomes the program of a verb, which knows the verb by the name that it is called. */
static int become(const char *path, const char **argv)
{
    if (path)
        execv(path, (char *const *)argv);
    fprintf(stderr, "dal: %s: %s\n", path ? path : argv[0],
            path ? strerror(errno) : "is not installed beside this program");
    return DAL_EXIT_BAD_INPUT;
}

static int become_program(const struct dal_verb *verb, const char *said, char **argv)
{
    char *built = dal_format("../%s", verb->program);
    char *path = built ? dal_program_beside(strchr(verb->program, '/') + 1, built) : NULL;
    int status;
    if (!built)
        return dal_request_lost();
    argv[0] = (char *)said;
    status = become(path, (const char **)argv);
    dal_free_all(path, built);
    return status;
}

/* The script gets the path of this program, the verb and its arguments. */
static int become_script(int argc, char **argv)
{
    char *path = dal_program_beside("../share/dal/dal-new.sh", script);
    char *self = dal_program_beside("dal", "dal");
    const char **words = dal_calloc((size_t)argc + 4, sizeof(*words));
    int status;
    if (!words) {
        status = dal_request_lost();
    } else {
        words[0] = "sh";
        words[1] = path ? path : script;
        words[2] = self ? self : "dal";
        for (int i = 0; i < argc; i++)
            words[3 + i] = argv[i];
        status = become(path ? "/bin/sh" : NULL, words);
    }
    dal_free_all(words, self, path);
    return status;
}

static int do_verb(const struct dal_verb *verb, int argc, char **argv)
{
    struct dal_request request = {.table = &dal_commands,
                                  .verb = verb->same ? &dal_commands.verbs[verb->same] : verb};
    char *said = dal_format("dal %s", verb->name);
    int status;
    request.said = said;
    if (!said)
        status = dal_request_lost();
    else if (verb->program)
        status = become_program(verb, said, argv);
    else
        status =
            request.verb->run ? dal_request_main(&request, argc, argv) : become_script(argc, argv);
    dal_free(said);
    return status;
}

/* "help build" is "build --help". */
static int help(const char *word)
{
    const struct dal_verb *verb = word ? find_verb(word) : NULL;
    char *argv[] = {(char *)word, (char *)"--help", NULL};
    if (verb)
        return do_verb(verb, 2, argv);
    if (word)
        return refuse_verb(word);
    print_help(stdout);
    return dal_output_finish() ? DAL_EXIT_BAD_INPUT : 0;
}

int main(int argc, char **argv)
{
    const char *word = argc > 1 ? argv[1] : "";
    const struct dal_verb *verb = find_verb(word);
    dal_log_program("dal");
    dal_output_guard();
    if (verb)
        return do_verb(verb, argc - 1, argv + 1);
    if (strcmp(word, "help") == 0 || strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0)
        return help(argc > 2 ? argv[2] : NULL);
    if (strcmp(word, "--version") == 0) {
        printf("dal %s\n", PACKAGE_VERSION);
        return dal_output_finish() ? DAL_EXIT_BAD_INPUT : 0;
    }
    if (*word)
        return refuse_verb(word);
    fputs("dal: what is there to do?\n", stderr);
    print_help(stderr);
    return DAL_EXIT_USAGE;
}
