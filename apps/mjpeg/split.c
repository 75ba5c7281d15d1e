/*
 * Split: hands the frames of a motion-JPEG file to the decoders, one each in turn.
 *
 * One firing is one round: a packet for every decoder, empty ones when the stream ends within the
 * round. Parameters: input (the file), frames (most frames to send, 0 = all), loop (times the file
 * is played, 0 = for ever).
 */
#include "dal.h"
#include "frame.h"
#include "stream.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct _local_states {
    struct stream stream;
    void *map;
    int broken;  /* the file could not be opened */
    long frames; /* most frames to send, 0 = all */
    long loop;   /* passes over the file, 0 = no end */
    long passes; /* ended so far */
    long sent;
    long dropped; /* frames that do not fit into a packet */
};

static int open_input(LocalState s, const char *name)
{
    struct stat status;
    int file;

    errno = 0; /* and stays so when the file is empty */
    file = open(name, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return -1;
    if (fstat(file, &status) == 0 && status.st_size > 0) {
        s->stream.size = (size_t)status.st_size;
        s->map = mmap(NULL, s->stream.size, PROT_READ, MAP_PRIVATE, file, 0);
    } else {
        s->map = MAP_FAILED;
    }
    close(file);
    if (s->map == MAP_FAILED) {
        s->map = NULL;
        return -1;
    }
    madvise(s->map, s->stream.size, MADV_SEQUENTIAL);
    s->stream.data = s->map;
    return 0;
}

void Split_init(DALProcess *p)
{
    LocalState s = p->local;
    const char *input = DAL_getParameter("input", p);

    s->broken = DAL_getParameterInt("frames", &s->frames, p) != 0 ||
                DAL_getParameterInt("loop", &s->loop, p) != 0;
    if (!input || !*input) {
        DAL_fail(p, "no video: name a motion-JPEG file with -p Split.input=FILE");
        s->broken = 1;
    } else if (!s->broken && open_input(s, input) != 0) {
        DAL_fail(p, "%s: %s", input, errno ? strerror(errno) : "empty file");
        s->broken = 1;
    }
}

/* The next frame that fits into a packet: 1, or 0 when all have been sent. */
static int next_frame(LocalState s, const unsigned char **jpeg, size_t *bytes)
{
    if (s->frames > 0 && s->sent >= s->frames)
        return 0;
    for (;;) {
        while (stream_next(&s->stream, jpeg, bytes)) {
            if (*bytes <= TOKEN_out_SIZE - PACKET_HEADER) {
                s->sent++;
                return 1;
            }
            s->dropped++;
        }
        if (s->sent == 0 || s->passes + 1 == s->loop)
            return 0;
        s->passes++;
        s->stream.at = 0;
    }
}

static void send_packet(int decoder, const unsigned char *jpeg, size_t bytes, DALProcess *p)
{
    CREATEPORTVAR(port);
    unsigned char *packet;

    CREATEPORT(port, "out", 1, decoder, VAR_decoders);
    packet = DAL_write_begin(port, TOKEN_out_SIZE, TOKEN_out_RATE, TOKEN_out_RATE, 0, p);
    if (!packet)
        return;
    memcpy(packet_start(packet, bytes), jpeg, bytes);
    DAL_write_end(port, packet, p);
}

int Split_fire(DALProcess *p)
{
    LocalState s = p->local;
    const unsigned char *jpeg = NULL;
    size_t bytes = 0;
    int i, more;

    if (s->broken)
        return 1;
    more = next_frame(s, &jpeg, &bytes);
    if (!more) {
        if (s->sent == 0)
            DAL_fail(p, "%s: no JPEG image that fits", DAL_getParameter("input", p));
        return 1;
    }
    for (i = 0; i < VAR_decoders; i++) {
        if (i > 0 && more)
            more = next_frame(s, &jpeg, &bytes);
        send_packet(i, more ? jpeg : (const unsigned char *)"", more ? bytes : 0, p);
    }
    return 0;
}

void Split_finish(DALProcess *p)
{
    LocalState s = p->local;

    if (s->dropped > 0)
        fprintf(stderr,
                "Split: warning: %ld frames dropped, larger than %d bytes (-D compressed=N)\n",
                s->dropped, (int)(TOKEN_out_SIZE - PACKET_HEADER));
    if (s->map)
        munmap(s->map, s->stream.size);
}
