/* The state is found here too. */
struct _local_states {
    int row;
};
