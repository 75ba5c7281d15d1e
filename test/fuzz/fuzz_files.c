/*
 * A libFuzzer target over the files at open ports, and those beside recordings, as far as their
 * parsing is ours. The first byte of the input says which: 'n' an array of NumPy, 'w' samples of
 * WAVE, 's' what SigMF says about samples, 'j' what a tap writes beside its file. The second says
 * of which type the tokens of the port are. The rest is the file.
 */
#include "parts/sigmf_in/meta.h"
#include "rt/base/error.h"
#include "rt/streams/stream.h"
#include "spec/base/limits.h"
#include "spec/read/recording.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct dal_open_desc tokens[] = {
    {.type = "int16_t", .kind = 'i', .count = 1, .token_bytes = 2},
    {.type = "uint8_t", .kind = 'u', .count = 3, .token_bytes = 3},
    {.type = "float", .kind = 'f', .count = 2, .token_bytes = 8},
    {.type = NULL, .kind = 'V', .count = 1, .token_bytes = 24},
};

static void write_file(const char *name, const uint8_t *data, size_t size)
{
    FILE *file = fopen(name, "wb");
    if (!file || fwrite(data, 1, size, file) != size || fclose(file))
        abort();
}

/* A read gives no more than there was, and the stream ends. */
static void read_all(const char *name, const struct dal_open_desc *of, size_t size)
{
    struct dal_stream *stream;
    unsigned char room[48];
    size_t got, sum = 0;
    if (dal_stream_open(&stream, "port", 0, name, of) != DAL_OK) {
        if (stream)
            abort();
        return;
    }
    while (dal_stream_read(stream, room, of->token_bytes * 2, &got) == DAL_OK && got > 0)
        sum += got;
    if (sum > size)
        abort();
    dal_stream_close(stream, 0);
}

static void read_recording(void)
{
    struct dal_diags diags;
    struct dal_recording *recording;
    dal_diags_init(&diags);
    if (dal_recording_read(&diags, ".", "port", &recording) == DAL_OK &&
        (!recording->token_bytes || recording->input_count > DAL_RECORDING_INPUTS ||
         dal_recording_firing(recording, 0) > DAL_MAX_PHASES))
        abort();
    dal_recording_free(recording);
    dal_diags_finish(&diags);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char names[][12] = {"in.npy", "in.wav", "port.json"};
    const struct dal_open_desc *of;
    const char *name;
    struct meta meta;
    if (size < 2 || !strchr("nwjs", *data))
        return 0;
    if (*data == 's') {
        dal_part_read_meta(&meta, (const char *)data + 2, size - 2);
        return 0;
    }
    name = names[*data == 'n' ? 0 : *data == 'w' ? 1 : 2];
    of = &tokens[data[1] % (sizeof(tokens) / sizeof(tokens[0]))];
    write_file(name, data + 2, size - 2);
    if (*data == 'j')
        read_recording();
    else
        read_all(name, of, size);
    unlink(name);
    return 0;
}
