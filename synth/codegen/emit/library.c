/*
 * The files of a library: the network's header with typed calls on top of dal_run.h, NAME.pc, and
 * main() in a file of its own, so that the program is there as well.
 */
#include "synth/codegen/emit/parts.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "synth/codegen/c/token.h"

#include <inttypes.h>
#include <string.h>

#define MAIN "net.main.c"

/* Names of OpenCL C that C does not have. */
static const char *const c_names[][2] = {{"uchar", "unsigned char"},
                                         {"ushort", "unsigned short"},
                                         {"uint", "unsigned int"},
                                         {"ulong", "unsigned long"}};

/* Returns the type of an element in C; "void" where the header cannot know it. */
static const char *type_of(const struct dal_spec_channel *channel)
{
    if (!channel->token_kind)
        return "void";
    for (size_t i = 0; i < sizeof(c_names) / sizeof(c_names[0]); i++)
        if (strcmp(c_names[i][0], channel->token_type) == 0)
            return c_names[i][1];
    return channel->token_type;
}

static const struct dal_spec_process *open_port(const struct dal_plan *plan, size_t place)
{
    const struct dal_spec_process *process = dal_plan_in_order(plan, place)->process;
    return dal_spec_is_port(process) ? process : NULL;
}

char *dal__emit_symbol(const struct dal_emit *emit)
{
    return dal_text_identifier(emit->program);
}

static void add_run_calls(struct dal_text *text, const char *name)
{
    dal_text_printf(text,
                    "static inline int %s_open(struct dal_run **run,\n"
                    "    const struct dal_run_options *options)\n"
                    "{\n"
                    "    return dal_run_open(run, &%s_net, options);\n"
                    "}\n",
                    name, name);
}

/* A port as the header has it. */
struct call {
    const char *name, *port, *type;
    int reads;
};

static void add_move(struct dal_text *text, const struct call *c)
{
    const char *verb = c->reads ? "read" : "write";
    dal_text_printf(text,
                    "static inline int64_t %s_%s_%s(struct dal_run *run,\n"
                    "    %s%s *tokens, size_t count, int64_t wait_ns)\n"
                    "{\n"
                    "    return dal_run_%s(run, %s_PORT_%s, tokens, count, wait_ns);\n"
                    "}\n",
                    c->name, verb, c->port, c->reads ? "" : "const ", c->type, verb, c->name,
                    c->port);
}

static void add_window(struct dal_text *text, const struct call *c)
{
    dal_text_printf(text,
                    "static inline int64_t %s_window_%s(struct dal_run *run,\n"
                    "    %s **window, int64_t wait_ns)\n"
                    "{\n"
                    "    void *at = NULL;\n"
                    "    int64_t count = dal_run_window(run, %s_PORT_%s, &at, wait_ns);\n"
                    "    *window = (%s *)at;\n"
                    "    return count;\n"
                    "}\n",
                    c->name, c->port, c->type, c->name, c->port, c->type);
    dal_text_printf(text,
                    "static inline int %s_advance_%s(struct dal_run *run, size_t count)\n"
                    "{\n"
                    "    return dal_run_advance(run, %s_PORT_%s, count);\n"
                    "}\n",
                    c->name, c->port, c->name, c->port);
}

/* Adds a call that has nothing but the run. */
static void add_plain(struct dal_text *text, const struct call *c, const char *verb)
{
    dal_text_printf(text,
                    "static inline int %s_%s_%s(struct dal_run *run)\n"
                    "{\n"
                    "    return dal_run_%s(run, %s_PORT_%s);\n"
                    "}\n",
                    c->name, verb, c->port, verb, c->name, c->port);
}

/* Says what a structure is in NumPy. python/dal/_library.py reads that. */
static int add_record_comment(struct dal_text *text, const struct dal_spec_process *process,
                              const char *folder)
{
    const struct dal_spec_channel *channel = process->ports->channel;
    struct dal_text numpy = {0};
    int status = channel->header ? dal__token_numpy(&numpy, channel, folder) : DAL_OK;
    if (!status && strncmp(dal_text_get(&numpy), "({", 2) == 0)
        dal_text_add_comment(text, 0, "Tokens of %s in NumPy: %s", process->name,
                             dal_text_get(&numpy));
    text->lost |= numpy.lost;
    dal_text_finish(&numpy);
    return status;
}

static void add_port_calls(struct dal_text *text, const char *name,
                           const struct dal_spec_process *process)
{
    const struct dal_spec_channel *channel = process->ports->channel;
    const struct call call = {.name = name,
                              .port = process->name,
                              .type = type_of(channel),
                              .reads = !process->ports->output};
    dal_text_add(text, "\n");
    dal_text_add_comment(text, 0,
                         "%s port %s: %s%s%s, %" PRIu64 " bytes a token. Counts are of tokens.",
                         call.reads ? "Output" : "Input", call.port,
                         channel->token_type ? channel->token_type : "tokens",
                         channel->token_count > 1 ? ", several in a token" : "",
                         channel->header ? " of a header" : "", channel->token_bytes);
    add_move(text, &call);
    add_window(text, &call);
    add_plain(text, &call, "fd");
    add_plain(text, &call, "end");
}

