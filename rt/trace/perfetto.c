/*
 * Perfetto's trace: one sequence of packets in the wire format of protocol buffers. The numbers of
 * fields are those of its public definitions (Perfetto, Protocol Buffers).
 */
#include "rt/base/error.h"
#include "rt/trace/trace_file.h"

#include <string.h>

/* Numbers of fields of Trace, TracePacket, InternedData and the interned messages, TrackDescriptor,
 * ProcessDescriptor, ThreadDescriptor, TrackEvent, DebugAnnotation. */
enum {
    TRACE_PACKET = 1,
    PACKET_TIMESTAMP = 8,
    PACKET_SEQUENCE = 10,
    PACKET_EVENT = 11,
    PACKET_INTERNED = 12,
    PACKET_FLAGS = 13,
    PACKET_TRACK = 60,
    INTERNED_EVENT_NAMES = 2,
    INTERNED_ANNOTATION_NAMES = 3,
    NAME_IID = 1,
    NAME_TEXT = 2,
    TRACK_UUID = 1,
    TRACK_NAME = 2,
    TRACK_PROCESS = 3,
    TRACK_THREAD = 4,
    TRACK_PARENT = 5,
    PROCESS_PID = 1,
    PROCESS_NAME = 6,
    THREAD_PID = 1,
    THREAD_TID = 2,
    THREAD_NAME = 5,
    EVENT_ANNOTATIONS = 4,
    EVENT_TYPE = 9,
    EVENT_NAME_IID = 10,
    EVENT_TRACK = 11,
    ANNOTATION_NAME_IID = 1,
    ANNOTATION_UINT = 3,
    ANNOTATION_STRING = 6
};

enum { SLICE_BEGIN = 1, SLICE_END = 2, INSTANT = 3 };
enum { STATE_CLEARED = 1, NEEDS_STATE = 2 }; /* flags of a packet */
/* Names of annotations. */
enum { FIRINGS = 1, LOST, ABOUT, TOKENS, MADE, LATE, THROUGH, BYTES_MOVED, SPEED, ANNOTATIONS };
enum { VARINT = 0, BYTES = 2 };                  /* wire types */
enum { SEQUENCE = 1, ROOM = 256, LONGEST = 10 }; /* a varint's most bytes */

/* A small message, without texts. */
struct message {
    unsigned char bytes[ROOM];
    size_t count;
};

static size_t encode_varint(unsigned char *to, uint64_t value)
{
    size_t count = 0;
    for (; value > 127; value >>= 7)
        to[count++] = (unsigned char)(value | 128);
    to[count++] = (unsigned char)value;
    return count;
}

static void add_varint(struct message *message, uint64_t value)
{
    message->count += encode_varint(message->bytes + message->count, value);
}

static void add_number(struct message *message, int field, uint64_t value)
{
    add_varint(message, (uint64_t)field << 3 | VARINT);
    add_varint(message, value);
}

/* Adds a field's head; its content is written separately. */
static void add_head(struct message *message, int field, size_t bytes)
{
    add_varint(message, (uint64_t)field << 3 | BYTES);
    add_varint(message, bytes);
}

static void add_message(struct message *message, int field, const struct message *inner)
{
    add_head(message, field, inner->count);
    memcpy(message->bytes + message->count, inner->bytes, inner->count);
    message->count += inner->count;
}

enum { DEPTH = 3 }; /* of a packet with a text: the messages that the text is in */

/* Writes a packet that ends with a text of any length: within the last of these fields, from the
 * outside in. `before` is what each message has in front of the next one. */
static void write_packet(FILE *file, const int *fields, const struct message *before,
                         const char *text)
{
    struct message heads[DEPTH], packet = {{0}, 0};
    size_t bytes = strlen(text);
    for (int i = DEPTH - 1; i >= 0; i--) {
        heads[i] = before[i];
        add_head(&heads[i], fields[i], bytes);
        bytes += heads[i].count;
    }
    add_head(&packet, TRACE_PACKET, bytes);
    fwrite(packet.bytes, 1, packet.count, file);
    for (int i = 0; i < DEPTH; i++)
        fwrite(heads[i].bytes, 1, heads[i].count, file);
    fputs(text, file);
}

