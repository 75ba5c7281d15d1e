/* The Makefile and compile_commands.json of the emitted folder. */
#include "synth/emit.h"

#include "rt/base/alloc.h"

#include <string.h>

static const char head[] =
    "#\n"
    "#   make          builds the program\n"
    "#   make clean    removes what was built\n"
    "#\n"
    "# CC, CPPFLAGS, CFLAGS, LDFLAGS, DAL_CFLAGS and DAL_LIBS may be given.\n"
    "\n";

static const char settings[] =
    "CC ?= cc\n"
    "OBJCOPY ?= objcopy\n"
    "CFLAGS ?= -O3 -g\n"
    "\n"
    "ifndef DAL_LIBS\n"
    "ifneq ($(shell pkg-config --exists dal && echo found),found)\n"
    "$(error pkg-config does not find dal: add its lib/pkgconfig folder to PKG_CONFIG_PATH)\n"
    "endif\n"
    "DAL_CFLAGS ?= $(shell pkg-config --cflags dal)\n"
    "DAL_LIBS := $(shell pkg-config --libs dal) "
    "-Wl,-rpath,$(shell pkg-config --variable=libdir dal)\n"
    "endif\n"
    "\n"
    "flags = -std=gnu11 -Wall -Wextra -MMD -MP -ffile-prefix-map=\"$$PWD\"=.\n"
    "compile = $(CC) $(flags) $(DAL_CFLAGS) $(CPPFLAGS) $(CFLAGS)\n";

/* For a value that stands within single quotes in a recipe. */
static void add_quoted(struct dal_text *text, const char *path)
{
    for (; *path; path++) {
        if (*path == '\'')
            dal_text_add(text, "'\\''");
        else if (*path == '$')
            dal_text_add(text, "$$");
        else if (*path == '#')
            dal_text_add(text, "\\#");
        else
            dal_text_add_bytes(text, path, 1);
    }
}

/* Options of a specification: a shell sees them, make does not. */
static void add_options(struct dal_text *text, const char *options)
{
    for (; *options; options++) {
        if (*options == '$')
            dal_text_add(text, "$$");
        else
            dal_text_add_bytes(text, *options == '\n' ? " " : options, 1);
    }
}

/* Of a C file. */
static void add_object(struct dal_text *text, const char *file)
{
    dal_text_printf(text, "%.*s.o", (int)strlen(file) - 2, file);
}

/* The files of tables, parted by spaces. */
static void add_tables(struct dal_text *text, const struct dal_emit *emit)
{
    const struct dal_plan *plan;
    size_t i;

    if (emit->fsm) {
        char *file = dal__emit_fsm_file(emit);
        add_object(text, file ? file : ".c");
        text->lost |= !file;
        dal_free(file);
    }
    for (i = 0; (plan = dal_plan_peer(emit->plan, i)); i++) {
        dal_text_add(text, emit->fsm ? " " : "");
        add_object(text, plan->file);
    }
}

static void add_data_name(struct dal_text *text, const struct dal_plan *plan, const char *what,
                          const char *ending)
{
    char *name = dal__emit_data_name(plan, what);

    text->lost |= !name;
    dal_text_add(text, name ? name : "");
    dal_text_add(text, ending);
    dal_free(name);
}

static void add_objects(struct dal_text *text, const struct dal_emit *emit)
{
    const struct dal_plan_unit *unit;
    const struct dal_plan *plan;
    size_t i;

    dal_text_add(text, "objects = ");
    add_tables(text, emit);
    for (i = 0; (plan = dal_plan_peer(emit->plan, i)); i++)
        if (dal__emit_has_data(plan)) {
            dal_text_add(text, " ");
            add_data_name(text, plan, "data", ".o");
        }
    for (i = 0; (unit = dal_plan_any_unit(emit->plan, i)); i++) {
        dal_text_add(text, " \\\n\t");
        add_object(text, unit->file);
    }
    dal_text_add(text, "\n");
}

/* Neither -MMD nor -std is for an assembler, and it would write down the folder with -g. */
static void add_data_rule(struct dal_text *text, const struct dal_plan *plan)
{
    size_t i;

    dal_text_add(text, "\n");
    add_data_name(text, plan, "data", ".o: ");
    add_data_name(text, plan, "data", ".s");
    for (i = 0; i < plan->channel_count; i++)
        if (dal__emit_is_file(plan->channels[i].channel)) {
            dal_text_add(text, " \\\n\t");
            add_data_name(text, plan, plan->channels[i].symbol, ".bin");
        }
    dal_text_add(text, "\n\t$(CC) $(CFLAGS) -g0 -c -o $@ $<\n");
}

