/*
 * whole_frames EXPECTED BYTES: is standard input whole frames of so many bytes, those of the file
 * EXPECTED again and again? Tells how many; 1 when it is not so, with the first that is wrong. A
 * frame's second half is the flow from the frame before it, so that of the first frame differs
 * from when it comes again: of later rounds it is compared with the second round's.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct clip {
    unsigned char *bytes;
    size_t frames, frame_bytes;
};

static int load(struct clip *clip, const char *name, size_t frame_bytes)
{
    FILE *file = fopen(name, "rb");
    long length;
    if (!file || fseek(file, 0, SEEK_END) || (length = ftell(file)) <= 0)
        return 0;
    rewind(file);
    clip->frame_bytes = frame_bytes;
    clip->frames = (size_t)length / frame_bytes;
    clip->bytes = malloc((size_t)length);
    return clip->bytes && fread(clip->bytes, 1, (size_t)length, file) == (size_t)length &&
           fclose(file) == 0;
}

/* The first frame has another one before it from the second round on: its flow is taken over. */
static int is_right(const struct clip *clip, size_t number, const unsigned char *frame)
{
    unsigned char *expected = clip->bytes + number % clip->frames * clip->frame_bytes;
    if (number == clip->frames)
        memcpy(expected + clip->frame_bytes / 2, frame + clip->frame_bytes / 2,
               clip->frame_bytes / 2);
    return memcmp(expected, frame, clip->frame_bytes) == 0;
}

int main(int argc, char **argv)
{
    struct clip clip = {0};
    size_t number = 0, length = 0;
    unsigned char *frame;
    if (argc != 3 || !load(&clip, argv[1], strtoul(argv[2], NULL, 10)))
        return 2;
    frame = malloc(clip.frame_bytes);
    if (!frame)
        return 2;
    while ((length = fread(frame, 1, clip.frame_bytes, stdin)) == clip.frame_bytes) {
        if (!is_right(&clip, number, frame)) {
            printf("frame %zu is another one\n", number);
            return 1;
        }
        number++;
    }
    printf(length ? "%zu frames and a part of one\n" : "%zu frames\n", number);
    free(frame);
    free(clip.bytes);
    return length > 0;
}
