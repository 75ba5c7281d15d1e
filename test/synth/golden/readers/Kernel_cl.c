/* Process Kernel: the text of Kernel.cl. Made by dalsynth from fan.xml, rack.xml and
 * readers.xml. */
#include <net.h>

extern const struct dal_kernel dal_kernel_Kernel;

const struct dal_kernel dal_kernel_Kernel = {
    .name = "pass",
    .file = "pass.cl",
    /* clang-format off */
    .text = __extension__
        "/* Kernel of process Kernel, from pass.cl: the arguments are made a buffer and an offset a port. */\n"
        "#define TOKEN_in_SIZE  16\n"
        "#define TOKEN_in_RATE  1\n"
        "#define BLOCK_in_SIZE  1\n"
        "#define BLOCK_in_COUNT 1\n"
        "\n"
        "#define TOKEN_out_SIZE  16\n"
        "#define TOKEN_out_RATE  1\n"
        "#define BLOCK_out_SIZE  1\n"
        "#define BLOCK_out_COUNT 1\n"
        "\n"
        "#define VAR_kernels 4\n"
        "\n"
        "#pragma OPENCL FP_CONTRACT OFF\n"
        "#line 1 \"pass.cl\"\n"
        "kernel __attribute__((reqd_work_group_size(4, 1, 1))) void pass(__global const uchar *dal_base_in, ulong dal_offset_in, __global uchar *dal_base_out, ulong dal_offset_out)\n"
        "{ global const int *in = (global const int *)(dal_base_in + dal_offset_in); global int *out = (global int *)(dal_base_out + dal_offset_out);\n"
        "    out[get_global_id(0)] = in[get_global_id(0)] + 1;\n"
        "}\n",
    /* clang-format on */
    .options = "",
};