static int seen_libs(const struct dal_plan *plan, size_t unit, const char *libs)
{
    size_t i;

    for (i = 0; i < unit; i++) {
        const char *other = dal_plan_any_unit(plan, i)->source->libs;
        if (other && !strcmp(other, libs))
            return 1;
    }
    return 0;
}

static void add_libs(struct dal_text *text, const struct dal_plan *plan)
{
    const struct dal_plan_unit *unit;
    size_t i;

    dal_text_add(text, "libs =");
    for (i = 0; (unit = dal_plan_any_unit(plan, i)); i++) {
        if (!unit->source->libs || seen_libs(plan, i, unit->source->libs))
            continue;
        dal_text_add(text, " ");
        add_options(text, unit->source->libs);
    }
    dal_text_add(text, "\n\n");
}

static void add_folder(struct dal_text *text, const struct dal_emit *emit,
                       const struct dal_plan_unit *unit)
{
    int relative;
    char *folder = dal__emit_folder(emit, unit, &relative);

    dal_text_add(text, " -iquote '");
    if (relative)
        dal_text_add(text, folder && *folder ? "$(SRCDIR)/" : "$(SRCDIR)");
    if (folder)
        add_quoted(text, folder);
    dal_text_add(text, "' -iquote .");
    text->lost |= !folder;
    dal_free(folder);
}

/* Of a unit, only its table is seen by others: two processes may have functions of one name, and
 * two units may be made of one source. That is done to machine code, hence -fno-lto. What
 * DAL_read() fills in is uninitialised where it fails, which gcc cannot know to end the firing. */
static void add_code_rule(struct dal_text *text, const struct dal_emit *emit,
                          const struct dal_plan_unit *unit)
{
    dal_text_add(text, "\n");
    add_object(text, unit->file);
    dal_text_printf(text, ": %s\n\t$(compile) -Wno-maybe-uninitialized -fno-lto", unit->file);
    add_folder(text, emit, unit);
    if (unit->source->cflags) {
        dal_text_add(text, " ");
        add_options(text, unit->source->cflags);
    }
    dal_text_printf(text,
                    " -c -o $@ $<\n"
                    "\t$(OBJCOPY) --keep-global-symbol=dal_code_%s $@\n",
                    unit->name);
}

static void add_rules(struct dal_text *text, const struct dal_emit *emit)
{
    const struct dal_plan_unit *unit;
    const struct dal_plan *plan;
    size_t i;

    dal_text_printf(text,
                    "all: %s\n\n"
                    "%s: $(objects)\n"
                    "\t$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $(objects) $(libs) $(DAL_LIBS)\n\n",
                    emit->program, emit->program);
    add_tables(text, emit);
    for (i = 0; (unit = dal_plan_any_unit(emit->plan, i)); i++)
        if (unit->type == DAL_SOURCE_OPENCL) {
            dal_text_add(text, " ");
            add_object(text, unit->file);
        }
    dal_text_add(text, ": %.o: %.c\n\t$(compile) -Wpedantic -c -o $@ $<\n");
    for (i = 0; (unit = dal_plan_any_unit(emit->plan, i)); i++)
        if (unit->type == DAL_SOURCE_C)
            add_code_rule(text, emit, unit);
    for (i = 0; (plan = dal_plan_peer(emit->plan, i)); i++)
        if (dal__emit_has_data(plan))
            add_data_rule(text, plan);
    dal_text_printf(text,
                    "\nclean:\n"
                    "\trm -f %s $(objects) $(objects:.o=.d)\n\n"
                    ".PHONY: all clean\n"
                    ".DELETE_ON_ERROR:\n\n"
                    "-include $(objects:.o=.d)\n",
                    emit->program);
}

static void add_title(struct dal_text *text, const struct dal_emit *emit)
{
    const struct dal_spec *spec = emit->plan->spec;

    if (emit->fsm)
        dal_text_printf(text, "# State machine %s. Made by dalsynth from %s and %s.\n",
                        emit->program, dal_path_base(emit->first_file),
                        dal_path_base(spec->architecture.file));
    else
        dal_text_printf(text, "# Network %s. Made by dalsynth from %s, %s and %s.\n", emit->program,
                        dal_path_base(spec->network.file), dal_path_base(spec->architecture.file),
                        dal_path_base(spec->mapping.file));
}

void dal__emit_make(const struct dal_emit *emit, struct dal_tree *tree)
{
    struct dal_text *text = dal__tree_add(tree, "Makefile");

    add_title(text, emit);
    dal_text_add(text, head);
    dal_text_add(text, "# Where the network's own sources are.\nSRCDIR ?= ");
    add_quoted(text, emit->source_dir);
    dal_text_add(text, "\n\n");
    dal_text_add(text, settings);
    add_objects(text, emit);
    add_libs(text, emit->plan);
    add_rules(text, emit);
}
