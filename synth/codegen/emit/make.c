/* The Makefile and compile_commands.json of the emitted folder. */
#include "synth/codegen/c/source.h"
#include "synth/codegen/emit/parts.h"

#include "rt/base/alloc.h"

#include <string.h>
#include <strings.h>

static const char head[] =
    "#\n"
    "#   make          builds the program\n"
    "#   make clean    removes what was built\n"
    "#\n"
    "# CC, CPPFLAGS, CFLAGS, LDFLAGS, DAL_CFLAGS and DAL_LIBS may be given. Sources are compiled "
    "and\n"
    "# the program is linked from within the folder of the network: there paths in options begin.\n"
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
    "flags = -std=gnu11 -Wall -Wextra " DAL_EMIT_FLOAT
    " -MMD -MP -MT $@ -ffile-prefix-map=\"$$here\"=.\n"
    "compile = $(CC) $(flags) $(DAL_CFLAGS) $(CPPFLAGS) $(CFLAGS)\n"
    "export here := $(CURDIR)\n"
    "export SRCDIR\n"
    "\n"
    "# Files that $@ depends on, as seen from here; $$from is where it was compiled: ccache may "
    "see\n"
    "# them from there. Where a path is none that make could have as the name of a file, $@ is\n"
    "# made every time instead.\n"
    "depend = { printf '%s\\n' \"$$here\" \"$$from\"; \\\n"
    "\tsed -e '1s/^$@://' -e 's/:$$//' -e 's/ \\\\$$//' $*.d; } | tr -d '\\200-\\377' | \\\n"
    "\tLC_ALL=C grep -q '[^A-Za-z0-9_./+@, -]' && echo '$@: always' >$*.d || sed -i \\\n"
    "\t-e '/^$@:/!s|^\\([^/ ]\\)|'\"$$from\"'/\\1|' -e 's| \\([^/\\]\\)| '\"$$from\"'/\\1|g' \\\n"
    "\t-e \"s|$$here/||g\" -e \"s|$$from/$$(realpath --relative-to=\"$$from\" \"$$here\")/||g\" "
    "$*.d\n";

/* The settings of a program with C++ in it. gcc warns there of members that designators leave
 * out. */
static const char cxx_settings[] =
    "\n"
    "# C++: CXX and CXXFLAGS may be given, too.\n"
    "ifeq ($(origin CXX),default)\n"
    "CXX = c++\n"
    "endif\n"
    "CXXFLAGS ?= $(CFLAGS)\n"
    "compile_cxx = $(CXX) $(patsubst -std=gnu11," DAL_EMIT_CXX ",$(flags)) $(DAL_CFLAGS) "
    "$(CPPFLAGS) $(CXXFLAGS)\n"
    "# gcc's unique symbols are one in all of a program, whatever hides them; clang has none.\n"
    "own_symbols := $(shell $(CXX) -fno-gnu-unique -E -x c++ /dev/null >/dev/null 2>&1 && \\\n"
    "\techo -fno-gnu-unique)\n";

/* Ends a value that was made for the shell. */
static void add_value(struct dal_text *text, struct dal_text *shell)
{
    dal_text_add_make(text, dal_text_get(shell));
    text->lost |= shell->lost;
    dal_text_finish(shell);
}

/* Adds a file's folder for the shell. Below the network's sources, it moves with them. */
static void add_folder(struct dal_text *shell, const struct dal_emit *emit, const char *file)
{
    char *folder = dal_path_folder(file);
    const char *below = folder ? dal__emit_below(emit, folder) : NULL;
    if (below) {
        dal_text_add(shell, "\"$SRCDIR\"");
        dal_text_add(shell, *below ? "/" : "");
    }
    if (!below || *below)
        dal_text_add_shell(shell, below ? below : folder ? folder : "");
    shell->lost |= !folder;
    dal_free(folder);
}

