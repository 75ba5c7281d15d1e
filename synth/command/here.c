#include "synth/command/here.h"

#include "rt/base/cores.h"
#include "rt/base/error.h"

static void add_processor(struct dal_text *text, int core)
{
    dal_text_printf(text,
                    "  <processor name=\"core_%d\" type=\"RISC\">\n"
                    "    <capability name=\"POSIX\" identifier=\"%d\"/>\n"
                    "  </processor>\n",
                    core, core);
}

int dal_here_write(struct dal_text *architecture, struct dal_text *mapping)
{
    static const char declaration[] = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
    struct dal_cores cores;
    int status = dal_cores_init(&cores);
    if (status)
        return status;
    dal_text_printf(architecture, "%s<architecture name=\"here\">\n", declaration);
    for (size_t i = 0; i < cores.count; i++)
        add_processor(architecture, cores.numbers[i]);
    dal_text_add(architecture, "</architecture>\n");
    dal_cores_finish(&cores);
    dal_text_printf(mapping,
                    "%s<mapping name=\"cores\">\n"
                    "  <binding name=\"all\">\n"
                    "    <process name=\"*\"/>\n"
                    "    <processor name=\"core_*\"/>\n"
                    "  </binding>\n"
                    "</mapping>\n",
                    declaration);
    return DAL_OK;
}
