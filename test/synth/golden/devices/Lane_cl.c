/* Process Lane: the text of Lane.cl. Made by dalsynth from shop.xml, machine.xml and
 * devices.xml. */
#include <net.h>

extern const struct dal_kernel dal_kernel_Lane;

const struct dal_kernel dal_kernel_Lane = {
    .name = "Lane",
    .file = "lane.cl",
    /* clang-format off */
    .text = __extension__
        "/* Kernel of process Lane, from lane.cl: the arguments are made a buffer and an offset a port. */\n"
        "#define TOKEN_in_SIZE  32\n"
        "#define TOKEN_in_RATE  1\n"
        "#define BLOCK_in_SIZE  1\n"
        "#define BLOCK_in_COUNT 1\n"
        "\n"
        "#define TOKEN_out_SIZE  32\n"
        "#define TOKEN_out_RATE  1\n"
        "#define BLOCK_out_SIZE  1\n"
        "#define BLOCK_out_COUNT 1\n"
        "\n"
        "#define VAR_lanes 2\n"
        "#define VAR_row   8\n"
        "#define VAR_shift (-3)\n"
        "\n"
        "#pragma OPENCL FP_CONTRACT OFF\n"
        "#line 1 \"lane.cl\"\n"
        "#line 1 \"lane.h\"\n"
        "\n"
        "#define WORDS (TOKEN_in_SIZE / 4)\n"
        "\n"
        "int copy(int x)\n"
        "{\n"
        "    return x;\n"
        "}\n"
        "#line 2 \"lane.cl\"\n"
        "\n"
        "\n"
        "/* Not a kernel: __kernel void Lane(__global int *in) { } */\n"
        "__kernel void other(__global int *x)\n"
        "{\n"
        "    x[0] = 0;\n"
        "}\n"
        "\n"
        "__kernel __attribute__((reqd_work_group_size(8, 1, 1))) void\n"
        "Lane(__global const volatile uchar *dal_base_in, ulong dal_offset_in, __global uchar *dal_base_out, ulong dal_offset_out\n"
        ")\n"
        "{ __global const volatile int *in = (__global const volatile int *)(dal_base_in + dal_offset_in); __global int * restrict out = (__global int *)(dal_base_out + dal_offset_out);\n"
        "    size_t at = get_group_id(0) * WORDS + get_local_id(0);\n"
        "\n"
        "    if (get_local_id(0) < WORDS)\n"
        "        out[at] = copy(in[at]); // \"?\?/\" and \\ stay as they are\n"
        "}\n",
    /* clang-format on */
    .options = "",
};
