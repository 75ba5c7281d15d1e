/* Captures, and the graphs that they make: commands and what each comes after. */
#include "test/cuda/standin/standin.h"

#include <stdlib.h>
#include <string.h>

static _Thread_local unsigned captures; /* that this thread has begun */

int standin_refuses(const char *call)
{
    if (captures)
        standin_misuse("%s in a capture", call);
    return captures > 0;
}

void standin_forget_tail(struct standin_tail *tail)
{
    free(tail->nodes);
    *tail = (struct standin_tail){.graph = NULL};
}

static void add_number(unsigned **numbers, unsigned *count, unsigned number)
{
    for (unsigned i = 0; i < *count; i++)
        if ((*numbers)[i] == number)
            return;
    *numbers = realloc(*numbers, (*count + 1) * sizeof(**numbers));
    if (!*numbers)
        abort();
    (*numbers)[(*count)++] = number;
}

void standin_join(struct standin_tail *tail, const struct standin_tail *other)
{
    tail->graph = other->graph;
    for (unsigned i = 0; i < other->count; i++)
        add_number(&tail->nodes, &tail->count, other->nodes[i]);
}

void standin_capture(struct standin_stream *stream, struct standin_command *command)
{
    struct standin_graph *graph = stream->tail.graph;
    graph->nodes = realloc(graph->nodes, (graph->count + 1) * sizeof(graph->nodes[0]));
    if (!graph->nodes)
        abort();
    graph->nodes[graph->count] = (struct standin_node){
        .command = command, .before = stream->tail.nodes, .count = stream->tail.count};
    stream->tail = (struct standin_tail){.graph = graph};
    add_number(&stream->tail.nodes, &stream->tail.count, graph->count++);
}

int cuStreamBeginCapture_v2(CUstream handle, int mode)
{
    int result = standin_enter();
    struct standin_stream *stream = standin_get(STANDIN_STREAM, handle);
    if (!stream)
        result = CUDA_ERROR_INVALID_HANDLE;
    else if (stream->tail.graph || mode < 0 || mode > 2)
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS) {
        stream->tail.graph =
            standin_new(STANDIN_GRAPH, stream->object.device, sizeof(struct standin_graph));
        stream->origin = 1;
        captures++;
    }
    return standin_leave(result, __func__, "stream=%d", stream ? (int)stream->object.number : -1);
}

/* Whether each node comes before one at the end of the stream that the capture began with. */
static int joined(const struct standin_graph *graph, const struct standin_tail *tail)
{
    unsigned char *reached = calloc(graph->count + 1, 1);
    int all = 1;
    for (unsigned i = 0; i < tail->count; i++)
        reached[tail->nodes[i]] = 1;
    for (unsigned n = graph->count; n-- > 0;) {
        all &= reached[n];
        for (unsigned i = 0; reached[n] && i < graph->nodes[n].count; i++)
            reached[graph->nodes[n].before[i]] = 1;
    }
    free(reached);
    return all;
}

static void end_graph(struct standin_graph *graph)
{
    for (unsigned n = 0; n < graph->count; n++) {
        standin_unref(graph->nodes[n].command);
        free(graph->nodes[n].before);
    }
    free(graph->nodes);
    graph->nodes = NULL;
    graph->count = 0;
    standin_kill(graph);
}

/* Streams and events that took part do so no longer. */
static void end_capture(struct standin_graph *graph)
{
    struct standin_stream *stream;
    struct standin_event *event;
    for (unsigned n = 0; (stream = standin_at(STANDIN_STREAM, n)); n++)
        if (stream->tail.graph == graph) {
            standin_forget_tail(&stream->tail);
            stream->origin = 0;
        }
    for (unsigned n = 0; (event = standin_at(STANDIN_EVENT, n)); n++)
        if (event->tail.graph == graph)
            standin_forget_tail(&event->tail);
    captures--;
}

int cuStreamEndCapture(CUstream handle, CUgraph *graph_handle)
{
    int result = standin_enter();
    struct standin_stream *stream = standin_get(STANDIN_STREAM, handle);
    struct standin_graph *graph = stream ? stream->tail.graph : NULL;
    *graph_handle = NULL;
    if (!stream) {
        result = CUDA_ERROR_INVALID_HANDLE;
    } else if (!graph || !stream->origin) {
        result = graph ? CUDA_ERROR_STREAM_CAPTURE_UNMATCHED : CUDA_ERROR_INVALID_VALUE;
        graph = NULL;
    } else {
        if (result == CUDA_SUCCESS && !joined(graph, &stream->tail)) {
            standin_misuse("a capture ends with a stream that has not joined it");
            result = CUDA_ERROR_STREAM_CAPTURE_UNJOINED;
        }
        end_capture(graph);
        if (result == CUDA_SUCCESS)
            *graph_handle = standin_handle(graph);
        else
            end_graph(graph);
    }
    return standin_leave(result, __func__, "stream=%d nodes=%u",
                         stream ? (int)stream->object.number : -1, graph ? graph->count : 0);
}