static void begin_packet(struct message *packet, int flags)
{
    add_number(packet, PACKET_SEQUENCE, SEQUENCE);
    add_number(packet, PACKET_FLAGS, (uint64_t)flags);
}

/* Writes a packet of numbers alone. */
static void write_small(FILE *file, const struct message *packet)
{
    struct message head = {{0}, 0};
    add_message(&head, TRACE_PACKET, packet);
    fwrite(head.bytes, 1, head.count, file);
}

/* ---- names ----------------------------------------------------------------------------------- */

static void write_interned(FILE *file, int table, uint64_t iid, const char *text)
{
    const int fields[DEPTH] = {PACKET_INTERNED, table, NAME_TEXT};
    struct message before[DEPTH] = {{{0}, 0}};
    begin_packet(&before[0], NEEDS_STATE);
    add_number(&before[2], NAME_IID, iid);
    write_packet(file, fields, before, text);
}

static void write_names(FILE *file, const struct dal_trace *trace)
{
    static const char *const annotations[] = {
        [FIRINGS] = "firings",    [LOST] = "lost",         [ABOUT] = "about",
        [TOKENS] = "tokens",      [MADE] = "tokens_out",   [LATE] = "late_ns",
        [THROUGH] = "through_ns", [BYTES_MOVED] = "bytes", [SPEED] = "bytes_per_s"};
    struct message first = {{0}, 0};
    begin_packet(&first, STATE_CLEARED);
    write_small(file, &first);
    for (uint32_t i = FIRINGS; i < ANNOTATIONS; i++)
        write_interned(file, INTERNED_ANNOTATION_NAMES, i, annotations[i]);
    for (uint32_t i = 0; i < trace->name_count; i++)
        write_interned(file, INTERNED_EVENT_NAMES, i + 1, trace->names[i]);
}

/* ---- tracks: those of processes have their numbers, lanes follow ----------------------------- */

static uint64_t lane_track(const struct dal_trace *trace, uint32_t lane)
{
    return (uint64_t)trace->process_count + 1 + lane;
}

static void write_process(FILE *file, const struct dal_trace_view *row)
{
    const int fields[DEPTH] = {PACKET_TRACK, TRACK_PROCESS, PROCESS_NAME};
    struct message before[DEPTH] = {{{0}, 0}};
    begin_packet(&before[0], NEEDS_STATE);
    add_number(&before[1], TRACK_UUID, (uint64_t)row->process);
    add_number(&before[2], PROCESS_PID, (uint64_t)row->process);
    write_packet(file, fields, before, row->node ? row->node : "network");
}

/* Writes the track of a lane, which has the name of its row. */
static void write_thread(FILE *file, const struct dal_trace *trace,
                         const struct dal_trace_view *row, uint32_t lane)
{
    const int fields[DEPTH] = {PACKET_TRACK, TRACK_THREAD, THREAD_NAME};
    uint64_t uuid = lane_track(trace, row->first_lane + lane);
    struct message before[DEPTH] = {{{0}, 0}};
    begin_packet(&before[0], NEEDS_STATE);
    add_number(&before[1], TRACK_UUID, uuid);
    add_number(&before[1], TRACK_PARENT, (uint64_t)row->process);
    add_number(&before[2], THREAD_PID, (uint64_t)row->process);
    add_number(&before[2], THREAD_TID, uuid);
    write_packet(file, fields, before, row->name);
}

/* ---- events ---------------------------------------------------------------------------------- */

