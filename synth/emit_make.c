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

static void add_object(struct dal_text *text, const struct dal_plan_unit *unit)
{
    dal_text_printf(text, "%.*s.o", (int)strlen(unit->file) - 2, unit->file);
}

static void add_objects(struct dal_text *text, const struct dal_plan *plan)
{
    size_t i;

    dal_text_add(text, "objects = net.o");
    for (i = 0; i < plan->unit_count; i++) {
        dal_text_add(text, " \\\n\t");
        add_object(text, &plan->units[i]);
    }
    dal_text_add(text, "\n");
}

static int seen_libs(const struct dal_plan *plan, size_t unit)
{
    size_t i;

    for (i = 0; i < unit; i++)
        if (plan->units[i].source->libs &&
            !strcmp(plan->units[i].source->libs, plan->units[unit].source->libs))
            return 1;
    return 0;
}

static void add_libs(struct dal_text *text, const struct dal_plan *plan)
{
    size_t i;

    dal_text_add(text, "libs =");
    for (i = 0; i < plan->unit_count; i++) {
        if (!plan->units[i].source->libs || seen_libs(plan, i))
            continue;
        dal_text_add(text, " ");
        add_options(text, plan->units[i].source->libs);
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
    add_object(text, unit);
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
    const struct dal_plan *plan = emit->plan;
    size_t i;

    dal_text_printf(text,
                    "all: %s\n\n"
                    "%s: $(objects)\n"
                    "\t$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $(objects) $(libs) $(DAL_LIBS)\n\n"
                    "net.o",
                    emit->program, emit->program);
    for (i = 0; i < plan->unit_count; i++)
        if (plan->units[i].type == DAL_SOURCE_OPENCL) {
            dal_text_add(text, " ");
            add_object(text, &plan->units[i]);
        }
    dal_text_add(text, ": %.o: %.c\n\t$(compile) -Wpedantic -c -o $@ $<\n");
    for (i = 0; i < plan->unit_count; i++)
        if (plan->units[i].type == DAL_SOURCE_C)
            add_code_rule(text, emit, &plan->units[i]);
    dal_text_printf(text,
                    "\nclean:\n"
                    "\trm -f %s $(objects) $(objects:.o=.d)\n\n"
                    ".PHONY: all clean\n"
                    ".DELETE_ON_ERROR:\n\n"
                    "-include $(objects:.o=.d)\n",
                    emit->program);
}

void dal__emit_make(const struct dal_emit *emit, struct dal_tree *tree)
{
    struct dal_text *text = dal__tree_add(tree, "Makefile");

    dal_text_printf(text, "# Network %s. Made by dalsynth from %s, %s and %s.\n", emit->program,
                    dal_path_base(emit->network_file), dal_path_base(emit->architecture_file),
                    dal_path_base(emit->mapping_file));
    dal_text_add(text, head);
    dal_text_add(text, "# Where the network's own sources are.\nSRCDIR ?= ");
    add_quoted(text, emit->source_dir);
    dal_text_add(text, "\n\n");
    dal_text_add(text, settings);
    add_objects(text, emit->plan);
    add_libs(text, emit->plan);
    add_rules(text, emit);
}
