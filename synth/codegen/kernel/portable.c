/*
 * Portable sources. A C unit takes one in as it is, but for the spelling of DAL_foreach. For a
 * device the same text stands between a prologue and a kernel. The prologue makes dal.h's names
 * mean pointers into windows; the kernel calls fire with those pointers. The reader finds which
 * parts of the text are changed, and what it may not do (tree_portable.c, tree_blocks.c).
 */
#include "spec/base/temporary.h"
#include "synth/codegen/c/counted.h"
#include "synth/codegen/c/source.h"
#include "synth/codegen/c/token.h"
#include "synth/codegen/c/unit.h"
#include "synth/codegen/clang/given.h"
#include "synth/codegen/clang/reader.h"
#include "synth/codegen/kernel/steps.h"
#include "synth/codegen/kernel/variants.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* ---- for a device ---------------------------------------------------------------------------- */

static const char dal_words[] = __extension__
#include "synth/codegen/kernel/portable_cl.inc"
    ;

/* Macros for a work-item's number in its group, and for the number of work-items. */
static const char alone[] = "#define DAL__ITEM 0\n"
                            "#define DAL__ITEMS 1\n"
                            "#undef barrier\n"
                            "#define barrier(flags) ((void)0)\n\n";
static const char in_a_row[] = "#define DAL__ITEM get_local_id(0)\n"
                               "#define DAL__ITEMS get_local_size(0)\n\n";
static const char in_dimensions[] =
    "#define DAL__ROW (get_local_id(2) * get_local_size(1) + get_local_id(1))\n"
    "#define DAL__ITEM (DAL__ROW * get_local_size(0) + get_local_id(0))\n"
    "#define DAL__ITEMS (get_local_size(0) * get_local_size(1) * get_local_size(2))\n\n";

static int is_collective(const struct dal_plan_unit *unit)
{
    return dal_fact_next(unit->facts, DAL_FACT_COLLECTIVES, NULL) != NULL;
}

/* Adds dal_collectives.h, with scratch memory of the kernel. */
static void add_collectives(struct dal_text *text)
{
    dal_text_add(text, "#define DAL__DEVICE_IN_FRONT\n#line 1 \"dal_collectives.h\"\n");
    dal_text_add(text, dal__collectives);
    dal_text_add(text, "#undef DAL_SCRATCH\n"
                       "#define DAL_SCRATCH(name) __local DAL_SCRATCH_TYPE *const name = "
                       "(__local DAL_SCRATCH_TYPE *)p->dal__scratch\n");
}

/* Adds the -D and -U of some options. They are for both compilers, and a device's takes no blanks.
 * What was defined before may be another value. */
static void add_defines(struct dal_text *text, const char *options)
{
    struct dal_text option = {0};
    while (dal_text_next_define(&options, &option) > 0) {
        const char *word = dal_text_get(&option), *name = word + 2, *value = strchr(name, '=');
        if (word[1] == 'I')
            continue;
        dal_text_printf(text, "#undef %.*s\n", (int)strcspn(name, "(="), name);
        if (word[1] == 'D')
            dal_text_printf(text, "#define %.*s %s\n", (int)strcspn(name, "="), name,
                            value ? value + 1 : "1");
        dal_text_add(text, "\n");
    }
    text->lost |= option.lost;
    dal_text_finish(&option);
}

