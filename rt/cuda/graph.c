#include "rt/cuda/graph.h"

#include "rt/base/alloc.h"

#include <stdlib.h>
#include <string.h>

/* A step that a run keeps; its arguments lie behind it. */
struct kept {
    struct dal_cuda_step step;
    CUfunction kernel;
    size_t bytes;   /* bytes of this and the arguments */
    unsigned count; /* of arguments */
};

/* A run that was seen; it has a graph when it was seen twice. */
struct seen {
    uint64_t digest;
    CUgraphExec graph;
    unsigned char *steps; /* the steps that the graph was made of */
    size_t bytes;
    unsigned long last; /* when it was last seen, counted in runs of this queue */
};

struct dal_cuda_run {
    unsigned char *steps; /* of DAL_CUDA_RUN_BYTES */
    size_t bytes;
    unsigned count;
    uint64_t digest;
    int makes_graphs;
    unsigned long number;
    struct seen seen[DAL_CUDA_RUNS];
};

static atomic_ulong made_graphs, launched_graphs;

unsigned long dal_cuda_graphs_launched(void)
{
    return atomic_load_explicit(&launched_graphs, memory_order_relaxed);
}

unsigned long dal_cuda_graphs_made(void)
{
    return atomic_load_explicit(&made_graphs, memory_order_relaxed);
}

static int is_wanted(const char *what)
{
    const char *wanted = getenv("DAL_CUDA_GRAPHS");
    return wanted && strcmp(wanted, what) == 0;
}

void dal__cuda_say_graphs(void)
{
    if (is_wanted("say"))
        dal_log(DAL_LOG_NOTE, "CUDA: %lu graphs were made, and launched %lu times",
                dal_cuda_graphs_made(), dal_cuda_graphs_launched());
}

/* ---- making and ending ------------------------------------------------------------------------
 */

int dal__cuda_run_new(struct dal_cuda_run **run)
{
    struct dal_cuda_run *made;
    *run = NULL;
    if (is_wanted("0"))
        return DAL_OK;
    made = dal_calloc(1, sizeof(*made));
    if (made)
        made->steps = dal_calloc(1, DAL_CUDA_RUN_BYTES);
    if (!made || !made->steps) {
        dal_free(made);
        return DAL_ERR_NOMEM;
    }
    made->makes_graphs = 1;
    *run = made;
    return DAL_OK;
}

static void forget_seen(struct seen *seen)
{
    if (seen->graph)
        DAL_CU_FREE(cuGraphExecDestroy, (seen->graph));
    dal_free(seen->steps);
    *seen = (struct seen){0};
}

void dal__cuda_run_free(struct dal_cuda_run *run)
{
    if (!run)
        return;
    for (int i = 0; i < DAL_CUDA_RUNS; i++)
        forget_seen(&run->seen[i]);
    dal_free(run->steps);
    dal_free(run);
}

/* ---- one by one -------------------------------------------------------------------------------
 */

static int issue_step(dal_commands commands, const struct dal_subject *subject,
                      const struct dal_cuda_step *step, CUfunction kernel, unsigned count,
                      unsigned char *values)
{
    void *arguments[DAL_CUDA_MOST_ARGUMENTS + 1];
    if (!step->function)
        return DAL_CU(subject, cuMemcpyDtoDAsync_v2,
                      (step->to, step->from, step->copied_bytes, commands->stream));
    for (unsigned i = 0; i < count; i++)
        arguments[i] = values + step->function->arguments[i].at;
    return DAL_CU(subject, cuLaunchKernel,
                  (kernel, step->grid[0], step->grid[1], step->grid[2], step->block[0],
                   step->block[1], step->block[2], 0, commands->stream, arguments, NULL));
}

static int issue_kept(dal_commands commands, const struct dal_subject *subject)
{
    struct dal_cuda_run *run = commands->run;
    int status = DAL_OK;
    for (size_t at = 0; status == DAL_OK && at < run->bytes;) {
        struct kept *kept = (struct kept *)(run->steps + at);
        status = issue_step(commands, subject, &kept->step, kept->kernel, kept->count,
                            (unsigned char *)(kept + 1));
        at += kept->bytes;
    }
    return status;
}

/* ---- graphs -----------------------------------------------------------------------------------
 */

static uint64_t mix(uint64_t digest, uint64_t word)
{
    return (digest ^ word) * 0x9e3779b97f4a7c15u;
}

/* Returns a digest of words of 8 bytes; all sizes are multiples of 8. A product spreads each word
 * over the bits above. There are two digests, each of every other word, since a product waits for
 * the one before. */
static uint64_t digest_of(uint64_t digest, const unsigned char *data, size_t bytes)
{
    uint64_t even = digest, odd = ~digest, words[2];
    size_t i = 0;
    for (; i + sizeof(words) <= bytes; i += sizeof(words)) {
        memcpy(words, data + i, sizeof(words));
        even = mix(even, words[0]);
        odd = mix(odd, words[1]);
        even ^= even >> 29;
        odd ^= odd >> 29;
    }
    if (i < bytes) {
        memcpy(words, data + i, sizeof(words[0]));
        even = mix(even, words[0]);
    }
    return mix(even ^ even >> 29, odd);
}

/* Captures the run. Returns DAL_ERR_UNSUPPORTED, with nothing logged, when no graph can be made. */
static int capture_run(dal_commands commands, const struct dal_subject *subject, CUgraph *graph)
{
    int status, code;
    *graph = NULL;
    if (DAL_CU_TRY(cuStreamBeginCapture_v2,
                   (commands->stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL)) != CUDA_SUCCESS)
        return DAL_ERR_UNSUPPORTED;
    status = issue_kept(commands, subject);
    code = dal_cuda_driver()->cuStreamEndCapture(commands->stream, graph);
    if (status == DAL_OK && code != CUDA_SUCCESS)
        status = DAL_ERR_UNSUPPORTED;
    return status;
}