static void annotate(struct message *event, int annotation, uint64_t value)
{
    struct message inner = {{0}, 0};
    add_number(&inner, ANNOTATION_NAME_IID, (uint64_t)annotation);
    add_number(&inner, ANNOTATION_UINT, value);
    add_message(event, EVENT_ANNOTATIONS, &inner);
}

/* Writes an event, with a number as its annotation unless that is 0. */
static void write_event(FILE *file, int64_t time_ns, struct message *event, int annotation,
                        uint64_t value)
{
    struct message packet = {{0}, 0};
    if (annotation)
        annotate(event, annotation, value);
    add_number(&packet, PACKET_TIMESTAMP, (uint64_t)time_ns);
    begin_packet(&packet, NEEDS_STATE);
    add_message(&packet, PACKET_EVENT, event);
    write_small(file, &packet);
}

static void begin_event(struct message *event, int type, uint64_t track)
{
    *event = (struct message){{0}, 0};
    add_number(event, EVENT_TYPE, (uint64_t)type);
    add_number(event, EVENT_TRACK, track);
}

/* Adds the annotations of firings. Their number comes last, with the packet. */
static void annotate_firings(struct message *event, const struct dal_trace_record *record)
{
    if (record->tokens)
        annotate(event, TOKENS, record->tokens);
    if (record->made)
        annotate(event, MADE, record->made);
    if (record->late_ns >= 0)
        annotate(event, LATE, (uint64_t)record->late_ns);
    if (record->through_ns >= 0)
        annotate(event, THROUGH, (uint64_t)record->through_ns);
}

static void write_row(FILE *file, const struct dal_trace *trace, const struct dal_trace_view *row)
{
    const char *at = row->records, *moves = dal__trace_moves(row);
    struct dal_trace_record record;
    struct message event;
    if (row->lost) {
        begin_event(&event, INSTANT, lane_track(trace, row->first_lane));
        write_event(file, 0, &event, LOST, row->lost);
    }
    for (uint64_t k = 0; k < row->count; k++) {
        uint64_t track;
        at = dal__trace_read(trace, at, &record);
        track = lane_track(trace, row->first_lane + record.lane);
        begin_event(&event, SLICE_BEGIN, track);
        add_number(&event, EVENT_NAME_IID, record.name + 1);
        if (moves)
            annotate(&event, SPEED, dal__trace_speed(&record));
        else
            annotate_firings(&event, &record);
        write_event(file, record.begin_ns, &event, moves ? BYTES_MOVED : FIRINGS, record.amount);
        begin_event(&event, SLICE_END, track);
        write_event(file, record.end_ns, &event, 0, 0);
    }
}

static void write_about(FILE *file, const char *about)
{
    const int fields[DEPTH] = {PACKET_EVENT, EVENT_ANNOTATIONS, ANNOTATION_STRING};
    struct message before[DEPTH] = {{{0}, 0}};
    add_number(&before[0], PACKET_TIMESTAMP, 0);
    begin_packet(&before[0], NEEDS_STATE);
    begin_event(&before[1], INSTANT, 1);
    add_number(&before[2], ANNOTATION_NAME_IID, ABOUT);
    write_packet(file, fields, before, about);
}

static int write_perfetto(FILE **files, const struct dal_trace *trace)
{
    FILE *file = files[0];
    write_names(file, trace);
    for (int i = 0; i < trace->row_count; i++) {
        const struct dal_trace_view *row = &trace->rows[i];
        if (i == 0 || row->process != row[-1].process)
            write_process(file, row);
        for (uint32_t lane = 0; lane < row->lane_count; lane++)
            write_thread(file, trace, row, lane);
    }
    if (trace->about)
        write_about(file, trace->about);
    for (int i = 0; i < trace->row_count; i++)
        write_row(file, trace, &trace->rows[i]);
    return DAL_OK;
}

const struct dal_trace_format dal__trace_perfetto = {.endings = {".pftrace", ".perfetto-trace"},
                                                     .write = write_perfetto};