/* Adds the prologue. A text that is read again asks no device; the group has that in front. */
static void add_prologue(struct dal_text *text, const struct dal_plan *plan,
                         const struct dal_plan_unit *unit, int is_for_group)
{
    dal_text_add_comment(text, 0, "Kernel of process %s, from the portable %s.",
                         unit->process->base, dal_path_base(unit->source->path));
    for (int i = 0; i < DAL_GIVEN; i++)
        add_defines(text, dal_given_options(i, 0));
    add_defines(text, unit->source->cflags);
    dal_source_constants(text, plan, unit, DAL_PORTS_NUMBERED);
    dal_unit_contraction(text, unit);
    dal_text_printf(text, "#define DAL__PORTS %zu\n",
                    unit->process->port_count ? unit->process->port_count : 1);
    dal_text_add(text, unit->work_items == 1 ? alone
                       : unit->work_shape[0] ? in_dimensions
                                             : in_a_row);
    dal__add_words(text);
    dal__add_pointer(text);
    if (is_collective(unit))
        dal_text_printf(text, "#define " DAL__GROUP_ITEMS " %" PRIu32 "\n", unit->work_items);
    if (dal_spec_has_counted(unit->process, 0) || dal_spec_has_counted(unit->process, 1))
        dal_text_add(text, "#define DAL__COUNTED\n");
    if (unit->process->constant_count)
        dal_text_printf(text, "#define DAL__CONSTANTS %zu\n", unit->process->constant_count);
    dal_text_add(text, dal_words);
    if (is_collective(unit) && !is_for_group)
        dal__add_device(text);
    if (is_collective(unit))
        add_collectives(text);
}

/* Adds the firings of a cycle one after the other, each with its part of the windows. */
static void add_phases(struct dal_text *text, const struct dal_plan_unit *unit)
{
    const struct dal_spec_process *process = unit->process;
    for (uint64_t phase = 0; phase < process->phases; phase++) {
        dal_text_printf(text, "    dal__p.dal__phase = %" PRIu64 ";\n    (void)%s(&dal__p);\n",
                        phase, unit->roles[DAL_ROLE_FIRE]->symbol);
        for (size_t i = 0; i < process->port_count; i++) {
            const struct dal_spec_port *port = &process->ports[i];
            uint64_t rate = dal_plan_phase_rate(process, port, phase);
            dal_text_printf(text,
                            "    dal__at_%zu += %" PRIu64 ";\n    dal__p.dal__at[%zu] = "
                            "dal__at_%zu;\n",
                            i, rate * port->channel->token_bytes, i, i);
        }
    }
}

static void add_call(struct dal_text *text, const struct dal_plan_unit *unit)
{
    if (dal_plan_phases(unit->process) == 1) {
        dal_text_printf(text, "    (void)%s(&dal__p);\n", unit->roles[DAL_ROLE_FIRE]->symbol);
        return;
    }
    for (size_t i = 0; i < unit->process->port_count; i++)
        dal_text_printf(text, "    __global uchar *dal__at_%zu = dal__p.dal__at[%zu];\n", i, i);
    add_phases(text, unit);
}

/* Adds scratch memory in the kernel's body, where all local memory is declared. */
static void add_scratch(struct dal_text *text, const struct dal_plan_unit *unit)
{
    if (is_collective(unit))
        dal_text_add(
            text, "    DAL_LOCAL_VARIABLE DAL_SCRATCH_TYPE dal__words[2 * " DAL__GROUP_ITEMS "];\n"
                  "    dal__p.dal__scratch = (__local ulong *)dal__words;\n");
}

/* Turns the windows of counted ports, which are packets, into counts and tokens. A count that is
 * never set is 0. */
static void add_counts(struct dal_text *text, const struct dal_spec_process *process)
{
    for (size_t i = 0; i < process->port_count; i++) {
        const struct dal_spec_port *port = &process->ports[i];
        char packet[64];
        if (!dal__is_counted(port))
            continue;
        snprintf(packet, sizeof(packet), "dal__packet_%zu", i);
        dal_text_printf(text,
                        "    __global uchar *const %s = dal__p.dal__at[%zu];\n"
                        "    dal__p.dal__at[%zu] += %" PRIu64 ";\n    ",
                        packet, i, i, dal__header_bytes(port));
        if (port->output)
            dal_text_printf(text, "dal__p.dal__packet[%zu] = ", i);
        else
            dal_text_printf(text, "dal__p.dal__count[%zu] = ", i);
        dal__add_count(text, port, packet);
        dal_text_add(text, ";\n");
        if (port->output)
            dal_text_printf(text, "    dal__write_count(%zu, 0, &dal__p);\n", i);
    }
    if (dal_spec_has_counted(process, 1))
        dal_text_add(text, "   ");
    dal__add_wrong_counts(text, process, "dal__packet_", 0);
    if (dal_spec_has_counted(process, 1))
        dal_text_add(text, "\n");
}