static int make_graph(dal_commands commands, const struct dal_subject *subject, CUgraphExec *made)
{
    CUgraph graph;
    int status = capture_run(commands, subject, &graph);
    *made = NULL;
    if (status == DAL_OK &&
        DAL_CU_TRY(cuGraphInstantiateWithFlags, (made, graph, 0)) != CUDA_SUCCESS) {
        *made = NULL;
        status = DAL_ERR_UNSUPPORTED;
    }
    if (graph)
        DAL_CU_FREE(cuGraphDestroy, (graph));
    return status;
}

/* Returns the place of a run: that of an equal digest, or else the oldest one, emptied. */
static struct seen *find_seen(struct dal_cuda_run *run)
{
    struct seen *oldest = &run->seen[0];
    for (int i = 0; i < DAL_CUDA_RUNS; i++) {
        struct seen *seen = &run->seen[i];
        if (seen->last && seen->digest == run->digest)
            return seen;
        if (seen->last < oldest->last)
            oldest = seen;
    }
    forget_seen(oldest);
    return oldest;
}

static int launch_graph(dal_commands commands, const struct dal_subject *subject,
                        const struct seen *seen)
{
    int status = DAL_CU(subject, cuGraphLaunch, (seen->graph, commands->stream));
    if (status == DAL_OK)
        atomic_fetch_add_explicit(&launched_graphs, 1, memory_order_relaxed);
    return status;
}

/* Makes a graph of a run that is seen a second time. */
static int remember_graph(dal_commands commands, const struct dal_subject *subject,
                          struct seen *seen)
{
    struct dal_cuda_run *run = commands->run;
    unsigned char *steps = dal_alloc(run->bytes);
    int status = steps ? make_graph(commands, subject, &seen->graph) : DAL_ERR_UNSUPPORTED;
    if (status < 0) {
        dal_free(steps);
        run->makes_graphs = 0;
        return status == DAL_ERR_UNSUPPORTED ? issue_kept(commands, subject) : status;
    }
    memcpy(steps, run->steps, run->bytes);
    seen->steps = steps;
    seen->bytes = run->bytes;
    atomic_fetch_add_explicit(&made_graphs, 1, memory_order_relaxed);
    return launch_graph(commands, subject, seen);
}

static int issue_run(dal_commands commands, const struct dal_subject *subject)
{
    struct dal_cuda_run *run = commands->run;
    struct seen *seen;
    int known;
    if (run->count < DAL_CUDA_RUN_LEAST || !run->makes_graphs)
        return issue_kept(commands, subject);
    seen = find_seen(run);
    known = seen->last != 0;
    seen->digest = run->digest;
    seen->last = ++run->number;
    if (!known)
        return issue_kept(commands, subject);
    if (!seen->graph)
        return remember_graph(commands, subject, seen);
    if (seen->bytes == run->bytes && memcmp(seen->steps, run->steps, run->bytes) == 0)
        return launch_graph(commands, subject, seen);
    return issue_kept(commands, subject);
}

static void empty_run(struct dal_cuda_run *run)
{
    run->bytes = 0;
    run->count = 0;
    run->digest = 0;
}

int dal__cuda_run_issue(dal_commands commands, const struct dal_subject *subject)
{
    int status = DAL_OK;
    if (commands->run && commands->run->count > 0) {
        status = issue_run(commands, subject);
        empty_run(commands->run);
    }
    return status;
}

void dal__cuda_run_issue_quietly(dal_commands commands, const struct dal_subject *nobody)
{
    if (commands->run && commands->run->count > 0) {
        issue_kept(commands, nobody);
        empty_run(commands->run);
    }
}

/* ---- steps ------------------------------------------------------------------------------------
 */

/* Keeps a step. All of its bytes are set, since steps are compared by their bytes. */
static void keep_step(struct dal_cuda_run *run, const struct dal_cuda_step *step, size_t bytes)
{
    struct kept *kept = (struct kept *)(run->steps + run->bytes);
    memset(kept, 0, sizeof(*kept));
    kept->step.function = step->function;
    memcpy(kept->step.grid, step->grid, sizeof(step->grid));
    memcpy(kept->step.block, step->block, sizeof(step->block));
    kept->step.to = step->to;
    kept->step.from = step->from;
    kept->step.copied_bytes = step->copied_bytes;
    kept->bytes = bytes;
    if (step->function) {
        kept->kernel = step->function->function;
        kept->count = step->function->count;
        memcpy(kept + 1, step->function->values, step->function->used_bytes);
    }
    run->digest = digest_of(run->digest, run->steps + run->bytes, bytes);
    run->bytes += bytes;
    run->count++;
}

int dal__cuda_run_add(dal_commands commands, const struct dal_subject *subject,
                      const struct dal_cuda_step *step)
{
    struct dal_cuda_run *run = commands->run;
    size_t bytes = sizeof(struct kept) + (step->function ? step->function->used_bytes : 0);
    int status = DAL_OK;
    if (!run)
        return step->function ? issue_step(commands, subject, step, step->function->function,
                                           step->function->count, step->function->values)
                              : issue_step(commands, subject, step, NULL, 0, NULL);
    if (run->bytes + bytes > DAL_CUDA_RUN_BYTES)
        status = dal__cuda_run_issue(commands, subject);
    if (status == DAL_OK)
        keep_step(run, step, bytes);
    return status;
}
