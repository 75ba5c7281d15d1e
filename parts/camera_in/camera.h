/* The frames of a camera, by FFmpeg's libraries. */
#ifndef CAMERA_H
#define CAMERA_H

#include "../common/refusal.h"

#include <libavutil/frame.h>

struct AVFormatContext;
struct AVCodecContext;
struct AVPacket;

struct camera {
    struct AVFormatContext *device;
    struct AVCodecContext *codec;
    struct AVPacket *packet;
    AVFrame *frame;
    int64_t frames, damaged; /* that came, whole and not */
    char why[WHY_BYTES];     /* of the last call that failed */
};

/* What is wanted of it. */
struct camera_wish {
    const char *device, *coding; /* the latter "": its choice */
    int width, height, rate;
};

/* Opens it. Returns 0 or -1; what is opened is closed by the last function, in either case. */
int dal_part_open_camera(struct camera *c, const struct camera_wish *wish);

/* Waits for the next frame, in c->frame, for so long. Frames that are damaged are left out. Returns
 * 0, 1 if none has come, or -1. */
int dal_part_look(struct camera *c, long wait_ms);
void dal_part_close_camera(struct camera *c);

#endif
