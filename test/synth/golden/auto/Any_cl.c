/* Process Any: the text of Any.cl. Made by dalsynth from wide.xml, hall.xml and auto.xml. */
#include <net.h>

extern const struct dal_kernel dal_kernel_Any;

const struct dal_kernel dal_kernel_Any = {
    .name = "Any",
    .file = "any.cl",
    /* clang-format off */
    .text = __extension__
        "/* Kernel of process Any, from any.cl: the arguments are made a buffer and an offset a port. */\n"
        "#ifndef DAL_LOCAL_VARIABLE\n"
        "#define DAL_LOCAL_VARIABLE    __local\n"
        "#define DAL_CONSTANT_VARIABLE __constant\n"
        "#endif\n"
        "#pragma OPENCL FP_CONTRACT OFF\n"
        "#line 1 \"any.cl\"\n"
        "kernel __attribute__((reqd_work_group_size(4, 1, 1))) void Any(__global const uchar *dal__base_in, ulong dal__offset_in, __global uchar *dal__base_out, ulong dal__offset_out)\n"
        "{ global const int *in = (global const int *)(dal__base_in + dal__offset_in); global int *out = (global int *)(dal__base_out + dal__offset_out);\n"
        "    size_t token = get_group_id(0), i;\n"
        "\n"
        "    for (i = get_local_id(0); i < 4; i += get_local_size(0))\n"
        "        out[4 * token + i] = in[4 * token + i] + 1;\n"
        "}\n",
    /* clang-format on */
    .options = "",
};
