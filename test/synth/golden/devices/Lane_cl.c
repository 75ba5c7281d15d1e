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
        "#ifndef DAL_LOCAL_VARIABLE\n"
        "#define DAL_LOCAL_VARIABLE    __local\n"
        "#define DAL_CONSTANT_VARIABLE __constant\n"
        "#endif\n"
        "#pragma OPENCL FP_CONTRACT OFF\n"
        "#line 1 \"lane.cl\"\n"
        "#line 1 \"lane.h\"\n"
        "       \n"
        "\n"
        "\n"
        "int copy(int x)\n"
        "{\n"
        "    return x;\n"
        "}\n"
        "#line 2 \"lane.cl\"\n"
        "\n"
        "\n"
        "\n"
        "__kernel void other(__global int *x)\n"
        "{\n"
        "    x[0] = 0;\n"
        "}\n"
        "\n"
        "__kernel __attribute__((reqd_work_group_size(8, 1, 1))) void\n"
        "Lane(__global const volatile uchar *dal__base_in, ulong dal__offset_in, __global uchar *dal__base_out, ulong dal__offset_out\n"
        ")\n"
        "{ __global int *restrict out = (__global int *restrict )(dal__base_out + dal__offset_out); __global const volatile int *in = (__global const volatile int *)(dal__base_in + dal__offset_in);\n"
        "    size_t at = get_group_id(0) * (32 / 4) + get_local_id(0);\n"
        "\n"
        "    if (get_local_id(0) < (32 / 4))\n"
        "        out[at] = copy(in[at]);\n"
        "}\n",
    /* clang-format on */
    .options = "",
};
