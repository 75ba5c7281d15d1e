/* A file with some bytes in place of others, for libsndfile. */
#include "patched.h"

#include <errno.h>
#include <unistd.h>

static sf_count_t tell_length(void *file)
{
    return (sf_count_t)((struct patched *)file)->bytes;
}

static sf_count_t tell_offset(void *file)
{
    return (sf_count_t)((struct patched *)file)->at;
}

static sf_count_t move_to(sf_count_t by, int whence, void *data)
{
    struct patched *file = data;

    by += (sf_count_t)(whence == SEEK_CUR ? file->at : whence == SEEK_END ? file->bytes : 0);
    if (by < 0)
        return -1;
    file->at = (uint64_t)by;
    return by;
}

static sf_count_t read_patched(void *to, sf_count_t most, void *data)
{
    struct patched *file = data;
    ssize_t got = pread(file->fd, to, (size_t)most, (off_t)file->at);

    if (got < 0)
        file->error = errno;
    if (got <= 0)
        return 0;
    for (int i = 0; i < 2; i++)
        for (unsigned k = 0; k < file->patches[i].count; k++) {
            uint64_t at = file->patches[i].at + k - file->at;

            if (at < (uint64_t)got)
                ((unsigned char *)to)[at] = file->patches[i].bytes[k];
        }
    file->at += (uint64_t)got;
    return got;
}

SNDFILE *dal_part_open_patched(struct patched *file, SF_INFO *info)
{
    SF_VIRTUAL_IO io = {
        .get_filelen = tell_length, .seek = move_to, .read = read_patched, .tell = tell_offset};

    return sf_open_virtual(&io, SFM_READ, info, file);
}
