/*
 * contact-sheet: a PNG to look at, made from what Screen dumps.
 *
 *     contact-sheet DUMP WIDTH HEIGHT OUT.png
 *
 * Up to twelve frames, evenly spread over the video: each decoded frame with its flow image below.
 * Large frames are made smaller. Flow is shown brighter than it is, as far as the brightest percent
 * of its pixels allows. Its colour is the direction, which is computed here from the decoded frame
 * and the one before, after Lucas and Kanade: red to the right, yellow-green down, cyan to the
 * left, violet up. Exit status: 0, or 1 after an error, or 2 for a wrong command line.
 *
 * The PNG (ISO/IEC 15948) is stored, not compressed, so that nothing but this file is needed.
 */
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define COLUMNS 4
#define ROWS    3
#define GAP     6     /* pixels between frames */
#define PAPER   0xff  /* grey between frames */
#define WIDEST  240   /* pixels of a frame on the sheet */
#define STORED  65535 /* most bytes in a stored block */
#define COLOURS 3     /* bytes of a pixel on the sheet */
#define RADIUS  3     /* of the window in which a direction is computed */

struct sheet {
    int width, height; /* of a frame */
    int scale;         /* frame pixels for one on the sheet, in each direction */
    int cell_w, cell_h;
    int sheet_w, sheet_h;
    long frames;           /* in the dump */
    int cells;             /* frames shown */
    unsigned char *frame;  /* one picture from the dump */
    unsigned char *pixels; /* the sheet: rows of a filter byte and pixels */
    float *now, *before;   /* a cell's frame and the one before, made smaller */
    float *hues;           /* of all cells: 0 to 6 */
    long counts[256];      /* of flow values shown */
};

struct png {
    FILE *file;
    uint32_t crc;
    uint32_t low, high; /* Adler-32 of the data */
};

static void put_bytes(struct png *p, const unsigned char *bytes, size_t count)
{
    size_t i;
    int bit;

    fwrite(bytes, 1, count, p->file);
    for (i = 0; i < count; i++)
        for (p->crc ^= bytes[i], bit = 0; bit < 8; bit++)
            p->crc = p->crc & 1 ? p->crc >> 1 ^ 0xedb88320u : p->crc >> 1;
}

static void put_number(struct png *p, uint32_t value)
{
    unsigned char bytes[4] = {(unsigned char)(value >> 24), (unsigned char)(value >> 16),
                              (unsigned char)(value >> 8), (unsigned char)value};
    put_bytes(p, bytes, sizeof(bytes));
}

static void begin_chunk(struct png *p, const char *type, uint32_t bytes)
{
    put_number(p, bytes);
    p->crc = 0xffffffffu;
    put_bytes(p, (const unsigned char *)type, 4);
}

static void end_chunk(struct png *p)
{
    put_number(p, ~p->crc);
}

static void put_block(struct png *p, const unsigned char *data, size_t count, int last)
{
    unsigned char head[5] = {(unsigned char)last, (unsigned char)count, (unsigned char)(count >> 8),
                             (unsigned char)~count, (unsigned char)(~count >> 8)};
    size_t i;

    put_bytes(p, head, sizeof(head));
    put_bytes(p, data, count);
    for (i = 0; i < count; i++) {
        p->low = (p->low + data[i]) % 65521;
        p->high = (p->high + p->low) % 65521;
    }
}

