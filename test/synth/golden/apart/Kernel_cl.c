/* Process Kernel: the text of Kernel.cl. Made by dalsynth from chain.xml, rack.xml and
 * apart.xml. */
#include <net.h>

extern const struct dal_kernel dal_kernel_Kernel;

const struct dal_kernel dal_kernel_Kernel = {
    .name = "dal__pass",
    .file = "pass.cl",
    /* clang-format off */
    .text = __extension__
        "/* Kernel of process Kernel, from pass.cl: the arguments are made a buffer and an offset a port. */\n"
        "#ifndef DAL_LOCAL_VARIABLE\n"
        "#define DAL_LOCAL_VARIABLE    __local\n"
        "#define DAL_CONSTANT_VARIABLE __constant\n"
        "#endif\n"
        "#pragma OPENCL FP_CONTRACT OFF\n"
        "#line 1 \"pass.cl\"\n"
        "kernel __attribute__((reqd_work_group_size(4, 1, 1))) void dal__pass(__global const uchar *dal__base_in, ulong dal__offset_in, __global uchar *dal__base_out, ulong dal__offset_out)\n"
        "{ global const int *in = (global const int *)(dal__base_in + dal__offset_in); global int *out = (global int *)(dal__base_out + dal__offset_out);\n"
        "    out[get_global_id(0)] = in[get_global_id(0)] + 1;\n"
        "}\n",
    /* clang-format on */
    .options = "",
};
