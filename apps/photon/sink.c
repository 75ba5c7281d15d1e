/*
 * Sink: adds up the image, writes it and the list of clusters, and says how many there were.
 *
 * Parameters: image and list, names of files (files.h), empty for none; each is written over if it
 * is one of its sort. The clusters of a block come strip by strip, and are written frame by frame,
 * in the order of their rows and columns.
 */
#include "dal.h"
#include "files.h"
#include "photon.h"
#include "rate.h"

#include <stdlib.h>

#define WORDS (TOKEN_clusters_SIZE / 4)

struct found {
    struct file_cluster *clusters;
    size_t count, room;
};

struct _local_states {
    FILE *image, *list; /* NULL: none wanted */
    uint32_t *photons;  /* of each pixel */
    struct found found[VAR_frames];
    uint64_t strips; /* of frames */
    uint64_t clusters, lost, invalid;
    int broken;
    double start; /* s */
};

static FILE *create(DALProcess *p, const char *parameter, const char *magic)
{
    const char *name = DAL_getParameter(parameter, p);
    struct file_head head = {.width = VAR_width, .height = VAR_height};
    char why[300];
    FILE *file;

    memcpy(head.magic, magic, sizeof(head.magic));
    if (!name || !*name || p->local->broken)
        return NULL;
    file = file_create(name, &head, why, sizeof(why));
    if (!file) {
        DAL_fail(p, "%s", why);
        p->local->broken = 1;
    }
    return file;
}

void Sink_init(DALProcess *p)
{
    LocalState s = p->local;

    s->start = seconds();
    s->photons = calloc((size_t)VAR_width * VAR_height, sizeof(*s->photons));
    if (!s->photons) {
        DAL_fail(p, "out of memory");
        s->broken = 1;
    }
    s->image = create(p, "image", "dalimage");
    s->list = create(p, "list", "dallists");
}

static void add_counts(LocalState s, const uint32_t *counts)
{
    uint32_t *to = s->photons + (size_t)counts[HEAD_STRIP] * PIXELS;
    int i;

    for (i = 0; i < PIXELS; i++)
        to[i] += counts[HEAD_WORDS + i];
    for (i = 0; i < VAR_rows; i++)
        s->invalid += counts[HEAD_WORDS + PIXELS + i];
}

/* Keeps a row's clusters until the frame is whole. Returns 0, or -1 without memory. */
static int keep_row(struct found *found, const uint32_t *head, const uint32_t *list, uint32_t count)
{
    uint32_t i;

    if (found->count + count > found->room) {
        size_t room = 2 * (found->count + count);
        void *more = realloc(found->clusters, room * sizeof(*found->clusters));
        if (!more)
            return -1;
        found->clusters = more;
        found->room = room;
    }
    for (i = 0; i < count; i++, list += CLUSTER_WORDS) {
        struct file_cluster *c = &found->clusters[found->count++];
        memset(c, 0, sizeof(*c));
        c->frame = (uint64_t)head[HEAD_HIGH] << 32 | head[HEAD_LOW];
        c->y = (uint16_t)(list[0] >> 16);
        c->x = (uint16_t)list[0];
        memcpy(&c->sum, list + 1, sizeof(c->sum));
        memcpy(&c->peak, list + 2, sizeof(c->peak));
        c->photons = c->sum > 0 ? (uint32_t)((c->sum + 0.5f * PHOTON) * (1.0f / PHOTON)) : 0;
    }
    return 0;
}

/* The clusters of a strip of one frame. */
static int keep_strip(LocalState s, struct found *found, const uint32_t *token)
{
    const uint32_t *list = token + HEAD_WORDS;
    int y;

    if (token[HEAD_KIND] != KIND_FRAME)
        return 0;
    s->strips++;
    for (y = 0; y < VAR_rows; y++, list += LIST_WORDS) {
        uint32_t count = list[0] < VAR_clusters ? list[0] : VAR_clusters;
        s->clusters += count;
        s->lost += list[0] - count;
        if (s->list && keep_row(found, token, list + 4, count) != 0)
            return -1;
    }
    return 0;
}

/* The block is whole. */
static int write_list(LocalState s)
{
    int f, failed = 0;

    for (f = 0; f < VAR_frames; f++) {
        struct found *found = &s->found[f];
        if (found->count > 0)
            failed |= fwrite(found->clusters, sizeof(*found->clusters), found->count, s->list) !=
                      found->count;
        found->count = 0;
    }
    return failed ? -1 : 0;
}

int Sink_fire(DALProcess *p)
{
    LocalState s = p->local;
    uint32_t *counts, *clusters;
    int f, failed = 0;

    if (s->broken)
        return 1;
    counts = DAL_read_begin(PORT_counts, TOKEN_counts_SIZE, 1, p);
    clusters = DAL_read_begin(PORT_clusters, TOKEN_clusters_SIZE, TOKEN_clusters_RATE, p);
    if (!counts || !clusters)
        return 1;
    add_counts(s, counts);
    for (f = 0; f < VAR_frames; f++)
        failed |= keep_strip(s, &s->found[f], clusters + (size_t)f * WORDS);
    if (s->list && counts[HEAD_STRIP] == STRIPS - 1)
        failed |= write_list(s);
    DAL_read_end(PORT_counts, counts, p);
    DAL_read_end(PORT_clusters, clusters, p);
    if (failed)
        DAL_fail(p, "the list of clusters cannot be written: %s", strerror(errno));
    s->broken = failed != 0;
    return failed != 0;
}

/* Returns the sum of the image. */
static uint64_t write_image(DALProcess *p)
{
    LocalState s = p->local;
    size_t i, pixels = (size_t)VAR_width * VAR_height;
    uint64_t sum = 0;

    for (i = 0; s->photons && i < pixels; i++)
        sum += s->photons[i];
    if (s->image && fwrite(s->photons, sizeof(*s->photons), pixels, s->image) != pixels)
        s->broken = 2;
    return sum;
}

void Sink_finish(DALProcess *p)
{
    LocalState s = p->local;
    double time = seconds() - s->start, frames = (double)s->strips / STRIPS;
    uint64_t photons = write_image(p);
    int f;

    if (s->image && fclose(s->image) != 0)
        s->broken = 2;
    if (s->list && fclose(s->list) != 0)
        s->broken = 2;
    if (s->broken == 2)
        DAL_fail(p, "a file cannot be written to its end");
    fprintf(stderr, "%llu photons, %llu clusters (%llu more had no room), %llu invalid words\n",
            (unsigned long long)photons, (unsigned long long)s->clusters,
            (unsigned long long)s->lost, (unsigned long long)s->invalid);
    tell_rate(frames, time);
    for (f = 0; f < VAR_frames; f++)
        free(s->found[f].clusters);
    free(s->photons);
}
