/* Emits the runtime's calls of OpenMP (include/net.h). Beside units of processes with threads, no
 * other generated file is compiled with it. */
#include "synth/codegen/emit/parts.h"

static const char body[] =
    "#include <net.h>\n"
    "#include <omp.h>\n"
    "\n"
    "/* The limit holds for all teams that the work makes, those within others too. libgomp "
    "counts\n"
    " * teams for the program as a whole, so what it counts here says nothing. */\n"
    "static void enter(int most, void (*work)(void *argument), void *argument)\n"
    "{\n"
    "    int begun = 0;\n"
    "#pragma omp teams num_teams(1) thread_limit(most) shared(begun, work, argument)\n"
    "    if (!begun) {\n"
    "        begun = 1;\n"
    "        work(argument);\n"
    "    }\n"
    "}\n"
    "\n"
    "static void set(int threads)\n"
    "{\n"
    "    omp_set_dynamic(0);\n"
    "    omp_set_num_threads(threads);\n"
    "}\n"
    "\n"
    "static void all(void (*call)(void *argument, int number), void *argument)\n"
    "{\n"
    "#pragma omp parallel\n"
    "    call(argument, omp_get_thread_num());\n"
    "}\n"
    "\n"
    "extern const struct dal_openmp dal_openmp;\n"
    "\n"
    "const struct dal_openmp dal_openmp = {.enter = enter, .set = set, .all = all};\n";

int dal__emit_has_openmp(const struct dal_emit *emit)
{
    const struct dal_plan *plan;
    for (size_t i = 0; (plan = dal_plan_peer(emit->plan, i)); i++)
        if (dal_plan_has_teams(plan))
            return 1;
    return 0;
}

void dal__emit_openmp(const struct dal_emit *emit, struct dal_tree *tree)
{
    struct dal_text *text;
    if (!dal__emit_has_openmp(emit))
        return;
    text = dal_tree_add(tree, DAL_EMIT_OPENMP ".c");
    dal__emit_banner(emit->plan, text, "What the runtime asks OpenMP for.");
    dal_text_add(text, body);
}
