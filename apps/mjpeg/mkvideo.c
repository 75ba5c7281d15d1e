/*
 * mkvideo: makes a motion-JPEG video whose optical flow is known, always the same bytes.
 *
 * A window moves by whole pixels over a picture that has no end: noise of several sizes, or a given
 * JPEG, repeated in mirror images. mkvideo -h lists what can be asked for, damage among it.
 */
#include <errno.h>
#include <getopt.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>

#define MOST_DAMAGE 64

struct damage {
    char kind; /* t: cut to `value` bytes; h, q: without Huffman or quantisation tables;
                  s: made for another size; x: entropy bytes overwritten from `value` on */
    long frame;
    long value;
};

struct picture {
    int width, height; /* 0: noise */
    unsigned char *rgb;
};

struct video {
    int width, height;
    long frames;
    int quality;
    const char *sampling; /* 420, 422, 444, grey */
    int restart;          /* MCUs between restart markers, 0 = none */
    int optimize;         /* Huffman tables made for each frame */
    int dx, dy;           /* pixels the window moves from one frame to the next */
    struct damage damage[MOST_DAMAGE];
    int damages;
    struct picture picture;
    unsigned char *rgb; /* one frame */
};

static uint32_t hash(uint32_t x, uint32_t y, uint32_t seed)
{
    uint32_t h = x * 0x9e3779b1u ^ y * 0x85ebca77u ^ seed * 0xc2b2ae3du;

    h = (h ^ h >> 15) * 0x2c1b3c6du;
    h = (h ^ h >> 12) * 0x297a2d39u;
    return h ^ h >> 15;
}

/* Smooth noise 0..255 with knots every 1 << shift pixels. Coordinates must not be negative. */
static int noise(uint32_t x, uint32_t y, int shift, uint32_t seed)
{
    uint32_t kx = x >> shift, ky = y >> shift;
    int size = 1 << shift;
    int fx = (int)(x & (uint32_t)(size - 1)), fy = (int)(y & (uint32_t)(size - 1));
    int a = (int)(hash(kx, ky, seed) & 255), b = (int)(hash(kx + 1, ky, seed) & 255);
    int c = (int)(hash(kx, ky + 1, seed) & 255), d = (int)(hash(kx + 1, ky + 1, seed) & 255);
    int upper = a * (size - fx) + b * fx, lower = c * (size - fx) + d * fx;

    return (upper * (size - fy) + lower * fy) >> (2 * shift);
}

static void noise_pixel(uint32_t x, uint32_t y, unsigned char *rgb)
{
    int light = (4 * noise(x, y, 6, 1) + 3 * noise(x, y, 4, 2) + noise(x, y, 2, 3)) / 8;
    int warm = noise(x, y, 7, 4) / 4 - 32;

    light = 2 * light - 128;
    rgb[0] = (unsigned char)(light + warm < 0 ? 0 : light + warm > 255 ? 255 : light + warm);
    rgb[1] = (unsigned char)(light < 0 ? 0 : light > 255 ? 255 : light);
    rgb[2] = (unsigned char)(light - warm < 0 ? 0 : light - warm > 255 ? 255 : light - warm);
}

/* 0 .. size - 1 .. 0 .. and so on. */
static int mirror(uint32_t at, int size)
{
    int m = (int)(at % (2u * (uint32_t)size));

    return m < size ? m : 2 * size - 1 - m;
}

static void draw(struct video *v, long frame)
{
    uint32_t x0 = 0x100000u + (uint32_t)(frame * v->dx), y0 = 0x100000u + (uint32_t)(frame * v->dy);
    unsigned char *to = v->rgb;
    int x, y;

    for (y = 0; y < v->height; y++)
        for (x = 0; x < v->width; x++, to += 3) {
            const struct picture *p = &v->picture;
            uint32_t px = x0 + (uint32_t)x, py = y0 + (uint32_t)y;
            if (p->rgb)
                memcpy(to,
                       p->rgb + 3 * ((size_t)mirror(py - 0x100000u, p->height) * (size_t)p->width +
                                     (size_t)mirror(px - 0x100000u, p->width)),
                       3);
            else
                noise_pixel(px, py, to);
        }
}

static int has_damage(const struct video *v, char kind, long frame)
{
    int i;

    for (i = 0; i < v->damages; i++)
        if (v->damage[i].kind == kind && v->damage[i].frame == frame)
            return 1;
    return 0;
}

