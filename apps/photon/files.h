/*
 * files.h: the files of the photon counter, in the byte order of the machine (little-endian ones).
 *
 * Each begins with a head of 32 bytes. Behind it are
 *
 *     frames       "dalframe": for each frame its number and its bunch, 8 bytes each, then 16
 *                  bits a pixel, row by row
 *     gains        "dalgains": three planes of doubles, ADU/keV
 *     calibration  "dalcalib": PLANES planes of floats, see photon.h
 *     image        "dalimage": a uint32 a pixel, the photons of all frames
 *     list         "dallists": clusters, each a struct file_cluster
 *     sums         "dalstack": for each sum a float a pixel, keV
 *     largest      "dalpeaks": for each frame a float, keV
 *     drift        "daldrift": a float a pixel, ADU
 *
 * Of dark frames, `dark` tells how many there are of each stage, one stage after the other; else it
 * is 0, 0, 0. The truth is a file of frames, too: photons, not words.
 */
#ifndef PHOTON_FILES_H
#define PHOTON_FILES_H

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

struct file_head {
    char magic[8];
    uint32_t width, height, frames, dark[3];
};

struct file_cluster {
    uint64_t frame;
    uint16_t y, x;
    float sum, peak; /* keV */
    uint32_t photons;
};

#define FRAME_HEAD_BYTES 16

/* Opens a file and reads its head. Returns it, or NULL with the reason in `why`. */
static inline FILE *file_open(const char *name, const char *magic, struct file_head *head,
                              char *why, size_t room)
{
    struct stat status;
    FILE *file = NULL;

    if (!name || !*name)
        snprintf(why, room, "no file of \"%s\" is named", magic);
    else if (stat(name, &status) != 0)
        snprintf(why, room, "%s: %s", name, strerror(errno));
    else if (!S_ISREG(status.st_mode))
        snprintf(why, room, "%s is not a file", name);
    else if (!(file = fopen(name, "rb")))
        snprintf(why, room, "%s: %s", name, strerror(errno));
    else if (fread(head, sizeof(*head), 1, file) == 1 && memcmp(head->magic, magic, 8) == 0)
        return file;
    else
        snprintf(why, room, "%s is no file of \"%s\"", name, magic);
    if (file)
        fclose(file);
    return NULL;
}

/* Is the file as large as its head says, with `each` bytes for each of `count` things? */
static inline int file_has(FILE *file, const char *name, uint64_t count, uint64_t each, char *why,
                           size_t room)
{
    struct stat status;
    uint64_t wanted = sizeof(struct file_head) + count * each;

    if (fstat(fileno(file), &status) == 0 && (uint64_t)status.st_size == wanted)
        return 1;
    snprintf(why, room, "%s has %lld bytes, not the %llu that its head says", name,
             (long long)status.st_size, (unsigned long long)wanted);
    return 0;
}

/* Has the head the size of the network's frames? */
static inline int file_fits(const struct file_head *head, const char *name, unsigned width,
                            unsigned height, char *why, size_t room)
{
    if (head->width == width && head->height == height)
        return 1;
    snprintf(why, room, "%s has %u x %u pixels, not %u x %u", name, head->width, head->height,
             width, height);
    return 0;
}

/* Creates a file of this sort; it may be written over only if that is one, too. NULL, and why. */
static inline FILE *file_create(const char *name, const struct file_head *head, char *why,
                                size_t room)
{
    struct stat status;
    struct file_head there;
    FILE *file = NULL;

    if (stat(name, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0) {
        file = file_open(name, head->magic, &there, why, room);
        if (!file) {
            snprintf(why, room, "%s is there and is no file of \"%.8s\": it is not written over",
                     name, head->magic);
            return NULL;
        }
        fclose(file);
    }
    file = fopen(name, "wb");
    if (!file || fwrite(head, sizeof(*head), 1, file) != 1) {
        snprintf(why, room, "%s: %s", name, strerror(errno));
        if (file)
            fclose(file);
        return NULL;
    }
    return file;
}

#endif
