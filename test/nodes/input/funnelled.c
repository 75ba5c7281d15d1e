/* An MPI that lets one thread alone call it: preloaded, in front of the real one. */
int PMPI_Init_thread(int *argc, char ***argv, int required, int *provided);
int MPI_Init_thread(int *argc, char ***argv, int required, int *provided);

int MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    int code = PMPI_Init_thread(argc, argv, required, provided);
    *provided -= *provided > 1 ? *provided - 1 : 0; /* MPI_THREAD_FUNNELED */
    return code;
}
