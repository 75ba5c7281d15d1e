/* compile_commands.json: how each file is compiled, for editors and analysers. */
#include "synth/emit.h"

#include "rt/base/alloc.h"

#include <string.h>

static void add_json(struct dal_text *text, const char *string, size_t length)
{
    size_t i;

    dal_text_add(text, "\"");
    for (i = 0; i < length; i++) {
        unsigned char c = (unsigned char)string[i];
        if (c == '"' || c == '\\')
            dal_text_printf(text, "\\%c", c);
        else if (c < 0x20)
            dal_text_printf(text, "\\u%04x", c);
        else
            dal_text_add_bytes(text, string + i, 1);
    }
    dal_text_add(text, "\"");
}

static void add_argument(struct dal_text *text, const char *string)
{
    dal_text_add(text, ", ");
    add_json(text, string, strlen(string));
}

/* Options parted by spaces; one behind a backslash does not part. */
static void add_words(struct dal_text *text, const char *options)
{
    while (*options) {
        size_t length = 0;
        options += strspn(options, " \t\n");
        while (options[length] && !strchr(" \t\n", options[length]))
            length += options[length] == '\\' && options[length + 1] ? 2 : 1;
        if (!length)
            break;
        dal_text_add(text, ", ");
        add_json(text, options, length);
        options += length;
    }
}

static void open_command(struct dal_text *text, const struct dal_emit *emit, const char *file)
{
    dal_text_add(text, "  {\n    \"directory\": ");
    add_json(text, emit->output_dir, strlen(emit->output_dir));
    dal_text_add(text, ",\n    \"file\": ");
    add_json(text, file, strlen(file));
    dal_text_add(text, ",\n    \"arguments\": [\"cc\"");
    add_words(text, "-std=gnu11 -Wall -Wextra");
    add_words(text, emit->dal_cflags);
    add_words(text, "-O3 -g");
}

static void close_command(struct dal_text *text, const char *file, int last)
{
    add_argument(text, "-c");
    add_argument(text, file);
    dal_text_printf(text, "]\n  }%s\n", last ? "" : ",");
}

static void add_unit(struct dal_text *text, const struct dal_emit *emit,
                     const struct dal_plan_unit *unit, int last)
{
    open_command(text, emit, unit->file);
    if (unit->type == DAL_SOURCE_C) {
        int relative;
        char *folder = dal__emit_folder(emit, unit, &relative);
        char *path = relative && folder
                         ? dal_format("%s%s%s", emit->source_dir, *folder ? "/" : "", folder)
                         : NULL;
        text->lost |= !folder || (relative && !path);
        add_argument(text, "-iquote");
        add_argument(text, path ? path : folder ? folder : "");
        add_words(text, "-iquote .");
        add_words(text, unit->source->cflags ? unit->source->cflags : "");
        dal_free(folder);
        dal_free(path);
    } else
        add_argument(text, "-Wpedantic");
    close_command(text, unit->file, last);
}

static void add_table(struct dal_text *text, const struct dal_emit *emit, const char *file,
                      int last)
{
    open_command(text, emit, file);
    add_argument(text, "-Wpedantic");
    close_command(text, file, last);
}

void dal__emit_commands(const struct dal_emit *emit, struct dal_tree *tree)
{
    struct dal_text *text = dal__tree_add(tree, "compile_commands.json");
    const struct dal_plan_unit *unit;
    const struct dal_plan *plan;
    char *file = emit->fsm ? dal__emit_fsm_file(emit) : NULL;
    size_t i;

    dal_text_add(text, "[\n");
    if (file)
        add_table(text, emit, file, 0);
    text->lost |= emit->fsm && !file;
    dal_free(file);
    for (i = 0; (plan = dal_plan_peer(emit->plan, i)); i++)
        add_table(text, emit, plan->file,
                  !dal_plan_peer(emit->plan, i + 1) && !dal_plan_any_unit(emit->plan, 0));
    for (i = 0; (unit = dal_plan_any_unit(emit->plan, i)); i++)
        add_unit(text, emit, unit, !dal_plan_any_unit(emit->plan, i + 1));
    dal_text_add(text, "]\n");
}