/* A portable kernel takes all constants. */
static int take_constants(struct dal_plan_unit *unit)
{
    const struct dal_spec_process *process = unit->process;
    if (!unit->values)
        unit->values = dal_calloc(dal_plan_most_values(process) + 1, sizeof(*unit->values));
    for (size_t i = 0; unit->values && i < process->constant_count; i++)
        unit->values[process->parameter_count + i] =
            (struct dal_plan_value){.is_taken = 1, .memory = DAL_PLAN_GLOBAL};
    return unit->values ? DAL_OK : DAL_ERR_NOMEM;
}

/* Adds the kernel. In a group, another one calls it with the windows of a firing. */
static void add_kernel(struct dal_text *text, const struct dal_plan_unit *unit, int is_for_group)
{
    const struct dal_spec_process *process = unit->process;
    const struct dal_function *fire = unit->roles[DAL_ROLE_FIRE];
    dal_text_printf(text, "%sint %s(DALProcess *);\n\n", fire->is_static ? "static " : "",
                    fire->symbol);
    if (is_for_group)
        dal_text_printf(text, "__kernel void %s(", unit->kernel);
    else
        dal__add_head(text, unit);
    for (size_t i = 0; i < process->port_count; i++)
        dal_text_printf(text,
                        is_for_group ? "%s__global uchar *dal__window_%zu"
                                     : "%s__global uchar *dal__base_%zu, ulong dal__offset_%zu",
                        i ? ", " : "", i, i);
    for (size_t i = 0; i < process->constant_count; i++)
        dal_text_printf(text, "%s__global const uchar *dal__value_%zu",
                        i || process->port_count ? ", " : "", process->parameter_count + i);
    dal_text_add(text, ")\n{\n    DALProcess dal__p;\n");
    for (size_t i = 0; i < process->constant_count; i++)
        dal_text_printf(text, "    dal__p.dal__constant[%zu] = dal__value_%zu;\n", i,
                        process->parameter_count + i);
    add_scratch(text, unit);
    if (is_collective(unit) && !is_for_group)
        dal__add_local_check(text, "dal__words");
    for (size_t i = 0; i < process->port_count; i++) {
        dal_text_printf(text, "    dal__p.dal__at[%zu] = ", i);
        if (is_for_group)
            dal_text_printf(text, "dal__window_%zu", i);
        else
            dal_text_printf(text,
                            "dal__base_%zu + dal__offset_%zu + get_group_id(0) * (size_t)%" PRIu64,
                            i, i, dal__window_bytes(&process->ports[i]));
        dal_text_printf(text, ";\n    dal__p.dal__held[%zu] = 0;\n", i);
    }
    add_counts(text, process);
    add_call(text, unit);
    dal_text_add(text, "}\n\n");
}

static int is_told(const struct dal_facts *facts, size_t count, const struct dal_fact *fact)
{
    for (size_t i = 0; i < count; i++)
        if (facts->list[i].line == fact->line && strcmp(facts->list[i].name, fact->name) == 0 &&
            strcmp(facts->list[i].file, fact->file) == 0)
            return 1;
    return 0;
}

/* Checks the tokens of the ports against the types of the channels. */
static int check_types(struct dal_diags *diags, const struct dal_plan_unit *unit,
                       const char *folder, const struct dal_facts *facts)
{
    const struct dal_spec_process *process = unit->process;
    int result = DAL_OK;
    for (size_t i = 0; i < process->port_count && (!result || result == DAL_ERR_INVALID); i++) {
        const struct dal_fact fact = {.file = ""};
        struct dal__device_type device = {.facts = facts,
                                          .of = process->ports[i].name,
                                          .place = dal__unit_place(diags, unit->source, &fact)};
        char *what = dal_format("process '%s', portable source '%s': port '%s'", process->name,
                                unit->source->location, device.of);
        int status = DAL_ERR_NOMEM;
        device.what = what;
        if (what)
            status = dal__check_tokens(diags, folder, &process->ports[i], &device);
        dal_free(what);
        result = status ? status : result;
    }
    return result;
}

