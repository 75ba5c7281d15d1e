/*
 * Stands for a camera of Video4Linux, loaded before the library of C: /dev/camera is one. Frame n
 * is a slope of YUYV whose first pixel is n. What is asked for is what it has, but 64 x 48 at
 * least.
 *
 * CAMERA_ENDS=N: it is pulled out before frame N. CAMERA_STOPS=N: it gives nothing from N on.
 * CAMERA_CUTS=N: frame N is too short. CAMERA_BUSY=1: somebody else has it. CAMERA_JPEG=FILE: it
 * sends this picture, and nothing else.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/videodev2.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { MOST_CAMERAS = 2, MOST_BUFFERS = 32, MOST_BYTES = 1 << 20 };

static struct camera {
    int fd; /* its memory; 0: not open */
    unsigned width, height, frames;
    unsigned char *memory;
    unsigned queue[MOST_BUFFERS], first, waiting; /* buffers that it may fill */
} cameras[MOST_CAMERAS];
static int camera_count;

static int is_number(const char *name, unsigned number)
{
    const char *value = getenv(name);
    return value && (unsigned)atoi(value) == number;
}

static int open_camera(void)
{
    struct camera *camera = &cameras[camera_count];
    if (camera_count == MOST_CAMERAS || is_number("CAMERA_BUSY", 1)) {
        errno = EBUSY;
        return -1;
    }
    camera_count++;
    camera->fd = memfd_create("camera", MFD_CLOEXEC);
    if (ftruncate(camera->fd, (off_t)MOST_BUFFERS * MOST_BYTES) != 0)
        return -1;
    camera->memory = mmap(NULL, (size_t)MOST_BUFFERS * MOST_BYTES, PROT_READ | PROT_WRITE,
                          MAP_SHARED, camera->fd, 0);
    return camera->fd;
}

static unsigned frame_bytes(const struct camera *camera)
{
    return camera->width * camera->height * 2;
}

/* Fills the place of a frame. Returns its bytes. */
static unsigned draw_frame(const struct camera *camera, unsigned char *at)
{
    const char *picture = getenv("CAMERA_JPEG");
    FILE *file = picture ? fopen(picture, "rb") : NULL;
    size_t bytes = frame_bytes(camera);
    if (file) {
        bytes = fread(at, 1, MOST_BYTES, file);
        fclose(file);
        return (unsigned)bytes;
    }
    for (unsigned i = 0; i < bytes; i++)
        at[i] = (unsigned char)(i % 2 ? 128 : camera->frames + i / 2);
    return (unsigned)bytes;
}

static int fill_buffer(struct camera *camera, struct v4l2_buffer *buffer)
{
    struct timespec now;
    if (is_number("CAMERA_ENDS", camera->frames)) {
        errno = ENODEV;
        return -1;
    }
    if (!camera->waiting || is_number("CAMERA_STOPS", camera->frames)) {
        errno = EAGAIN;
        return -1;
    }
    buffer->index = camera->queue[camera->first++ % MOST_BUFFERS];
    camera->waiting--;
    buffer->bytesused = draw_frame(camera, camera->memory + (size_t)buffer->index * MOST_BYTES);
    if (is_number("CAMERA_CUTS", camera->frames))
        buffer->bytesused = 7;
    buffer->flags = V4L2_BUF_FLAG_DONE | V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC;
    clock_gettime(CLOCK_MONOTONIC, &now);
    buffer->timestamp = (struct timeval){now.tv_sec, now.tv_nsec / 1000};
    camera->frames++;
    return 0;
}

static void set_format(struct camera *camera, struct v4l2_pix_format *pix)
{
    camera->width = pix->width < 64 ? 64 : pix->width;
    camera->height = pix->height < 48 ? 48 : pix->height;
    *pix = (struct v4l2_pix_format){.width = camera->width,
                                    .height = camera->height,
                                    .pixelformat = getenv("CAMERA_JPEG") ? V4L2_PIX_FMT_MJPEG
                                                                         : V4L2_PIX_FMT_YUYV,
                                    .field = V4L2_FIELD_NONE,
                                    .bytesperline = camera->width * 2,
                                    .sizeimage = frame_bytes(camera),
                                    .colorspace = V4L2_COLORSPACE_SRGB};
}

static int answer(struct camera *camera, unsigned long request, void *to)
{
    struct v4l2_buffer *buffer = to;
    switch (request) {
    case VIDIOC_QUERYCAP:
        memset(to, 0, sizeof(struct v4l2_capability));
        ((struct v4l2_capability *)to)->capabilities = V4L2_CAP_VIDEO_CAPTURE | V4L2_CAP_STREAMING;
        return 0;
    case VIDIOC_S_FMT:
    case VIDIOC_TRY_FMT:
        set_format(camera, &((struct v4l2_format *)to)->fmt.pix);
        return 0;
    case VIDIOC_G_PARM:
    case VIDIOC_S_PARM:
        ((struct v4l2_streamparm *)to)->parm.capture.capability = V4L2_CAP_TIMEPERFRAME;
        return 0;
    case VIDIOC_REQBUFS:
        ((struct v4l2_requestbuffers *)to)->count = 4;
        return 0;
    case VIDIOC_QUERYBUF:
        buffer->length = MOST_BYTES;
        buffer->m.offset = buffer->index * MOST_BYTES;
        return 0;
    case VIDIOC_QBUF:
        camera->queue[(camera->first + camera->waiting++) % MOST_BUFFERS] = buffer->index;
        return 0;
    case VIDIOC_DQBUF:
        return fill_buffer(camera, buffer);
    case VIDIOC_ENUMINPUT:
        ((struct v4l2_input *)to)->std = 0;
        return 0;
    case VIDIOC_G_INPUT:
        *(int *)to = 0;
        return 0;
    case VIDIOC_S_INPUT:
    case VIDIOC_STREAMON:
    case VIDIOC_STREAMOFF:
        return 0;
    default:
        errno = ENOTTY;
        return -1;
    }
}

int open64(const char *name, int flags, ...)
{
    static int (*real)(const char *, int, ...);
    va_list list;
    mode_t mode;
    va_start(list, flags);
    mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(list, mode_t) : 0;
    va_end(list);
    if (!real)
        real = dlsym(RTLD_NEXT, "open64");
    return strncmp(name, "/dev/camera", 11) == 0 ? open_camera() : real(name, flags, mode);
}

int ioctl(int fd, unsigned long request, ...)
{
    static int (*real)(int, unsigned long, ...);
    va_list list;
    void *to;
    va_start(list, request);
    to = va_arg(list, void *);
    va_end(list);
    if (!real)
        real = dlsym(RTLD_NEXT, "ioctl");
    for (int i = 0; i < camera_count; i++)
        if (fd == cameras[i].fd)
            return answer(&cameras[i], (unsigned)request, to);
    return real(fd, request, to);
}