int cuGraphInstantiateWithFlags(CUgraphExec *handle, CUgraph graph_handle, unsigned long long flags)
{
    int result = standin_enter();
    struct standin_graph *graph = standin_get(STANDIN_GRAPH, graph_handle);
    struct standin_executable *made = NULL;
    *handle = NULL;
    if (!graph)
        result = CUDA_ERROR_INVALID_HANDLE;
    if (result == CUDA_SUCCESS) {
        made = standin_new(STANDIN_EXECUTABLE, graph->object.device, sizeof(*made));
        made->nodes = calloc(graph->count + 1, sizeof(made->nodes[0]));
        made->count = graph->count;
        made->users = 1;
        for (unsigned n = 0; n < graph->count; n++) {
            const struct standin_node *from = &graph->nodes[n];
            made->nodes[n].command = from->command;
            from->command->users++;
            for (unsigned i = 0; i < from->count; i++)
                add_number(&made->nodes[n].before, &made->nodes[n].count, from->before[i]);
        }
        *handle = standin_handle(made);
    }
    return standin_leave(result, __func__, "flags=%llu nodes=%u executable=%d", flags,
                         made ? made->count : 0, made ? (int)made->object.number : -1);
}

int cuGraphDestroy(CUgraph handle)
{
    int result = standin_enter();
    struct standin_graph *graph = standin_get(STANDIN_GRAPH, handle);
    if (graph)
        end_graph(graph);
    else
        result = CUDA_ERROR_INVALID_HANDLE;
    return standin_leave(result, __func__, "graph=%d", graph ? (int)graph->object.number : -1);
}

void standin_unref_executable(struct standin_executable *executable)
{
    if (!executable || --executable->users > 0)
        return;
    for (unsigned n = 0; n < executable->count; n++) {
        standin_unref(executable->nodes[n].command);
        free(executable->nodes[n].before);
    }
    free(executable->nodes);
    executable->nodes = NULL;
    executable->count = 0;
}

int cuGraphExecDestroy(CUgraphExec handle)
{
    int result = standin_enter();
    struct standin_executable *executable = standin_get(STANDIN_EXECUTABLE, handle);
    if (executable) {
        standin_kill(executable);
        standin_unref_executable(executable);
    } else {
        result = CUDA_ERROR_INVALID_HANDLE;
    }
    return standin_leave(result, __func__, "executable=%d",
                         executable ? (int)executable->object.number : -1);
}

int cuGraphLaunch(CUgraphExec handle, CUstream stream_handle)
{
    int result = standin_enter();
    struct standin_executable *executable = standin_get(STANDIN_EXECUTABLE, handle);
    struct standin_stream *stream = standin_get(STANDIN_STREAM, stream_handle);
    struct standin_command *command;
    if (!executable || !stream)
        result = CUDA_ERROR_INVALID_HANDLE;
    else if (result == CUDA_SUCCESS && stream->tail.graph)
        result = CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
    if (result == CUDA_SUCCESS) {
        command = standin_command(ACTION_GRAPH);
        command->executable = executable;
        executable->users++;
        standin_enqueue(stream, command);
    }
    return standin_leave(result, __func__, "executable=%d stream=%d",
                         executable ? (int)executable->object.number : -1,
                         stream ? (int)stream->object.number : -1);
}

static int node_is_ready(const struct standin_node *node, const unsigned char *done)
{
    for (unsigned i = 0; i < node->count; i++)
        if (!done[node->before[i]])
            return 0;
    return 1;
}

void standin_run_graph(struct standin_executable *executable)
{
    unsigned char *done = calloc(executable->count + 1, 1);
    for (unsigned left = executable->count; left > 0; left--) {
        unsigned seen = 0, chosen = 0;
        for (unsigned n = 0; n < executable->count; n++)
            if (!done[n] && node_is_ready(&executable->nodes[n], done) && standin_draw(++seen) == 0)
                chosen = n;
        standin_do(executable->nodes[chosen].command);
        done[chosen] = 1;
    }
    free(done);
}