/* Reports each refusal once for a line, and takes the text of the portable source. */
static int take_facts(struct dal_diags *diags, struct dal_plan_unit *unit,
                      const struct dal_facts *facts)
{
    struct dal_text text = {0};
    size_t refusals = 0;
    for (size_t i = 0; i < facts->count; i++) {
        const struct dal_fact *fact = &facts->list[i];
        if (fact->kind == DAL_FACT_LINE) {
            dal_text_printf(&text, "%s\n", fact->name);
        } else if (!(fact->kind == DAL_FACT_LAYOUT || fact->kind == DAL_FACT_MEMBER) &&
                   !is_told(facts, i, fact)) {
            dal_error(diags, dal__unit_place(diags, unit->source, fact), "not-portable",
                      "process '%s': %s", unit->process->base, fact->name);
            refusals++;
        }
    }
    if (refusals) {
        dal_note(diags, unit->source->place, "the source is named here");
        dal_text_finish(&text);
    }
    unit->portable = refusals ? dal_strdup("") : dal_text_take(&text);
    return unit->portable ? DAL_OK : DAL_ERR_NOMEM;
}

static int read_portable(struct dal_diags *diags, const struct dal_plan *plan,
                         struct dal_plan_unit *unit, const char *prologue)
{
    char *folder = dal_plan_folder(plan);
    struct dal_portable portable = {.process = unit->process,
                                    .function = unit->function,
                                    .fire = unit->roles[DAL_ROLE_FIRE]->symbol,
                                    .kernel = unit->kernel,
                                    .facts = unit->facts,
                                    .missing = &unit->facts->missing};
    struct dal_reading reading = {.path = unit->source->path,
                                  .folder = folder,
                                  .options = unit->source->cflags,
                                  .prologue = prologue,
                                  .portable = &portable};
    struct dal_text rewritten = {0};
    struct dal_facts facts = {0};
    int status = folder ? dal_unit_rewrite_foreach(diags, unit, &rewritten) : DAL_ERR_NOMEM;
    if (rewritten.length)
        reading.text = dal_text_get(&rewritten);
    if (!status)
        status = dal_read_source(&reading, &facts);
    if (status == DAL_ERR_SYSTEM)
        status = dal__unit_unread(diags, unit->source);
    if (!status)
        status = take_facts(diags, unit, &facts);
    if (!status)
        status = check_types(diags, unit, folder, &facts);
    dal_facts_finish(&facts);
    dal_text_finish(&rewritten);
    dal_free(folder);
    return status;
}

/* Returns a unit of the same source that has been read for the same, whatever it runs on. */
static const struct dal_plan_unit *find_alike(const struct dal_plan *plan,
                                              const struct dal_plan_unit *unit)
{
    const struct dal_plan_unit *other;
    for (size_t i = 0; (other = dal_plan_any_unit(plan, i)); i++)
        if (other->portable && other->facts == unit->facts &&
            strcmp(other->function, unit->function) == 0)
            return other;
    return NULL;
}

/* ---- in a group ------------------------------------------------------------------------------ */

/* Reads a text from a file, since the preprocessor wants one. The file's name stands in the
 * result. */
static int read_file(const struct dal_plan_unit *unit, const char *path, const char *folder,
                     struct dal_variants *variants)
{
    struct dal_spec_source source = *unit->source;
    struct dal_reading reading = {.path = path,
                                  .is_opencl = 1,
                                  .is_whole = 1,
                                  .folder = folder,
                                  .options = source.cflags,
                                  .prologue = ""};
    struct dal_diags unsaid;
    char *name = dal_strdup(path);
    int status = DAL_ERR_NOMEM;
    dal_diags_init(&unsaid);
    source.path = name;
    if (name)
        status = dal__variants_read(&unsaid, &source, &reading, variants);
    dal_diags_finish(&unsaid);
    dal_free(name);
    return status;
}

