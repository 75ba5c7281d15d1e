/* The frames of a video file, by FFmpeg's libraries. */
#ifndef DECODE_H
#define DECODE_H

#include "../common/refusal.h"

#include <libavutil/frame.h>
#include <stdint.h>

struct AVFormatContext;
struct AVCodecContext;
struct AVPacket;

struct decoder {
    int fd;         /* of an ordinary file */
    uint64_t bytes; /* its size */
    struct AVFormatContext *container;
    struct AVCodecContext *codec;
    struct AVPacket *packet;
    AVFrame *frame;
    int stream;                     /* index of the video */
    int is_at_end;                  /* the codec has got all packets */
    int64_t frames, packets;        /* of the video, so far; an edit list may leave frames out */
    int indexed;                    /* packets of the video that the file's index had at first */
    int64_t end;                    /* of the last packet in the file */
    double reached;                 /* s, where the last packet ends; 0: packets have no times */
    char why[WHY_BYTES];            /* of the last call that failed */
    char complaint[WHY_BYTES - 20]; /* of the container about damage; "": none */
};

/* Opens the video of a file. Takes the descriptor, also where it fails. Returns 0 or -1. What is
 * opened is closed by the last, in either case. */
int dal_part_open_video(struct decoder *d, int fd, uint64_t bytes);
/* Decodes the next frame into d->frame. Returns 1; 0 at the end of a whole file; -1. */
int dal_part_next_frame(struct decoder *d);
void dal_part_close_video(struct decoder *d);

/* Between the files of the part. */
int dal_part_open_container(struct decoder *d);
/* Has the container returned an error, or complained? Returns 0 or -1. */
int dal_part_check_container(struct decoder *d, int code);
void dal_part_close_container(struct decoder *d);

#endif
