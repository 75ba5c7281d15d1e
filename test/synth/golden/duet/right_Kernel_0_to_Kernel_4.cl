/* Kernel of a group: Kernel_0, Kernel_1, Kernel_2, Kernel_3, Kernel_4, one after the other. */
#ifndef DAL_LOCAL_VARIABLE
#define DAL_LOCAL_VARIABLE    __local
#define DAL_CONSTANT_VARIABLE __constant
#endif
static size_t dal__id(void) { return get_local_id(0); }
static size_t dal__zero(uint n) { return 0; }
static size_t dal__one(uint n) { return 1; }
#define get_group_id dal__zero
#define get_global_offset dal__zero
#define get_num_groups dal__one
#define get_global_id get_local_id
#define get_global_linear_id dal__id
#define get_local_linear_id dal__id

/* Process Kernel. */
static size_t dal__size_0(uint n) { return n == 0 ? 4 : 1; }
#define get_local_size dal__size_0
#define get_global_size dal__size_0
#define get_enqueued_local_size dal__size_0
#pragma OPENCL FP_CONTRACT OFF
#define pass dal__0_pass
#line 1 "pass.cl"
 __attribute__((always_inline)) static void pass(global const int *in, global int *out, ulong dal__at, int *dal__word_in, int *dal__word_out)
{
    (*dal__word_out) = (*dal__word_in) + 1;
}

__attribute__((always_inline)) static void dal__fire_0(__global void *dal__port_0, __global void *dal__port_1, ulong dal__at, int *dal__word_in, int *dal__word_out) { pass((global const int *)dal__port_0, (global int *)dal__port_1, dal__at, dal__word_in, dal__word_out); }
#undef pass
#undef get_local_size
#undef get_global_size
#undef get_enqueued_local_size

#line 1 "dal"
#undef get_group_id
#undef get_global_offset
#undef get_num_groups
#undef get_global_id
#undef get_global_linear_id
#undef get_local_linear_id

__kernel __attribute__((reqd_work_group_size(4, 1, 1))) void dal__right_Kernel_0_to_Kernel_4(
    __global uchar *dal__base_0, ulong dal__offset_0, /* in of Kernel_0 */
    __global uchar *dal__base_1, ulong dal__offset_1, /* out of Kernel_4 */
    ulong dal__rounds, __global uchar *dal__scratch)
{
    const ulong dal__group = get_group_id(0);
    __global uchar *const dal__slot = dal__scratch + dal__group * 0ul;
    const ulong dal__groups = get_num_groups(0);
    const ulong dal__end = dal__rounds * (dal__group + 1) / dal__groups;

    for (ulong dal__at = dal__rounds * dal__group / dal__groups; dal__at < dal__end; dal__at++) {
        for (ulong dal__i = dal__id(); dal__i < 4ul; dal__i += 4) {
            int dal__word_0 = ((__global int *)(dal__base_0 + dal__offset_0 + dal__at * 16ul))[dal__i];
            int dal__word_1;
            dal__fire_0(0, 0, dal__i, &dal__word_0, &dal__word_1); /* Kernel_0 */
            int dal__word_2;
            dal__fire_0(0, 0, dal__i, &dal__word_1, &dal__word_2); /* Kernel_1 */
            int dal__word_3;
            dal__fire_0(0, 0, dal__i, &dal__word_2, &dal__word_3); /* Kernel_2 */
            int dal__word_4;
            dal__fire_0(0, 0, dal__i, &dal__word_3, &dal__word_4); /* Kernel_3 */
            int dal__word_5;
            dal__fire_0(0, 0, dal__i, &dal__word_4, &dal__word_5); /* Kernel_4 */
            ((__global int *)(dal__base_1 + dal__offset_1 + dal__at * 16ul))[dal__i] = dal__word_5;
        }
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    }
}