/* Rows of `width` pixels, each behind a filter byte of 0. */
static void write_png(FILE *file, const unsigned char *rows, int width, int height)
{
    static const unsigned char magic[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    static const unsigned char rgb[] = {8, 2, 0, 0, 0}; /* 8 bits, colours, nothing special */
    static const unsigned char zlib[] = {0x78, 0x01};
    struct png p = {.file = file, .low = 1};
    size_t count = (COLOURS * (size_t)width + 1) * (size_t)height, at;
    size_t blocks = (count + STORED - 1) / STORED;

    fwrite(magic, 1, sizeof(magic), file);
    begin_chunk(&p, "IHDR", 13);
    put_number(&p, (uint32_t)width);
    put_number(&p, (uint32_t)height);
    put_bytes(&p, rgb, sizeof(rgb));
    end_chunk(&p);
    begin_chunk(&p, "IDAT", (uint32_t)(2 + 5 * blocks + count + 4));
    put_bytes(&p, zlib, sizeof(zlib));
    for (at = 0; at < count; at += STORED)
        put_block(&p, rows + at, count - at < STORED ? count - at : STORED, count - at <= STORED);
    put_number(&p, p.high << 16 | p.low);
    end_chunk(&p);
    begin_chunk(&p, "IEND", 0);
    end_chunk(&p);
}

static size_t row_bytes(const struct sheet *s)
{
    return COLOURS * (size_t)s->sheet_w + 1;
}

static unsigned char *cell_row(const struct sheet *s, int cell, int flow, int y)
{
    int column = cell % COLUMNS, row = cell / COLUMNS;
    int left = GAP + column * (s->cell_w + GAP);
    int top = GAP + row * (2 * s->cell_h + 2 * GAP) + flow * (s->cell_h + GAP / 2);

    return s->pixels + (size_t)(top + y) * row_bytes(s) + 1 + COLOURS * left;
}

/* The mean of the pixels of s->frame that are one in its cell. */
static int mean(const struct sheet *s, int x, int y)
{
    int sum = 0, i, j;

    for (j = 0; j < s->scale; j++)
        for (i = 0; i < s->scale; i++)
            sum += s->frame[(size_t)(y * s->scale + j) * (size_t)s->width +
                            (size_t)(x * s->scale + i)];
    return sum / (s->scale * s->scale);
}

static void shrink(const struct sheet *s, float *to)
{
    int x, y;

    for (y = 0; y < s->cell_h; y++)
        for (x = 0; x < s->cell_w; x++)
            *to++ = (float)mean(s, x, y);
}

/* Puts s->frame on the sheet. */
static void place(struct sheet *s, int cell, int flow)
{
    int x, y;

    for (y = 0; y < s->cell_h; y++) {
        unsigned char *to = cell_row(s, cell, flow, y);
        for (x = 0; x < s->cell_w; x++, to += COLOURS) {
            int value = mean(s, x, y);
            memset(to, value, COLOURS);
            s->counts[value] += flow;
        }
    }
}

/* ---- directions ---------------------------------------------------------------------------------
 */

/* From 0 to 6 round the circle, of the motion at a pixel that is RADIUS + 1 or more from the
 * border. */
static float direction(const struct sheet *s, int x, int y)
{
    float a = 0, b = 0, c = 0, u = 0, v = 0, turn;
    int i, j;

    for (j = y - RADIUS; j <= y + RADIUS; j++)
        for (i = x - RADIUS; i <= x + RADIUS; i++) {
            const float *now = s->now + (size_t)j * (size_t)s->cell_w + i;
            float ix = now[1] - now[-1], iy = now[s->cell_w] - now[-s->cell_w];
            float it = *now - s->before[(size_t)j * (size_t)s->cell_w + (size_t)i];
            a += ix * ix;
            b += ix * iy;
            c += iy * iy;
            u += ix * it;
            v += iy * it;
        }
    turn = atan2f(b * u - a * v, b * v - c * u) * 3.0f / 3.14159265f;
    return turn < 0 ? turn + 6.0f : turn;
}

static void find_directions(struct sheet *s, int cell)
{
    float *hue = s->hues + (size_t)cell * (size_t)s->cell_w * (size_t)s->cell_h;
    int x, y, border = RADIUS + 1;

    for (y = border; y < s->cell_h - border; y++)
        for (x = border; x < s->cell_w - border; x++)
            hue[(size_t)y * (size_t)s->cell_w + (size_t)x] = direction(s, x, y);
}

/* How much of a colour, 0 red, 2 green, 4 blue, a hue has: from 0.15 to 1. */
static float share(float hue, float colour)
{
    float away = fabsf(hue - colour);
    float part = 2.0f - (away > 3.0f ? 6.0f - away : away);

    return 0.15f + 0.85f * (part < 0 ? 0 : part > 1 ? 1 : part);
}

/* The value that 99 of 100 flow pixels on the sheet do not exceed, at least 1. */
static int bright(const struct sheet *s)
{
    long all = 0, below = 0;
    int i;

    for (i = 0; i < 256; i++)
        all += s->counts[i];
    for (i = 0; i < 255 && (below += s->counts[i]) * 100 < all * 99; i++)
        ;
    return i > 0 ? i : 1;
}

/* Gives the flow of a cell its colours. */
static void colour_cell(struct sheet *s, int cell, int top)
{
    const float *hue = s->hues + (size_t)cell * (size_t)s->cell_w * (size_t)s->cell_h;
    int x, y, i;

    for (y = 0; y < s->cell_h; y++) {
        unsigned char *to = cell_row(s, cell, 1, y);
        for (x = 0; x < s->cell_w; x++, to += COLOURS, hue++) {
            int value = *to >= top ? 255 : *to * 255 / top;
            for (i = 0; i < COLOURS; i++)
                to[i] = (unsigned char)((float)value * share(*hue, 2.0f * (float)i));
        }
    }
}

static int make_sheet(struct sheet *s)
{
    int rows = (s->cells + COLUMNS - 1) / COLUMNS;
    size_t bytes, cell;

    s->scale = (s->width + WIDEST - 1) / WIDEST;
    s->cell_w = s->width / s->scale;
    s->cell_h = s->height / s->scale;
    s->sheet_w = GAP + COLUMNS * (s->cell_w + GAP);
    s->sheet_h = GAP + rows * (2 * s->cell_h + 2 * GAP);
    bytes = row_bytes(s) * (size_t)s->sheet_h;
    cell = (size_t)s->cell_w * (size_t)s->cell_h;
    s->now = malloc(cell * sizeof(float));
    s->before = malloc(cell * sizeof(float));
    s->hues = calloc((size_t)s->cells * cell, sizeof(float));
    s->frame = malloc((size_t)s->width * (size_t)s->height);
    s->pixels = malloc(bytes);
    if (!s->now || !s->before || !s->hues || !s->frame || !s->pixels)
        return -1;
    memset(s->pixels, PAPER, bytes);
    return 0;
}

/* Returns 0, or -1 when the dump holds no frame. */
static int count(struct sheet *s, FILE *dump)
{
    if (fseek(dump, 0, SEEK_END) != 0)
        return -1;
    s->frames = ftell(dump) / (2L * s->width * s->height);
    s->cells = (int)(s->frames < COLUMNS * ROWS ? s->frames : COLUMNS * ROWS);
    return s->cells > 0 ? 0 : -1;
}

/* Reads the decoded frame, or the flow, of a frame of the dump. Returns 0, or -1. */
static int read_frame(struct sheet *s, FILE *dump, long frame, int flow)
{
    size_t pixels = (size_t)s->width * (size_t)s->height;

    return fseek(dump, (2 * frame + flow) * (long)pixels, SEEK_SET) == 0 &&
                   fread(s->frame, 1, pixels, dump) == pixels
               ? 0
               : -1;
}

static int fill_cell(struct sheet *s, FILE *dump, int cell, long frame)
{
    if (read_frame(s, dump, frame > 0 ? frame - 1 : 0, 0) != 0)
        return -1;
    shrink(s, s->before);
    if (read_frame(s, dump, frame, 0) != 0)
        return -1;
    shrink(s, s->now);
    place(s, cell, 0);
    if (read_frame(s, dump, frame, 1) != 0)
        return -1;
    place(s, cell, 1);
    find_directions(s, cell);
    return 0;
}

/* Fills the sheet from the dump. Returns 0, or -1 when that cannot be read. */
static int fill(struct sheet *s, FILE *dump)
{
    int cell, top;

    for (cell = 0; cell < s->cells; cell++)
        if (fill_cell(s, dump, cell, s->cells > 1 ? cell * (s->frames - 1) / (s->cells - 1) : 0) !=
            0)
            return -1;
    top = bright(s);
    for (cell = 0; cell < s->cells; cell++)
        colour_cell(s, cell, top);
    return 0;
}

static int write_file(const struct sheet *s, const char *name)
{
    FILE *file = fopen(name, "wb");
    int row, failed;

    if (!file)
        return -1;
    for (row = 0; row < s->sheet_h; row++)
        s->pixels[(size_t)row * row_bytes(s)] = 0;
    write_png(file, s->pixels, s->sheet_w, s->sheet_h);
    failed = ferror(file);
    return fclose(file) != 0 || failed ? -1 : 0;
}

/* Beside its place first: a picture that is there stays until the new one is whole. */
static int write_sheet(const struct sheet *s, const char *name)
{
    struct stat info;
    size_t bytes = strlen(name) + sizeof(".tmp");
    char *beside = malloc(bytes);
    int special = lstat(name, &info) == 0 && !S_ISREG(info.st_mode), status, error;

    if (!beside)
        return -1;
    snprintf(beside, bytes, "%s.tmp", name);
    status = write_file(s, special ? name : beside);
    if (status == 0 && !special)
        status = rename(beside, name);
    if (status != 0 && !special) {
        error = errno;
        unlink(beside);
        errno = error;
    }
    free(beside);
    return status;
}

int main(int argc, char **argv)
{
    struct sheet s = {0};
    FILE *dump;
    int status = 1;

    if (argc != 5 || (s.width = atoi(argv[2])) < 1 || (s.height = atoi(argv[3])) < 1 ||
        s.width > 65500 || s.height > 65500) {
        fprintf(stderr, "usage: contact-sheet DUMP WIDTH HEIGHT OUT.png\n");
        return 2;
    }
    dump = fopen(argv[1], "rb");
    if (!dump)
        fprintf(stderr, "contact-sheet: %s: %s\n", argv[1], strerror(errno));
    else if (count(&s, dump) != 0)
        fprintf(stderr, "contact-sheet: %s: no frame of that size\n", argv[1]);
    else if (make_sheet(&s) != 0)
        fprintf(stderr, "contact-sheet: out of memory\n");
    else if (fill(&s, dump) != 0)
        fprintf(stderr, "contact-sheet: %s cannot be read\n", argv[1]);
    else if (write_sheet(&s, argv[4]) != 0)
        fprintf(stderr, "contact-sheet: %s: %s\n", argv[4], strerror(errno));
    else
        status = 0;
    if (dump)
        fclose(dump);
    free(s.now);
    free(s.before);
    free(s.hues);
    free(s.frame);
    free(s.pixels);
    return status;
}
