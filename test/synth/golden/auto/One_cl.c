/* Process One: the text of One.cl. Made by dalsynth from wide.xml, hall.xml and auto.xml. */
#include <net.h>

extern const struct dal_kernel dal_kernel_One;

const struct dal_kernel dal_kernel_One = {
    .name = "One",
    .file = "one.cl",
    /* clang-format off */
    .text = __extension__
        "/* Kernel of process One, from one.cl: the arguments are made a buffer and an offset a port. */\n"
        "#ifndef DAL_LOCAL_VARIABLE\n"
        "#define DAL_LOCAL_VARIABLE    __local\n"
        "#define DAL_CONSTANT_VARIABLE __constant\n"
        "#endif\n"
        "#pragma OPENCL FP_CONTRACT OFF\n"
        "#line 1 \"one.cl\"\n"
        "kernel __attribute__((reqd_work_group_size(1, 1, 1))) void One(__global const uchar *dal__base_in, ulong dal__offset_in, __global uchar *dal__base_out, ulong dal__offset_out)\n"
        "{ global const int *in = (global const int *)(dal__base_in + dal__offset_in); global int *out = (global int *)(dal__base_out + dal__offset_out);\n"
        "    size_t i;\n"
        "\n"
        "    for (i = 0; i < 8; i++)\n"
        "        out[8 * get_group_id(0) + i] = in[8 * get_group_id(0) + i] + 1;\n"
        "}\n",
    /* clang-format on */
    .options = "",
};
