/* Look: the frames of a camera, one a firing, in the format that was asked for. */
#include "dal.h"
#include "../common/scaled.h"
#include "../common/clock.h"
#include "camera.h"

enum { LOOK_MS = 100 }; /* how often it is seen that the program is to end */

struct _local_states {
    const char *name;
    struct camera camera;
    int is_open;
    long wait_ms, frames; /* the latter 0: without end */
    struct scaled scaled;
};

void Look_init(DALProcess *p)
{
    LocalState s = p->local;
    struct camera_wish wish = {.device = DAL_getParameter("device", p),
                               .coding = DAL_getParameter("coding", p),
                               .width = VAR_width,
                               .height = VAR_height,
                               .rate = VAR_rate};

    s->name = wish.device;
    if (DAL_getParameterInt("wait", &s->wait_ms, p) != 0 ||
        DAL_getParameterInt("frames", &s->frames, p) != 0)
        return;
    DAL_setClock(VAR_rate, p);
    s->is_open = dal_part_open_camera(&s->camera, &wish) == 0;
    if (!s->is_open)
        DAL_fail(p, "camera %s: %s", s->name, s->camera.why);
}

/* Waits for the next frame. Returns 0, or 1 if there is none, after a message where one was due. */
static int await_frame(DALProcess *p)
{
    LocalState s = p->local;
    const int64_t until_ns = now_ns() + (int64_t)s->wait_ms * 1000000, damaged = s->camera.damaged;
    int status;

    do
        status = dal_part_look(&s->camera, s->wait_ms < LOOK_MS ? s->wait_ms : LOOK_MS);
    while (status > 0 && !DAL_is_stopping(p) && now_ns() < until_ns);
    if (status < 0)
        DAL_fail(p, "camera %s: %s", s->name, s->camera.why);
    else if (status > 0 && !DAL_is_stopping(p))
        DAL_fail(p, "camera %s: %s", s->name,
                 s->camera.damaged > damaged ? "all frames that have come are damaged"
                                             : "no frame has come");
    return status != 0;
}

int Look_fire(DALProcess *p)
{
    LocalState s = p->local;
    uint8_t *out;

    if (!s->is_open || (s->frames && s->camera.frames == s->frames))
        return 1;
    if (await_frame(p) != 0)
        return 1;
    out = DAL_write_begin(PORT_out, TOKEN_out_SIZE, TOKEN_out_RATE, TOKEN_out_RATE, 0, p);
    if (!out || convert_frame(&s->scaled, s->camera.frame, out, s->name, s->camera.frames, p) != 0)
        return 1;
    DAL_write_end(PORT_out, out, p);
    return 0;
}

void Look_finish(DALProcess *p)
{
    LocalState s = p->local;

    sws_freeContext(s->scaled.scaler);
    dal_part_close_camera(&s->camera);
    if (s->camera.damaged)
        fprintf(stderr, "camera %s: damaged frames that are left out: %lld\n", s->name,
                (long long)s->camera.damaged);
}