static void set_sampling(struct jpeg_compress_struct *info, const char *sampling)
{
    if (strcmp(sampling, "grey") == 0) {
        jpeg_set_colorspace(info, JCS_GRAYSCALE);
        return;
    }
    info->comp_info[0].h_samp_factor = sampling[1] == '2' ? 2 : 1;
    info->comp_info[0].v_samp_factor = sampling[2] == '0' ? 2 : 1;
}

/* Compresses v->rgb; the caller frees *jpeg. */
static void compress(const struct video *v, long frame, unsigned char **jpeg, unsigned long *bytes)
{
    struct jpeg_compress_struct info;
    struct jpeg_error_mgr errors;
    int i;

    info.err = jpeg_std_error(&errors);
    jpeg_create_compress(&info);
    jpeg_mem_dest(&info, jpeg, bytes);
    info.image_width = (JDIMENSION)v->width;
    info.image_height = (JDIMENSION)v->height - (has_damage(v, 's', frame) ? 8 : 0);
    info.input_components = 3;
    info.in_color_space = JCS_RGB;
    jpeg_set_defaults(&info);
    set_sampling(&info, v->sampling);
    jpeg_set_quality(&info, v->quality, TRUE);
    info.dct_method = JDCT_ISLOW;
    info.restart_interval = (unsigned)v->restart;
    info.optimize_coding = v->optimize && !has_damage(v, 'h', frame);
    if (has_damage(v, 'q', frame))
        jpeg_suppress_tables(&info, TRUE);
    jpeg_start_compress(&info, !has_damage(v, 'h', frame) && !has_damage(v, 'q', frame));
    if (has_damage(v, 'h', frame))
        for (i = 0; i < NUM_HUFF_TBLS; i++) {
            if (info.dc_huff_tbl_ptrs[i])
                info.dc_huff_tbl_ptrs[i]->sent_table = TRUE;
            if (info.ac_huff_tbl_ptrs[i])
                info.ac_huff_tbl_ptrs[i]->sent_table = TRUE;
        }
    while (info.next_scanline < info.image_height) {
        JSAMPROW row = v->rgb + (size_t)info.next_scanline * (size_t)v->width * 3;
        jpeg_write_scanlines(&info, &row, 1);
    }
    jpeg_finish_compress(&info);
    jpeg_destroy_compress(&info);
}

/* Cuts and overwrites. Returns the bytes that are left. */
static unsigned long spoil(const struct video *v, long frame, unsigned char *jpeg,
                           unsigned long bytes)
{
    int i;

    for (i = 0; i < v->damages; i++) {
        const struct damage *d = &v->damage[i];
        unsigned long at = (unsigned long)d->value;
        if (d->frame != frame || at >= bytes)
            continue;
        if (d->kind == 't')
            bytes = at;
        if (d->kind == 'x')
            memset(jpeg + at, 0x55, bytes - at < 64 ? bytes - at : 64);
    }
    return bytes;
}

static int write_frame(struct video *v, long frame, FILE *file)
{
    unsigned char *jpeg = NULL;
    unsigned long bytes = 0;
    size_t written;

    draw(v, frame);
    compress(v, frame, &jpeg, &bytes);
    bytes = spoil(v, frame, jpeg, bytes);
    written = fwrite(jpeg, 1, bytes, file);
    free(jpeg);
    return written == bytes ? 0 : -1;
}

/* Reads a JPEG; an error in it ends the program by libjpeg's own message. */
static int read_picture(struct picture *p, const char *name)
{
    struct jpeg_decompress_struct info;
    struct jpeg_error_mgr errors;
    FILE *file = fopen(name, "rb");

    if (!file) {
        fprintf(stderr, "mkvideo: %s: %s\n", name, strerror(errno));
        return -1;
    }
    info.err = jpeg_std_error(&errors);
    jpeg_create_decompress(&info);
    jpeg_stdio_src(&info, file);
    jpeg_read_header(&info, TRUE);
    info.out_color_space = JCS_RGB;
    info.dct_method = JDCT_ISLOW;
    jpeg_start_decompress(&info);
    p->width = (int)info.output_width;
    p->height = (int)info.output_height;
    p->rgb = malloc(3 * (size_t)p->width * (size_t)p->height);
    while (p->rgb && info.output_scanline < info.output_height) {
        JSAMPROW row = p->rgb + 3 * (size_t)p->width * info.output_scanline;
        jpeg_read_scanlines(&info, &row, 1);
    }
    jpeg_destroy_decompress(&info);
    fclose(file);
    return p->rgb ? 0 : -1;
}