static int add_ports_calls(struct dal_text *text, const struct dal_plan *plan, const char *name)
{
    char *folder = dal_plan_folder(plan);
    int status = folder ? DAL_OK : DAL_ERR_NOMEM;
    for (size_t i = 0; i < plan->process_count && !status; i++)
        if (open_port(plan, i)) {
            add_port_calls(text, name, open_port(plan, i));
            status = add_record_comment(text, open_port(plan, i), folder);
        }
    dal_free(folder);
    return status;
}

static int emit_header(const struct dal_emit *emit, const char *name, struct dal_tree *tree)
{
    const struct dal_plan *plan = emit->plan;
    struct dal_text *text = dal_tree_add(tree, "%s.h", emit->program);
    int status;
    dal__emit_banner(plan, text, "Network %s in a program; dal_run.h says what the calls do.",
                     plan->spec->network.name);
    dal_text_printf(text,
                    "#ifndef DAL_NETWORK_%s_H\n#define DAL_NETWORK_%s_H\n\n"
                    "#include <dal_run.h>\n\n"
                    "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n"
                    "extern const struct dal_net %s_net;\n\n"
                    "/* Numbers of ports. */\nenum {\n",
                    name, name, name);
    for (size_t i = 0; i < plan->process_count; i++)
        if (open_port(plan, i))
            dal_text_printf(text, "    %s_PORT_%s = %zu,\n", name, open_port(plan, i)->name, i);
    dal_text_add(text, "};\n\n");
    add_run_calls(text, name);
    status = add_ports_calls(text, plan, name);
    dal_text_add(text, "\n#ifdef __cplusplus\n}\n#endif\n#endif\n");
    return status;
}

static void emit_main(const struct dal_emit *emit, const char *name, struct dal_tree *tree)
{
    struct dal_text *text = dal_tree_add(tree, MAIN);
    dal__emit_banner(emit->plan, text, "The network as a program.");
    dal_text_printf(text,
                    "#include <net.h>\n\n"
                    "extern const struct dal_net %s_net;\n\n"
                    "int main(int argc, char **argv)\n"
                    "{\n"
                    "    return dal_main(&%s_net, argc, argv);\n"
                    "}\n",
                    name, name);
}

int dal__emit_library(const struct dal_emit *emit, struct dal_tree *tree)
{
    char *name = dal__emit_symbol(emit);
    int status = name ? DAL_OK : DAL_ERR_NOMEM;
    struct dal_text *text = dal_tree_add(tree, "%s.pc", emit->program);
    dal_text_printf(text,
                    "Name: %s\n"
                    "Description: process network, made by dalsynth\n"
                    "Version: 0\n"
                    "Requires: dal\n"
                    "Cflags: -I${pcfiledir}\n"
                    "Libs: -L${pcfiledir} -Wl,-rpath,${pcfiledir} -l%s\n",
                    emit->program, emit->program);
    if (!status)
        status = emit_header(emit, name, tree);
    if (!status)
        emit_main(emit, name, tree);
    dal_free(name);
    return status;
}

/* The units and tables become one object whose only name is that of the network. So libraries of
 * several networks may be in one program. */
void dal__emit_library_rules(const struct dal_emit *emit, struct dal_text *text, int is_cxx)
{
    char *name = dal__emit_symbol(emit);
    dal_text_printf(text,
                    "\nnet.main.o: net.main.c\n"
                    "\t$(compile) -Wpedantic -c -o $@ $<\n"
                    "\t@from=$$here && $(depend)\n"
                    "\nnet.library.o: $(objects)\n"
                    "\t$(LD) -r -d -o $@ $(objects)\n"
                    "\t$(OBJCOPY) --keep-global-symbol=%s_net $@\n"
                    "\nlib%s.a: net.library.o\n"
                    "\trm -f $@ && $(AR) rcs $@ $<\n"
                    "\nlib%s.so: net.library.o\n"
                    "\tcd \"$$SRCDIR\" && $(%s) -shared $(CFLAGS) $(LDFLAGS)%s -Wl,-soname,$@ "
                    "-o \"$$here\"/$@ \"$$here\"/$< $(libs) $(DAL_LIBS)\n",
                    name ? name : "", emit->program, emit->program, is_cxx ? "CXX" : "CC",
                    dal__emit_has_openmp(emit) ? " -fopenmp" : "");
    text->lost |= !name;
    dal_free(name);
}
