/*
 * jpeg.h: decodes the luma of one JPEG after the other with libjpeg.
 *
 * Each image is decoded on its own: no table of an earlier image is used, so the result does not
 * depend on which decoder gets which image. An image without Huffman tables, as webcams send them,
 * is decoded with the standard ones (ISO/IEC 10918-1, annex K.3).
 */
#ifndef MJPEG_JPEG_H
#define MJPEG_JPEG_H

#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#if defined(__has_include)
#if !__has_include(<jpeglib.h>)
#error "JPEGs are decoded with libjpeg, which is missing (Debian package: libjpeg-dev)"
#endif
#endif
#include <jpeglib.h>

struct jpeg_decoder {
    struct jpeg_decompress_struct info;
    struct jpeg_error_mgr manager;
    jmp_buf failed;
    long frames;
    long damaged;     /* of them, frames that are not whole: what could be decoded was kept */
    long undecodable; /* of them, frames that are black: no JPEG, or one of another size */
};

static const JHUFF_TBL jpeg_standard_dc[2] = {
    {.bits = {0, 0, 1, 5, 1, 1, 1, 1, 1, 1}, .huffval = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}},
    {.bits = {0, 0, 3, 1, 1, 1, 1, 1, 1, 1, 1, 1},
     .huffval = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}},
};

static const JHUFF_TBL jpeg_standard_ac[2] = {
    {.bits = {0, 0, 2, 1, 3, 3, 2, 4, 3, 5, 5, 4, 4, 0, 0, 1, 0x7d},
     .huffval =
         {
             0x01, 0x02, 0x03, 0x00, 0x04, 0x11, 0x05, 0x12, 0x21, 0x31, 0x41, 0x06, 0x13, 0x51,
             0x61, 0x07, 0x22, 0x71, 0x14, 0x32, 0x81, 0x91, 0xa1, 0x08, 0x23, 0x42, 0xb1, 0xc1,
             0x15, 0x52, 0xd1, 0xf0, 0x24, 0x33, 0x62, 0x72, 0x82, 0x09, 0x0a, 0x16, 0x17, 0x18,
             0x19, 0x1a, 0x25, 0x26, 0x27, 0x28, 0x29, 0x2a, 0x34, 0x35, 0x36, 0x37, 0x38, 0x39,
             0x3a, 0x43, 0x44, 0x45, 0x46, 0x47, 0x48, 0x49, 0x4a, 0x53, 0x54, 0x55, 0x56, 0x57,
             0x58, 0x59, 0x5a, 0x63, 0x64, 0x65, 0x66, 0x67, 0x68, 0x69, 0x6a, 0x73, 0x74, 0x75,
             0x76, 0x77, 0x78, 0x79, 0x7a, 0x83, 0x84, 0x85, 0x86, 0x87, 0x88, 0x89, 0x8a, 0x92,
             0x93, 0x94, 0x95, 0x96, 0x97, 0x98, 0x99, 0x9a, 0xa2, 0xa3, 0xa4, 0xa5, 0xa6, 0xa7,
             0xa8, 0xa9, 0xaa, 0xb2, 0xb3, 0xb4, 0xb5, 0xb6, 0xb7, 0xb8, 0xb9, 0xba, 0xc2, 0xc3,
             0xc4, 0xc5, 0xc6, 0xc7, 0xc8, 0xc9, 0xca, 0xd2, 0xd3, 0xd4, 0xd5, 0xd6, 0xd7, 0xd8,
             0xd9, 0xda, 0xe1, 0xe2, 0xe3, 0xe4, 0xe5, 0xe6, 0xe7, 0xe8, 0xe9, 0xea, 0xf1, 0xf2,
             0xf3, 0xf4, 0xf5, 0xf6, 0xf7, 0xf8, 0xf9, 0xfa,
         }},
    {.bits = {0, 0, 2, 1, 2, 4, 4, 3, 4, 7, 5, 4, 4, 0, 1, 2, 0x77},
     .huffval =
         {
             0x00, 0x01, 0x02, 0x03, 0x11, 0x04, 0x05, 0x21, 0x31, 0x06, 0x12, 0x41, 0x51, 0x07,
             0x61, 0x71, 0x13, 0x22, 0x32, 0x81, 0x08, 0x14, 0x42, 0x91, 0xa1, 0xb1, 0xc1, 0x09,
             0x23, 0x33, 0x52, 0xf0, 0x15, 0x62, 0x72, 0xd1, 0x0a, 0x16, 0x24, 0x34, 0xe1, 0x25,
             0xf1, 0x17, 0x18, 0x19, 0x1a, 0x26, 0x27, 0x28, 0x29, 0x2a, 0x35, 0x36, 0x37, 0x38,
             0x39, 0x3a, 0x43, 0x44, 0x45, 0x46, 0x47, 0x48, 0x49, 0x4a, 0x53, 0x54, 0x55, 0x56,
             0x57, 0x58, 0x59, 0x5a, 0x63, 0x64, 0x65, 0x66, 0x67, 0x68, 0x69, 0x6a, 0x73, 0x74,
             0x75, 0x76, 0x77, 0x78, 0x79, 0x7a, 0x82, 0x83, 0x84, 0x85, 0x86, 0x87, 0x88, 0x89,
             0x8a, 0x92, 0x93, 0x94, 0x95, 0x96, 0x97, 0x98, 0x99, 0x9a, 0xa2, 0xa3, 0xa4, 0xa5,
             0xa6, 0xa7, 0xa8, 0xa9, 0xaa, 0xb2, 0xb3, 0xb4, 0xb5, 0xb6, 0xb7, 0xb8, 0xb9, 0xba,
             0xc2, 0xc3, 0xc4, 0xc5, 0xc6, 0xc7, 0xc8, 0xc9, 0xca, 0xd2, 0xd3, 0xd4, 0xd5, 0xd6,
             0xd7, 0xd8, 0xd9, 0xda, 0xe2, 0xe3, 0xe4, 0xe5, 0xe6, 0xe7, 0xe8, 0xe9, 0xea, 0xf2,
             0xf3, 0xf4, 0xf5, 0xf6, 0xf7, 0xf8, 0xf9, 0xfa,
         }},
};

