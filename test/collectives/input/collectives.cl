/* All collectives of type T and operation OP, which is add as _add; both have been made in front. */
#pragma OPENCL FP_CONTRACT OFF

#define NAMES(form, T, OP)   form##OP##_##T
#define NAME_OF(form, T, OP) NAMES(form, T, OP)
#define NAME(form)           NAME_OF(form, T, OP)
#define MOVES(form, T)       form##_##T
#define MOVE_OF(form, T)     MOVES(form, T)
#define MOVE(form)           MOVE_OF(form, T)

/* A row of the group's size for each form of one value. */
__kernel __attribute__((reqd_work_group_size(DAL_GROUP_ITEMS, 1, 1))) void
groups(__global const T *in, __global T *out, T init)
{
    const size_t item = get_local_id(0);
    const T x = in[item];
    __global T *row = out + item;
    DAL_SCRATCH(s);

    row[0 * DAL_GROUP_ITEMS] = NAME(dal_group_reduce)(x, s);
    row[1 * DAL_GROUP_ITEMS] = NAME(dal_group_inclusive_scan)(x, s);
    row[2 * DAL_GROUP_ITEMS] = NAME(dal_group_exclusive_scan)(x, init, s);
    row[3 * DAL_GROUP_ITEMS] = NAME(dal_sub_reduce)(x, s);
    row[4 * DAL_GROUP_ITEMS] = NAME(dal_sub_inclusive_scan)(x, s);
    row[5 * DAL_GROUP_ITEMS] = NAME(dal_sub_exclusive_scan)(x, init, s);
    row[6 * DAL_GROUP_ITEMS] = MOVE(dal_group_broadcast)(x, DAL_GROUP_ITEMS / 2, s);
    row[7 * DAL_GROUP_ITEMS] = MOVE(dal_sub_broadcast)(x, 5, s);
    row[8 * DAL_GROUP_ITEMS] = MOVE(dal_group_shift)(x, 3, init, s);
    row[9 * DAL_GROUP_ITEMS] = MOVE(dal_sub_shift)(x, -2, init, s);
    row[10 * DAL_GROUP_ITEMS] = NUMBER(dal_group_any_of(item == 70, s));
    row[11 * DAL_GROUP_ITEMS] = NUMBER(dal_group_all_of(item != 70, s));
    row[12 * DAL_GROUP_ITEMS] = NUMBER(dal_group_none_of(item == 70, s));
    row[13 * DAL_GROUP_ITEMS] = NUMBER(dal_sub_any_of(item == 40, s));
    row[14 * DAL_GROUP_ITEMS] = NUMBER(dal_sub_all_of(item != 40, s));
    row[15 * DAL_GROUP_ITEMS] = NUMBER(dal_sub_none_of(item == 40, s));
}

/* The scans of a range, and one of them once more in place; then what each work-item knows of sums. */
__kernel __attribute__((reqd_work_group_size(DAL_GROUP_ITEMS, 1, 1))) void
joint(__global const T *in, __global T *out, T init, ulong n)
{
    const size_t item = get_local_id(0);
    __global T *sums = out + 3 * n + item;
    DAL_SCRATCH(s);

    NAME(dal_joint_inclusive_scan)(in, out, n, s);
    NAME(dal_joint_exclusive_scan)(in, out + n, n, init, s);
    for (size_t i = item; i < n; i += DAL_GROUP_ITEMS)
        out[2 * n + i] = in[i];
    NAME(dal_joint_exclusive_scan)(out + 2 * n, out + 2 * n, n, init, s);
    sums[0] = NAME(dal_joint_reduce)(in, n, init, s);
    sums[DAL_GROUP_ITEMS] = NAME(dal_joint_reduce_any_order)(in, n, init, s);
    sums[2 * DAL_GROUP_ITEMS] = NAME(dal_joint_reduce)(out + 2 * n, n, init, s);
}

/* Of the first values, from none of them to all 67: any, all and none. */
__kernel __attribute__((reqd_work_group_size(DAL_GROUP_ITEMS, 1, 1))) void
votes(__global const int *in, __global int *out, int init)
{
    __global int *to = out + get_local_id(0);
    DAL_SCRATCH(s);

    for (size_t n = 0; n <= 67; n++, to += 3 * DAL_GROUP_ITEMS) {
        to[0 * DAL_GROUP_ITEMS] = dal_joint_any_of_is_marked_int(in, n, s);
        to[1 * DAL_GROUP_ITEMS] = dal_joint_all_of_is_marked_int(in, n, s);
        to[2 * DAL_GROUP_ITEMS] = dal_joint_none_of_is_marked_int(in, n, s);
    }
}