static int write_file(const char *path, const struct dal_text *text)
{
    FILE *file = fopen(path, "w");
    int good;
    if (!file)
        return DAL_ERR_INVALID;
    good = fwrite(dal_text_get(text), 1, text->length, file) == text->length;
    return fclose(file) == 0 && good ? DAL_OK : DAL_ERR_INVALID;
}

/* Reads a text from a folder of its own, which is there for as long as that takes. */
static int read_text(const struct dal_plan *plan, const struct dal_plan_unit *unit,
                     const struct dal_text *text, struct dal_variants *variants)
{
    char *folder = dal_plan_folder(plan), *own = NULL, *path = NULL;
    int status = folder ? dal_temporary_folder(&own) : DAL_ERR_NOMEM;
    if (status == DAL_ERR_SYSTEM)
        status = DAL_ERR_INVALID;
    if (!status) {
        path = dal_format("%s/portable.cl", own);
        status = path ? write_file(path, text) : DAL_ERR_NOMEM;
        if (!status)
            status = read_file(unit, path, folder, variants);
        if (path)
            unlink(path);
        rmdir(own);
    }
    dal_free_all(path, folder, own);
    return status;
}

int dal__portable_in_group(const struct dal_plan *plan, struct dal_plan_unit *unit)
{
    const struct dal_plan_unit *has = unit->portable ? unit : find_alike(plan, unit);
    struct dal_text text = {0};
    int status;
    unit->in_group = dal_calloc(1, sizeof(*unit->in_group));
    if (!unit->in_group)
        return DAL_ERR_NOMEM;
    add_prologue(&text, plan, unit, 1);
    add_kernel(&text, unit, 1);
    dal_text_add(&text, has->portable);
    status = text.lost ? DAL_ERR_NOMEM : read_text(plan, unit, &text, unit->in_group);
    dal_text_finish(&text);
    if (status) {
        dal_variants_finish(unit->in_group);
        dal_free(unit->in_group);
        unit->in_group = NULL;
    }
    return status;
}

/* ---- the unit -------------------------------------------------------------------------------- */

/* Has the source errors as C? The header that is made for it is not there yet, so its absence is
 * none. */
static int is_wrong(const struct dal_plan_unit *unit)
{
    const struct dal_fact *fact = NULL;
    while ((fact = dal_fact_next(unit->facts, DAL_FACT_ERROR, fact)))
        if (!unit->asks_header || !strstr(fact->name, "file not found"))
            return 1;
    return 0;
}

int dal_unit_portable(struct dal_diags *diags, const struct dal_plan *plan,
                      struct dal_plan_unit *unit)
{
    const struct dal_plan_unit *alike = find_alike(plan, unit);
    struct dal_text prologue = {0};
    int status = DAL_OK;
    if (is_wrong(unit)) {
        dal__unit_errors(diags, unit->source, "source-build", unit->facts);
        return DAL_ERR_INVALID;
    }
    unit->kernel = dal_format("%s_kernel", unit->function);
    if (!unit->kernel || take_constants(unit))
        return DAL_ERR_NOMEM;
    add_prologue(&prologue, plan, unit, 0);
    add_kernel(&prologue, unit, 0);
    if (prologue.lost)
        status = DAL_ERR_NOMEM;
    else if (!alike)
        status = read_portable(diags, plan, unit, dal_text_get(&prologue));
    if (!status && unit->type == DAL_SOURCE_OPENCL) {
        unit->counts_local = is_collective(unit);
        unit->text = prologue;
        dal_text_add(&unit->text, alike ? alike->portable : unit->portable);
    } else
        dal_text_finish(&prologue);
    if (status)
        return status;
    return *(alike ? alike->portable : unit->portable) ? DAL_OK : DAL_ERR_INVALID;
}
