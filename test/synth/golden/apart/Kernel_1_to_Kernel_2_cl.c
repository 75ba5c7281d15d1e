/* A group of processes: the text of Kernel_1_to_Kernel_2.cl. Made by dalsynth from chain.xml,
 * rack.xml and apart.xml. */
#include <net.h>

extern const struct dal_kernel dal_kernel_Kernel_1_to_Kernel_2;

const struct dal_kernel dal_kernel_Kernel_1_to_Kernel_2 = {
    .name = "dal__Kernel_1_to_Kernel_2",
    .file = "pass.cl",
    /* clang-format off */
    .text = __extension__
        "/* Kernel of a group: Kernel_1, Kernel_2, one after the other. */\n"
        "#ifndef DAL_LOCAL_VARIABLE\n"
        "#define DAL_LOCAL_VARIABLE    __local\n"
        "#define DAL_CONSTANT_VARIABLE __constant\n"
        "#endif\n"
        "static size_t dal__id(void) { return get_local_id(0); }\n"
        "static size_t dal__zero(uint n) { return 0; }\n"
        "static size_t dal__one(uint n) { return 1; }\n"
        "#define get_group_id dal__zero\n"
        "#define get_global_offset dal__zero\n"
        "#define get_num_groups dal__one\n"
        "#define get_global_id get_local_id\n"
        "#define get_global_linear_id dal__id\n"
        "#define get_local_linear_id dal__id\n"
        "\n"
        "/* Process Kernel. */\n"
        "static size_t dal__size_0(uint n) { return n == 0 ? 4 : 1; }\n"
        "#define get_local_size dal__size_0\n"
        "#define get_global_size dal__size_0\n"
        "#define get_enqueued_local_size dal__size_0\n"
        "#pragma OPENCL FP_CONTRACT OFF\n"
        "#define pass dal__0_pass\n"
        "#line 1 \"pass.cl\"\n"
        " __attribute__((always_inline)) static void pass(global const int *in, global int *out, ulong dal__at, int *dal__word_in, int *dal__word_out)\n"
        "{\n"
        "    (*dal__word_out) = (*dal__word_in) + 1;\n"
        "}\n"
        "\n"
        "__attribute__((always_inline)) static void dal__fire_0(__global void *dal__port_0, __global void *dal__port_1, ulong dal__at, int *dal__word_in, int *dal__word_out) { pass((global const int *)dal__port_0, (global int *)dal__port_1, dal__at, dal__word_in, dal__word_out); }\n"
        "#undef pass\n"
        "#undef get_local_size\n"
        "#undef get_global_size\n"
        "#undef get_enqueued_local_size\n"
        "\n"
        "#line 1 \"dal\"\n"
        "#undef get_group_id\n"
        "#undef get_global_offset\n"
        "#undef get_num_groups\n"
        "#undef get_global_id\n"
        "#undef get_global_linear_id\n"
        "#undef get_local_linear_id\n"
        "\n"
        "__kernel __attribute__((reqd_work_group_size(4, 1, 1))) void dal__Kernel_1_to_Kernel_2(\n"
        "    __global uchar *dal__base_0, ulong dal__offset_0, /* in of Kernel_1 */\n"
        "    __global uchar *dal__base_1, ulong dal__offset_1, /* out of Kernel_2 */\n"
        "    ulong dal__rounds, __global uchar *dal__scratch)\n"
        "{\n"
        "    const ulong dal__group = get_group_id(0);\n"
        "    __global uchar *const dal__slot = dal__scratch + dal__group * 0ul;\n"
        "    const ulong dal__groups = get_num_groups(0);\n"
        "    const ulong dal__end = dal__rounds * (dal__group + 1) / dal__groups;\n"
        "\n"
        "    for (ulong dal__at = dal__rounds * dal__group / dal__groups; dal__at < dal__end; dal__at++) {\n"
        "        for (ulong dal__i = dal__id(); dal__i < 4ul; dal__i += 4) {\n"
        "            int dal__word_1 = ((__global int *)(dal__base_0 + dal__offset_0 + dal__at * 16ul))[dal__i];\n"
        "            int dal__word_2;\n"
        "            dal__fire_0(0, 0, dal__i, &dal__word_1, &dal__word_2); /* Kernel_1 */\n"
        "            int dal__word_3;\n"
        "            dal__fire_0(0, 0, dal__i, &dal__word_2, &dal__word_3); /* Kernel_2 */\n"
        "            ((__global int *)(dal__base_1 + dal__offset_1 + dal__at * 16ul))[dal__i] = dal__word_3;\n"
        "        }\n"
        "        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n"
        "    }\n"
        "}\n",
    /* clang-format on */
    .options = "",
};
