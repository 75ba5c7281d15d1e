/*
 * What part_sound_in.xml, part_video_in.xml and part_udp_in.xml do, as a loop: one block after the
 * other comes in by the same library. -DPART_sound_in, -DPART_video_in or -DPART_udp_in says which.
 * The arguments are those of the network's program: -p Part.Read.file=FILE.
 */
#define _GNU_SOURCE
#include "peer.h"
#include "samples.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* Returns what an argument says that ends with such a name. */
static const char *given(int argc, char **argv, const char *name)
{
    const char *equals;
    size_t length = strlen(name);
    int i;

    for (i = 1; i < argc; i++) {
        equals = strchr(argv[i], '=');
        if (equals && equals >= argv[i] + length && strncmp(equals - length, name, length) == 0)
            return equals + 1;
    }
    exit(1);
}

#if defined(PART_sound_in)
#include <sndfile.h>

static float block[VAR_block];
static SNDFILE *file;

static void prepare(int argc, char **argv)
{
    SF_INFO info = {0};

    file = sf_open(given(argc, argv, ".file"), SFM_READ, &info);
}

/* Adds the next block to the sum. Returns what came: samples, frames or packets. */
static int take_next(uint64_t *sum)
{
    if (sf_readf_float(file, block, VAR_block) != VAR_block)
        return 0;
    *sum += samples_sum(block, VAR_block);
    return VAR_block;
}

#elif defined(PART_video_in)
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libswscale/swscale.h>

enum { WIDTH = 320, HEIGHT = 240, FLAGS = SWS_BICUBIC | SWS_ACCURATE_RND | SWS_BITEXACT };

static AVFormatContext *container;
static AVCodecContext *codec;
static AVPacket *packet;
static AVFrame *frame;
static struct SwsContext *scaler;
static uint8_t pixels[WIDTH * HEIGHT];

static void prepare(int argc, char **argv)
{
    const AVCodec *found = NULL;
    int stream;

    av_log_set_level(AV_LOG_QUIET);
    if (avformat_open_input(&container, given(argc, argv, ".file"), NULL, NULL) < 0 ||
        avformat_find_stream_info(container, NULL) < 0)
        exit(1);
    stream = av_find_best_stream(container, AVMEDIA_TYPE_VIDEO, -1, -1, &found, 0);
    codec = stream < 0 ? NULL : avcodec_alloc_context3(found);
    if (!codec || avcodec_parameters_to_context(codec, container->streams[stream]->codecpar) < 0)
        exit(1);
    codec->thread_count = 1;
    codec->err_recognition = AV_EF_CRCCHECK | AV_EF_BUFFER | AV_EF_EXPLODE;
    packet = av_packet_alloc();
    frame = av_frame_alloc();
    if (!packet || !frame || avcodec_open2(codec, found, NULL) < 0)
        exit(1);
}

static void convert(void)
{
    uint8_t *planes[4] = {pixels};
    const int bytes[4] = {WIDTH};

    if (!scaler)
        scaler = sws_getContext(WIDTH, HEIGHT, (enum AVPixelFormat)frame->format, WIDTH, HEIGHT,
                                AV_PIX_FMT_GRAY8, FLAGS, NULL, NULL, NULL);
    sws_scale(scaler, (const uint8_t *const *)frame->data, frame->linesize, 0, HEIGHT, planes,
              bytes);
}

static int take_next(uint64_t *sum)
{
    int code;

    while ((code = avcodec_receive_frame(codec, frame)) == AVERROR(EAGAIN)) {
        avcodec_send_packet(codec, av_read_frame(container, packet) < 0 ? NULL : packet);
        av_packet_unref(packet);
    }
    if (code < 0)
        return 0;
    convert();
    *sum += samples_sum(pixels, sizeof(pixels) / 4);
    return 1;
}

#else
#include "packets.h"

static struct mmsghdr messages[PACKETS];
static struct iovec pieces[PACKETS];
static unsigned char came[PACKETS][PACKET_BYTES];
static long left;
static int receiver, asked;

/* The receiver, where the network has all of its own. */
static void stay_on_core(void)
{
    cpu_set_t all, one;
    int core = 0;

    sched_getaffinity(0, sizeof(all), &all);
    while (!CPU_ISSET(core, &all))
        core++;
    CPU_ZERO(&one);
    CPU_SET(core, &one);
    sched_setaffinity(0, sizeof(one), &one);
}

static void prepare(int argc, char **argv)
{
    struct sockaddr_in at = {.sin_family = AF_INET};
    int port = (int)atol(given(argc, argv, "Receive.port")), buffer = BUFFER, i;

    stay_on_core();
    left = atol(given(argc, argv, ".count"));
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    at.sin_port = htons((uint16_t)port);
    receiver = socket(AF_INET, SOCK_DGRAM, 0);
    asked = packets_start(port);
    if (setsockopt(receiver, SOL_SOCKET, SO_RCVBUF, &buffer, sizeof(buffer)) != 0 ||
        bind(receiver, (struct sockaddr *)&at, sizeof(at)) != 0 || asked < 0)
        exit(1);
    packets_ask(asked);
    for (i = 0; i < PACKETS; i++) {
        pieces[i].iov_base = came[i];
        pieces[i].iov_len = PACKET_BYTES;
        messages[i].msg_hdr.msg_iov = &pieces[i];
        messages[i].msg_hdr.msg_iovlen = 1;
    }
}

static int take_next(uint64_t *sum)
{
    int done, got;

    if (left <= 0)
        return 0;
    packets_ask(asked);
    for (done = 0; done < PACKETS; done += got) {
        got = recvmmsg(receiver, messages, (unsigned)(PACKETS - done), MSG_WAITFORONE, NULL);
        if (got < 0)
            exit(1);
        *sum += samples_sum(came, got * PACKET_BYTES / 4);
    }
    left -= PACKETS;
    return PACKETS;
}
#endif

int main(int argc, char **argv)
{
    int64_t start = peer_used();
    uint64_t sum = 0;
    long done = 0;
    int came_now;

    prepare(argc, argv);
    while ((came_now = take_next(&sum)) > 0)
        done += came_now;
    printf("tokens %ld ns %lld sum %016llx\n", done, (long long)(peer_used() - start),
           (unsigned long long)sum);
    return 0;
}