static inline void jpeg_fail(j_common_ptr info)
{
    struct jpeg_decoder *d = info->client_data;
    longjmp(d->failed, 1);
}

/* Counts corrupt-data warnings; nothing is printed. */
static inline void jpeg_count(j_common_ptr info, int level)
{
    if (level < 0)
        info->err->num_warnings++;
}

static inline void jpeg_set_huffman(struct jpeg_decoder *d, JHUFF_TBL **slot,
                                    const JHUFF_TBL *table)
{
    if (!*slot)
        *slot = jpeg_alloc_huff_table((j_common_ptr)&d->info);
    **slot = *table;
}

/* Makes every table what it is when the image does not bring its own. */
static inline void jpeg_reset_tables(struct jpeg_decoder *d)
{
    int i;

    for (i = 0; i < NUM_QUANT_TBLS; i++)
        if (d->info.quant_tbl_ptrs[i])
            memset(d->info.quant_tbl_ptrs[i], 0, sizeof(JQUANT_TBL));
    for (i = 0; i < NUM_HUFF_TBLS; i++) {
        jpeg_set_huffman(d, &d->info.dc_huff_tbl_ptrs[i], &jpeg_standard_dc[i & 1]);
        jpeg_set_huffman(d, &d->info.ac_huff_tbl_ptrs[i], &jpeg_standard_ac[i & 1]);
    }
}

/* Quantisation tables come with the image; 0 is not allowed in one that came. */
static inline int jpeg_has_tables(const struct jpeg_decompress_struct *info)
{
    int i;

    for (i = 0; i < info->num_components; i++) {
        int k = info->comp_info[i].quant_tbl_no;
        if (k < 0 || k >= NUM_QUANT_TBLS || !info->quant_tbl_ptrs[k] ||
            info->quant_tbl_ptrs[k]->quantval[0] == 0)
            return 0;
    }
    return 1;
}

/* Returns 0, or -1 when there is no memory. */
static inline int jpeg_decoder_init(struct jpeg_decoder *d)
{
    memset(d, 0, sizeof(*d));
    d->info.err = jpeg_std_error(&d->manager);
    d->info.client_data = d;
    d->manager.error_exit = jpeg_fail;
    d->manager.emit_message = jpeg_count;
    if (setjmp(d->failed))
        return -1;
    jpeg_create_decompress(&d->info);
    return 0;
}

static inline void jpeg_decoder_finish(struct jpeg_decoder *d)
{
    jpeg_destroy_decompress(&d->info);
}

static inline void jpeg_read_rows(struct jpeg_decoder *d, unsigned char *out, int width)
{
    JSAMPROW rows[16];
    int i;

    while (d->info.output_scanline < d->info.output_height) {
        size_t y = d->info.output_scanline;
        int left = (int)(d->info.output_height - d->info.output_scanline);
        for (i = 0; i < 16; i++)
            rows[i] = out + (y + (size_t)(i < left ? i : left - 1)) * (size_t)width;
        jpeg_read_scanlines(&d->info, rows, (JDIMENSION)(left < 16 ? left : 16));
    }
}

/* Decodes up to where it fails. Returns 1 when it did not, 0 when it did or is no such image. */
static inline int jpeg_decode_rows(struct jpeg_decoder *d, const unsigned char *jpeg, size_t bytes,
                                   unsigned char *out, int width, int height)
{
    struct jpeg_decompress_struct *info = &d->info;

    if (setjmp(d->failed))
        return 0;
    jpeg_reset_tables(d);
    jpeg_mem_src(info, (unsigned char *)jpeg, bytes);
    jpeg_read_header(info, TRUE);
    if (info->image_width != (JDIMENSION)width || info->image_height != (JDIMENSION)height ||
        !jpeg_has_tables(info))
        return 0;
    info->out_color_space = JCS_GRAYSCALE;
    info->dct_method = JDCT_ISLOW;
    jpeg_start_decompress(info);
    jpeg_read_rows(d, out, width);
    jpeg_finish_decompress(info);
    return 1;
}

/*
 * Decodes `bytes` bytes into width * height grey bytes at `out`, all of which are written whatever
 * the image is: what is missing in a damaged image is what libjpeg makes of it, rows behind a fatal
 * error and images that cannot be decoded are black. Counts the frame.
 */
static inline void jpeg_decode(struct jpeg_decoder *d, const unsigned char *jpeg, size_t bytes,
                               unsigned char *out, int width, int height)
{
    int whole;
    size_t done;

    d->frames++;
    d->info.output_scanline = 0;
    whole = jpeg_decode_rows(d, jpeg, bytes, out, width, height);
    done = whole ? (size_t)height : d->info.output_scanline;
    if (done == 0)
        d->undecodable++;
    else if (!whole || d->manager.num_warnings > 0)
        d->damaged++;
    memset(out + done * (size_t)width, 0, ((size_t)height - done) * (size_t)width);
    jpeg_abort_decompress(&d->info);
}

#endif