static const char usage_text[] =
    "usage: mkvideo [options] VIDEO\n"
    "  -s WIDTHxHEIGHT  size of a frame (320x240)\n"
    "  -n FRAMES        how many (61)\n"
    "  -q QUALITY       1 to 100 (75)\n"
    "  -c SAMPLING      420, 422, 444 or grey (420)\n"
    "  -m DX,DY         pixels the window moves from frame to frame (1,0)\n"
    "  -p JPEG          a picture to move over, instead of noise\n"
    "  -r MCUS          a restart marker after so many MCUs\n"
    "  -O               Huffman tables made for each frame\n"
    "  -d KINDframe[:VALUE]   damage a frame, counted from 0; may be given often:\n"
    "                   t7:900 cut to 900 bytes, x7:900 64 bytes overwritten at 900,\n"
    "                   h7 no Huffman tables, q7 no tables at all, s7 eight rows less\n";

static int add_damage(struct video *v, const char *text)
{
    struct damage *d = &v->damage[v->damages];
    int fields;

    if (v->damages == MOST_DAMAGE)
        return -1;
    fields = sscanf(text, "%c%ld:%ld", &d->kind, &d->frame, &d->value);
    if (fields < 2 || !strchr("txhqs", d->kind) || (strchr("tx", d->kind) && fields < 3) ||
        d->frame < 0 || d->value < 0)
        return -1;
    v->damages++;
    return 0;
}

/* Returns 0, or -1 when the value is of no use. */
static int set_option(struct video *v, int option, const char *value)
{
    switch (option) {
    case 's':
        return sscanf(value, "%dx%d", &v->width, &v->height) == 2 && v->width >= 16 &&
                       v->height >= 16 && v->width <= 65500 && v->height <= 65500
                   ? 0
                   : -1;
    case 'n':
        v->frames = atol(value);
        return v->frames > 0 ? 0 : -1;
    case 'q':
        v->quality = atoi(value);
        return v->quality >= 1 && v->quality <= 100 ? 0 : -1;
    case 'c':
        v->sampling = value;
        return strstr("420 422 444 grey", value) && strlen(value) >= 3 ? 0 : -1;
    case 'm':
        return sscanf(value, "%d,%d", &v->dx, &v->dy) == 2 ? 0 : -1;
    case 'p':
        return read_picture(&v->picture, value);
    case 'r':
        v->restart = atoi(value);
        return v->restart >= 0 && v->restart <= 65535 ? 0 : -1;
    case 'O':
        v->optimize = 1;
        return 0;
    case 'd':
        return add_damage(v, value);
    default:
        return -1;
    }
}

static int write_video(struct video *v, const char *name)
{
    FILE *file = fopen(name, "wb");
    int status = file ? 0 : -1;
    long frame;

    v->rgb = malloc(3 * (size_t)v->width * (size_t)v->height);
    if (!v->rgb)
        status = -1;
    for (frame = 0; status == 0 && frame < v->frames; frame++)
        status = write_frame(v, frame, file);
    if (file && (ferror(file) | fclose(file)) != 0)
        status = -1;
    if (status != 0)
        fprintf(stderr, "mkvideo: %s: %s\n", name, strerror(errno));
    free(v->rgb);
    return status;
}

int main(int argc, char **argv)
{
    struct video v = {
        .width = 320, .height = 240, .frames = 61, .quality = 75, .sampling = "420", .dx = 1};
    int option, status = 0;

    while (status == 0 && (option = getopt(argc, argv, "s:n:q:c:m:p:r:Od:h")) != -1) {
        if (option == 'h') {
            fputs(usage_text, stdout);
            free(v.picture.rgb);
            return 0;
        }
        status = set_option(&v, option, optarg);
    }
    if (status != 0 || optind != argc - 1) {
        fputs(usage_text, stderr);
        status = 2;
    } else {
        status = write_video(&v, argv[optind]) == 0 ? 0 : 1;
    }
    free(v.picture.rgb);
    return status;
}
