/*
 * Dec: decodes the luma of a JPEG, straight into the channel's memory.
 *
 * Damaged frames keep what could be decoded, others become black; both are counted.
 */
#include "dal.h"
#include "frame.h"
#include "jpeg.h"

struct _local_states {
    struct jpeg_decoder decoder;
    int broken;
};

void Dec_init(DALProcess *p)
{
    p->local->broken = jpeg_decoder_init(&p->local->decoder) != 0;
    if (p->local->broken)
        DAL_fail(p, "no memory for a decoder");
}

int Dec_fire(DALProcess *p)
{
    unsigned char *packet, *image;
    size_t bytes;

    if (p->local->broken)
        return 1;
    packet = DAL_read_begin(PORT_in, TOKEN_in_SIZE, TOKEN_in_RATE, p);
    image = DAL_write_begin(PORT_out, TOKEN_out_SIZE, TOKEN_out_RATE, TOKEN_out_RATE, 0, p);
    if (!packet || !image)
        return 1;
    bytes = packet_length(packet);
    if (bytes > 0)
        jpeg_decode(&p->local->decoder, packet + PACKET_HEADER, bytes, image, VAR_width,
                    VAR_height);
    image_set_valid(image, TOKEN_out_SIZE, bytes > 0);
    DAL_read_end(PORT_in, packet, p);
    DAL_write_end(PORT_out, image, p);
    return 0;
}

void Dec_finish(DALProcess *p)
{
    const struct jpeg_decoder *d = &p->local->decoder;

    if (d->damaged > 0 || d->undecodable > 0)
        fprintf(stderr, "Dec_%d: warning: %ld of %ld frames damaged, %ld not decodable as %dx%d\n",
                DAL_getIndex(0, p), d->damaged, d->frames, d->undecodable, (int)VAR_width,
                (int)VAR_height);
    jpeg_decoder_finish(&p->local->decoder);
}
