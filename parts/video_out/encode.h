/* A video file, by FFmpeg's libraries. */
#ifndef ENCODE_H
#define ENCODE_H

#include "../common/refusal.h"

#include <libavutil/frame.h>

struct AVFormatContext;
struct AVCodecContext;
struct AVPacket;

struct encoder {
    int fd; /* belongs to the caller */
    struct AVFormatContext *container;
    struct AVCodecContext *codec;
    struct AVPacket *packet;
    AVFrame *frame; /* what is encoded next, in the format that the codec takes */
    int64_t frames;
    char why[WHY_BYTES]; /* of the last call that failed */
};

struct video {
    const char *name, *codec; /* the latter "" for the usual one */
    int width, height, rate;
    enum AVPixelFormat format; /* that the frames come in */
};

/* Begins a video. Returns 0 or -1; dal_part_drop_video() is called in either case. */
int dal_part_begin_video(struct encoder *e, int fd, const struct video *video);
/* Encodes e->frame. The caller has filled it in, after av_frame_make_writable(). */
int dal_part_add_frame(struct encoder *e);
/* Writes what is left. */
int dal_part_end_video(struct encoder *e);
void dal_part_drop_video(struct encoder *e);

#endif
