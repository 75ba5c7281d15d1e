/* --help and --version, from the tables. */
#include "synth/command/options.h"

#include <stdio.h>
#include <string.h>

enum { HELP_COLUMN = 27 };

void dal_verbs_print(const struct dal_command_table *table, FILE *out)
{
    for (size_t i = 0; i < table->verb_count; i++)
        fprintf(out, "  %-9s %s\n", table->verbs[i].name, table->verbs[i].help);
}

/* Prints a verb's lines of the synopsis. */
static void print_synopsis(const struct dal_request *request, const struct dal_verb *verb,
                           int first)
{
    const char *classic = request->is_classic ? verb->classic : "";
    for (const char *line = verb->files; *line; first = 0) {
        size_t length = strcspn(line, "\n");
        printf("%s %s %s%s[OPTION]... %.*s\n", first ? "usage:" : "      ", request->said, classic,
               *classic ? " " : "", (int)length, line);
        line += length + (line[length] == '\n');
    }
}

/* Prints the synopsis of the verb; of dalsynth that of all that it knows, but for those that take
 * the files of the first. */
static void print_synopses(const struct dal_request *request)
{
    const struct dal_verb *verbs = request->table->verbs;
    print_synopsis(request, request->verb, 1);
    for (size_t i = 0; request->is_classic && i < request->table->verb_count; i++)
        if (verbs[i].classic && strcmp(verbs[i].files, request->verb->files) != 0)
            print_synopsis(request, &verbs[i], 0);
}

static void print_option(const struct dal_option *option)
{
    char letter[] = {'-', option->letter, ',', '\0'};
    const char *line = option->help, *argument = option->argument ? option->argument : "";
    int column = printf("  %-3s --%s%s%s", option->letter ? letter : "", option->name,
                        *argument && *argument != '[' ? "=" : "", argument);
    if (column >= HELP_COLUMN) {
        putchar('\n');
        column = 0;
    }
    for (; *line; column = 0) {
        size_t length = strcspn(line, "\n");
        printf("%*s%.*s\n", HELP_COLUMN - column, "", (int)length, line);
        line += length + (line[length] == '\n');
    }
}

int dal_take_help(struct dal_request *request, const struct dal_option *option, char *text)
{
    const struct dal_command_table *table = request->table;
    (void)option;
    (void)text;
    print_synopses(request);
    printf("\n%s%s\n", request->verb->text, request->verb->more ? request->verb->more : "");
    for (size_t i = 0; i < table->option_count; i++)
        if (table->options[i].verbs & dal_request_verbs(request))
            print_option(&table->options[i]);
    puts("\nExit status: 0 success, 1 an error in the input or in building, 2 a wrong command "
         "line.");
    return DAL_EXIT_DONE;
}

int dal_take_version(struct dal_request *request, const struct dal_option *option, char *text)
{
    (void)option;
    (void)text;
    printf("%s %s\n", request->said, PACKAGE_VERSION);
    return DAL_EXIT_DONE;
}
