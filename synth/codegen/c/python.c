/* A source in Python: the unit in C that calls it, and what python3 says of it. */
#include "synth/codegen/c/token.h"
#include "synth/codegen/c/unit.h"

#include "rt/base/alloc.h"
#include "rt/base/child.h"
#include "rt/base/error.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const int64_t CHECK_NS = INT64_C(30000000000);

/* Calls the source (include/dal_python.h). */
static const char process[] = __extension__
#include "synth/codegen/c/process_py.inc"
    ;

/* Compiles a source as python3 does, and looks for a name 'fire' outside of functions and classes.
 * Prints "LINE:COLUMN:what is wrong". */
static const char check[] =
    "import ast, sys\n"
    "def names(nodes):\n"
    "    for n in nodes:\n"
    "        yield getattr(n, 'name', None) or getattr(n, 'asname', None) or getattr(n, 'id', '')\n"
    "        if not isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):\n"
    "            yield from names(ast.iter_child_nodes(n))\n"
    "try:\n"
    "    tree = ast.parse(open(sys.argv[1], 'rb').read(), sys.argv[1])\n"
    "    compile(tree, sys.argv[1], 'exec')\n"
    "    if {'fire', '*'}.isdisjoint(names(tree.body)):\n"
    "        sys.exit(print('1:0:it defines no function \\'fire(p)\\''))\n"
    "except SyntaxError as e:\n"
    "    print(e.lineno or 1, e.offset or 0, e.msg, sep=':')\n"
    "except ValueError as e:\n"
    "    print(1, 0, e, sep=':')\n";

int dal__python_stub(struct dal_text *text)
{
    dal_text_add(text, "struct _local_states {\n"
                       "    void *caller;\n"
                       "};\n"
                       "void dal_python_init(DALProcess *p) { (void)p; }\n"
                       "int dal_python_fire(DALProcess *p) { return p == NULL; }\n"
                       "void dal_python_finish(DALProcess *p) { (void)p; }\n");
    return text->lost ? DAL_ERR_NOMEM : DAL_OK;
}

/* Adds a constant with a text of many lines. */
static void add_lines(struct dal_text *text, const char *name, const char *lines)
{
    dal_text_printf(text, "static const char %s[] =", name);
    for (const char *end; *lines; lines = end) {
        char *line;
        end = lines + strcspn(lines, "\n");
        end += *end == '\n';
        line = dal_format("%.*s", (int)(end - lines), lines);
        dal_text_add(text, "\n    ");
        dal_text_add_literal(text, line ? line : "");
        text->lost |= !line;
        dal_free(line);
    }
    dal_text_add(text, ";\n");
}

/* Adds "(('in', False, 'f4', ()), )". */
static int add_ports(struct dal_text *text, const struct dal_plan *plan,
                     const struct dal_spec_process *of)
{
    char *folder = dal_plan_folder(plan);
    struct dal_text ports = {0};
    int status = folder ? DAL_OK : DAL_ERR_NOMEM;
    dal_text_add(&ports, "(");
    for (size_t i = 0; i < of->port_count && !status; i++) {
        dal_text_printf(&ports, "\n('%s', %s, ", of->ports[i].name,
                        of->ports[i].output ? "True" : "False");
        status = dal__token_numpy(&ports, of->ports[i].channel, folder);
        dal_text_add(&ports, "),");
    }
    dal_text_add(&ports, ")");
    dal_text_printf(text, "#define DAL_PYTHON_PORTS %zu\n", of->port_count);
    add_lines(text, "dal_python_ports", dal_text_get(&ports));
    text->lost |= ports.lost;
    dal_text_finish(&ports);
    dal_free(folder);
    return status ? status : text->lost ? DAL_ERR_NOMEM : DAL_OK;
}

/* Adds "(('weights', 'f4'), )". */
static void add_constants(struct dal_text *text, const struct dal_spec_process *of)
{
    struct dal_text constants = {0};
    dal_text_add(&constants, "(");
    for (size_t i = 0; i < of->constant_count; i++)
        dal_text_printf(&constants, "\n('%s', '%c%" PRIu64 "'),", of->constants[i].name,
                        of->constants[i].kind, of->constants[i].element_bytes);
    dal_text_add(&constants, ")");
    dal_text_printf(text, "#define DAL_PYTHON_CONSTANTS %zu\n", of->constant_count);
    add_lines(text, "dal_python_constants", dal_text_get(&constants));
    text->lost |= constants.lost;
    dal_text_finish(&constants);
}

static int check_source(struct dal_diags *diags, const struct dal_spec_source *source)
{
    const char *const argv[] = {"python3", "-c", check, source->path, NULL};
    struct dal_child child = {.argv = argv, .limit_ns = CHECK_NS};
    struct dal_spec_place place = {.file = dal_diag_file(diags, source->path)};
    char *said = NULL;
    int skip = 0, status = dal_child_is_there(argv[0]) > 0 ? dal_child_run(&child, &said) : 127;
    if (status == DAL_ERR_NOMEM || status == DAL_ERR_INTERRUPTED)
        return status;
    if (status == 0 && sscanf(said, "%d:%d:%n", &place.line, &place.column, &skip) == 2 && skip) {
        dal_error(diags, place, "python-source", "%.*s", (int)strcspn(said + skip, "\n"),
                  said + skip);
        dal_note(diags, source->place, "the source is named here");
        status = DAL_ERR_INVALID;
    } else /* the program tells at its start what is wrong */
        status = DAL_OK;
    dal_free(said);
    return status;
}

int dal__python_text(struct dal_diags *diags, const struct dal_plan *plan,
                     struct dal_plan_unit *unit)
{
    int status = check_source(diags, unit->source);
    if (!status)
        status = add_ports(&unit->text, plan, unit->process);
    add_constants(&unit->text, unit->process);
    add_lines(&unit->text, "dal_python_text", process);
    dal_text_add(&unit->text, "#include <dal_python.h>\n");
    return status ? status : unit->text.lost ? DAL_ERR_NOMEM : DAL_OK;
}