/* Options of a specification, word by word: nothing in them is expanded. */
static void add_options(struct dal_text *shell, const char *options)
{
    struct dal_text word = {0};
    while (dal_text_next_word(&options, &word) > 0) {
        dal_text_add(shell, " ");
        dal_text_add_shell(shell, dal_text_get(&word));
        shell->lost |= word.lost;
    }
    dal_text_finish(&word);
}

/* Adds the name of the object file of a C or C++ file. */
static void add_object(struct dal_text *text, const char *file)
{
    dal_text_printf(text, "%.*s.o", (int)(strrchr(file, '.') - file), file);
}

/* The files of tables, parted by spaces. */
static void add_tables(struct dal_text *text, const struct dal_emit *emit)
{
    const struct dal_plan *plan;
    if (emit->fsm) {
        char *file = dal__emit_fsm_file(emit);
        add_object(text, file ? file : ".c");
        text->lost |= !file;
        dal_free(file);
    }
    for (size_t i = 0; (plan = dal_plan_peer(emit->plan, i)); i++) {
        dal_text_add(text, emit->fsm ? " " : "");
        add_object(text, plan->file);
    }
}

static int any_cxx(const struct dal_emit *emit)
{
    const struct dal_plan_unit *unit;
    int any = 0;
    for (size_t i = 0; (unit = dal_plan_any_unit(emit->plan, i)); i++)
        any |= unit->type == DAL_SOURCE_C && dal_spec_has_cxx(unit->source);
    return any;
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

/* The objects of the other files of a unit's source. */
static void add_parts(struct dal_text *text, const struct dal_plan_unit *unit, const char *between)
{
    for (size_t i = 0; i < unit->source->file_count; i++) {
        char *part = dal_plan_part_file(unit, unit->file, i);
        dal_text_add(text, between);
        if (part)
            add_object(text, part);
        text->lost |= !part;
        dal_free(part);
    }
}

static int any_parts(const struct dal_emit *emit)
{
    const struct dal_plan_unit *unit;
    size_t count = 0;
    for (size_t i = 0; (unit = dal_plan_any_unit(emit->plan, i)); i++)
        count += unit->type == DAL_SOURCE_C ? unit->source->file_count : 0;
    return count > 0;
}

static void add_objects(struct dal_text *text, const struct dal_emit *emit)
{
    const struct dal_plan_unit *unit;
    const struct dal_plan *plan;
    if (any_parts(emit)) {
        dal_text_add(text,
                     "# Further files of sources, which become part of the first one's object.\n"
                     "parts =");
        for (size_t i = 0; (unit = dal_plan_any_unit(emit->plan, i)); i++)
            if (unit->type == DAL_SOURCE_C)
                add_parts(text, unit, " \\\n\t");
        dal_text_add(text, "\n");
    }
    dal_text_add(text, "objects = ");
    add_tables(text, emit);
    if (dal__emit_has_openmp(emit))
        dal_text_add(text, " " DAL_EMIT_OPENMP ".o");
    for (size_t i = 0; (plan = dal_plan_peer(emit->plan, i)); i++)
        if (dal__emit_has_data(plan)) {
            dal_text_add(text, " ");
            add_data_name(text, plan, "data", ".o");
        }
    for (size_t i = 0; (unit = dal_plan_any_unit(emit->plan, i)); i++) {
        if (!unit->file)
            continue;
        dal_text_add(text, " \\\n\t");
        add_object(text, unit->file);
    }
    dal_text_add(text, "\n");
}

/* Neither -MMD nor -std is for an assembler, and it would write down the folder with -g. */
static void add_data_rule(struct dal_text *text, const struct dal_plan *plan)
{
    dal_text_add(text, "\n");
    add_data_name(text, plan, "data", ".o: ");
    add_data_name(text, plan, "data", ".s");
    for (size_t i = 0; i < plan->channel_count; i++)
        if (dal__emit_is_file(plan->channels[i].channel)) {
            dal_text_add(text, " \\\n\t");
            add_data_name(text, plan, plan->channels[i].symbol, ".bin");
        }
    dal_text_add(text, "\n\t$(CC) $(CFLAGS) -g0 -c -o $@ $<\n");
}

static int seen_libs(const struct dal_emit *emit, size_t unit, const char *libs)
{
    const struct dal_plan *own = dal__emit_plan(emit, dal_plan_any_unit(emit->plan, unit));
    for (size_t i = 0; i < unit; i++) {
        const struct dal_plan_unit *other = dal_plan_any_unit(emit->plan, i);
        if (other->source->libs && strcmp(other->source->libs, libs) == 0 &&
            dal__emit_plan(emit, other) == own)
            return 1;
    }
    return 0;
}

/* Adds libs of a network. The program is linked in one folder, so paths of a network in another
 * folder get that folder in front. */
static void add_libs_from(struct dal_text *shell, const struct dal_emit *emit, const char *file,
                          const char *libs)
{
    int behind = 0;
    struct dal_text word = {0};
    while (dal_text_next_word(&libs, &word) > 0) {
        const char *at = dal_text_get(&word);
        int lead = dal_text_find_path(at, 1, &behind);
        dal_text_add(shell, " ");
        if (lead >= 0 && at[lead] && at[lead] != '/') {
            dal_text_add_bytes(shell, at, (size_t)lead);
            add_folder(shell, emit, file);
            dal_text_add(shell, "/");
            at += lead;
        }
        dal_text_add_shell(shell, at);
        shell->lost |= word.lost;
    }
    dal_text_finish(&word);
}

static int is_elsewhere(const struct dal_emit *emit, const char *file)
{
    char *folder = dal_path_folder(file);
    int elsewhere = folder && strcmp(folder, emit->source_dir) != 0;
    dal_free(folder);
    return elsewhere;
}

/* Asks a source for code at a fixed place? Then all of the program must stand at one. */
static int has_place(const struct dal_plan_unit *unit)
{
    const char *options = unit->type == DAL_SOURCE_C ? unit->source->cflags : NULL;
    struct dal_text word = {0};
    int found = 0;
    while (options && dal_text_next_word(&options, &word) > 0)
        found |= strcasecmp(dal_text_get(&word), "-fno-pic") == 0 ||
                 strcasecmp(dal_text_get(&word), "-fno-pie") == 0;
    dal_text_finish(&word);
    return found;
}

static void add_libs(struct dal_text *text, const struct dal_emit *emit)
{
    const struct dal_plan_unit *unit;
    struct dal_text shell = {0};
    int is_dol = 0, is_placed = 0;
    for (size_t i = 0; (unit = dal_plan_any_unit(emit->plan, i)); i++) {
        const char *network = dal__emit_plan(emit, unit)->spec->network.file;
        is_placed |= has_place(unit);
        is_dol |= dal__emit_plan(emit, unit)->spec->network.is_dol;
        if (!unit->source->libs || seen_libs(emit, i, unit->source->libs))
            continue;
        if (is_elsewhere(emit, network))
            add_libs_from(&shell, emit, network, unit->source->libs);
        else
            add_options(&shell, unit->source->libs);
    }
    if (is_placed)
        dal_text_add(&shell, " -no-pie");
    if (is_dol) /* DOL's tools link with a compiler for C++, which adds it */
        dal_text_add(&shell, " -lm");
    if (emit->plan->spec->mapping.node_count > 1)
        dal_text_add(&shell, " -ldal-mpi");
    dal_text_add(text, "libs =");
    dal_text_add(text, shell.length ? " " : "");
    dal_text_add_make(text, dal_text_get(&shell) + (shell.length > 0));
    dal_text_add(text, "\n\n");
    text->lost |= shell.lost;
    dal_text_finish(&shell);
}

/* Adds the folders of the unit's other files; one of several in a folder is enough. */
static void add_part_folders(struct dal_text *shell, const struct dal_emit *emit,
                             const struct dal_plan_unit *unit)
{
    for (size_t i = 0; i < unit->source->file_count; i++) {
        dal_text_add(shell, " -iquote ");
        add_folder(shell, emit, unit->source->files[i].path);
    }
}

/* Adds the rule for a file of a unit. The unit's first file comes last here, and waits for the
 * others. */
static void add_compilation(struct dal_text *text, const struct dal_emit *emit,
                            const struct dal_plan_unit *unit, const char *file, int cxx)
{
    const char *application = dal__emit_plan(emit, unit)->application;
    const char *joint = application ? "_" : "", *name = application ? application : "";
    add_object(text, file);
    dal_text_printf(text, ": %s", file);
    if (file == unit->file)
        add_parts(text, unit, " ");
    dal_text_printf(text,
                    "\n\tcd $(from%s%s) && $(%s) $(options_%s) -fno-lto%s%s -c -o \"$$here\"/$@ "
                    "\"$$here\"/$<\n"
                    "\t@from=$(from%s%s) && $(depend)\n",
                    joint, name, cxx ? "compile_cxx" : "compile", unit->name,
                    unit->source->file_count ? "" : " -fno-common", cxx ? " $(own_symbols)" : "",
                    joint, name);
}

/* Adds where the program finds a source in Python. */
static void add_python(struct dal_text *shell, const struct dal_emit *emit, const char *path)
{
    dal_text_add(shell, " -DDAL_PYTHON_FILE='\"'");
    add_folder(shell, emit, path);
    dal_text_add(shell, "/");
    dal_text_add_shell(shell, dal_path_base(path));
    dal_text_add(shell, "'\"'");
}

/* Other units see only the table of a unit: two processes may have functions of one name, and two
 * units may be made of one source. The Makefile hides the rest in machine code, hence -fno-lto
 * behind all options. The files of a unit become one object first. So does a C++ file, since other
 * units would share its sections by their names. Common symbols, of -fcommon, would be shared by
 * their names as well. A unit of one file has none; those of a unit of several files are its own.
 */
static void add_code_rule(struct dal_text *text, const struct dal_emit *emit,
                          const struct dal_plan_unit *unit)
{
    const char *openmp = dal_source_openmp_options(unit);
    struct dal_text shell = {0};
    dal_text_printf(text, "\noptions_%s = -iquote ", unit->name);
    add_folder(&shell, emit, unit->source->path);
    dal_text_add(&shell, " -iquote \"$here\"");
    add_part_folders(&shell, emit, unit);
    if (dal__emit_has_types(unit))
        dal_text_add(&shell, " -iquote .");
    if (unit->source->python)
        add_python(&shell, emit, unit->source->path);
    if (unit->source->contraction)
        dal_text_add(&shell, " " DAL_EMIT_CONTRACTION);
    if (openmp) {
        dal_text_add(&shell, " ");
        dal_text_add(&shell, openmp);
    }
    add_options(&shell, unit->source->cflags ? unit->source->cflags : "");
    add_value(text, &shell);
    dal_text_add(text, "\n");
    for (size_t i = 0; i < unit->source->file_count; i++) {
        char *part = dal_plan_part_file(unit, unit->file, i);
        if (part)
            add_compilation(text, emit, unit, part, unit->source->files[i].cxx);
        text->lost |= !part;
        dal_free(part);
    }
    add_compilation(text, emit, unit, unit->file, unit->source->cxx);
    if (unit->source->file_count || unit->source->cxx) {
        dal_text_add(text, "\t$(LD) -r -d --force-group-allocation -o $@.joined $@");
        add_parts(text, unit, " ");
        dal_text_add(text, " && mv $@.joined $@\n");
    }
    dal_text_printf(text, "\t$(OBJCOPY) --keep-global-symbol=dal_code_%s $@\n", unit->name);
}

/* The folders of the networks. */
static void add_froms(struct dal_text *text, const struct dal_emit *emit)
{
    const struct dal_plan *plan;
    for (size_t i = 0; (plan = dal_plan_peer(emit->plan, i)); i++) {
        struct dal_text shell = {0};
        dal_text_printf(text, plan->application ? "from_%s = " : "from%s = ",
                        plan->application ? plan->application : "");
        add_folder(&shell, emit, plan->spec->network.file);
        add_value(text, &shell);
        dal_text_add(text, "\n");
    }
}

static void add_rules(struct dal_text *text, const struct dal_emit *emit)
{
    const struct dal_plan_unit *unit;
    const struct dal_plan *plan;
    const char *more = emit->is_library ? " net.main.o" : "";
    dal_text_printf(text, "all: %s", emit->program);
    if (emit->is_library)
        dal_text_printf(text, " lib%s.so lib%s.a", emit->program, emit->program);
    dal_text_printf(text,
                    "\n\n%s: $(objects)%s\n"
                    "\tcd \"$$SRCDIR\" && $(%s) $(CFLAGS) $(LDFLAGS)%s -o \"$$here\"/$@ "
                    "$(objects:%%=\"$$here\"/%%)%s $(libs) $(DAL_LIBS)\n\n",
                    emit->program, more, any_cxx(emit) ? "CXX" : "CC",
                    dal__emit_has_openmp(emit) ? " -fopenmp" : "",
                    emit->is_library ? " \"$$here\"/net.main.o" : "");
    add_tables(text, emit);
    for (size_t i = 0; (unit = dal_plan_any_unit(emit->plan, i)); i++)
        if (unit->type == DAL_SOURCE_OPENCL) {
            dal_text_add(text, " ");
            add_object(text, unit->file);
        }
    dal_text_add(text, ": %.o: %.c\n"
                       "\t$(compile) -Wpedantic -c -o $@ $<\n"
                       "\t@from=$$here && $(depend)\n");
    if (dal__emit_has_openmp(emit))
        dal_text_add(text, "\n" DAL_EMIT_OPENMP ".o: " DAL_EMIT_OPENMP ".c\n"
                           "\t$(compile) -Wpedantic -fopenmp -c -o $@ $<\n"
                           "\t@from=$$here && $(depend)\n");
    for (size_t i = 0; (unit = dal_plan_any_unit(emit->plan, i)); i++)
        if (unit->type == DAL_SOURCE_C)
            add_code_rule(text, emit, unit);
    for (size_t i = 0; (plan = dal_plan_peer(emit->plan, i)); i++)
        if (dal__emit_has_data(plan))
            add_data_rule(text, plan);
    if (emit->is_library)
        dal__emit_library_rules(emit, text, any_cxx(emit));
    dal_text_printf(text,
                    "\nclean:\n"
                    "\trm -f %s $(objects) $(objects:.o=.d)%s%s\n\n"
                    ".PHONY: all clean always\n"
                    ".DELETE_ON_ERROR:\n\n"
                    "-include $(objects:.o=.d)%s%s\n",
                    emit->program, any_parts(emit) ? " $(parts) $(parts:.o=.d)" : "",
                    emit->is_library ? " net.main.[do] net.library.o lib*.so lib*.a" : "",
                    any_parts(emit) ? " $(parts:.o=.d)" : "",
                    emit->is_library ? " net.main.d" : "");
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
    struct dal_text *text = dal_tree_add(tree, "Makefile");
    add_title(text, emit);
    dal_text_add(text, head);
    dal_text_add(text, "# Where the network's own sources are; an absolute path.\nSRCDIR ?= ");
    dal_text_add_make(text, emit->source_dir);
    dal_text_add(text, "\n\n");
    dal_text_add(text, settings);
    if (emit->is_library)
        dal_text_add(text, "flags += -fPIC\ncompile += -fno-lto\n");
    if (any_cxx(emit))
        dal_text_add(text, cxx_settings);
    add_objects(text, emit);
    add_froms(text, emit);
    add_libs(text, emit);
    add_rules(text, emit);
}
