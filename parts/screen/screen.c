/*
 * Show: frames in a window. SDL wants all calls from one thread, so this is a KPN process, and
 * begins with its first frame. A window that is closed asks for an orderly end; frames that still
 * come are not shown.
 */
#include "dal.h"

#include <SDL.h>
#include <stdlib.h>

_Static_assert(VAR_bits == 8 || VAR_bits == 24 || VAR_bits == 12,
               "bits of a pixel are 8 (grey), 24 (rgb24) or 12 (yuv420p)");
_Static_assert(VAR_bits != 12 || (VAR_width % 2 == 0 && VAR_height % 2 == 0),
               "with 12 bits (yuv420p), width and height are even");

struct _local_states {
    int is_begun;
    SDL_Window *window; /* NULL: not there, or closed */
    SDL_Renderer *renderer;
    SDL_Texture *texture;
};

static void close_window(LocalState s)
{
    if (s->texture)
        SDL_DestroyTexture(s->texture);
    if (s->renderer)
        SDL_DestroyRenderer(s->renderer);
    if (s->window)
        SDL_DestroyWindow(s->window);
    s->texture = NULL;
    s->renderer = NULL;
    s->window = NULL;
}

/* Without a display, SDL may take a driver that shows nothing. It does so for who asks for it. */
static int has_display(void)
{
    const char *driver = SDL_GetCurrentVideoDriver();

    if (!driver || strcmp(driver, "offscreen") != 0 || getenv("SDL_VIDEODRIVER"))
        return 1;
    SDL_SetError("there is no display");
    return 0;
}

static int refuse_window(DALProcess *p)
{
    DAL_fail(p, "no window can be shown: %s", SDL_GetError());
    return -1;
}

/* Returns 0, or -1 after DAL_fail(). */
static int open_window(DALProcess *p)
{
    LocalState s = p->local;
    const char *title = DAL_getParameter("title", p);

    SDL_SetHint(SDL_HINT_NO_SIGNAL_HANDLERS, "1");
    if (SDL_InitSubSystem(SDL_INIT_VIDEO) != 0)
        return refuse_window(p);
    s->is_begun = 1;
    if (!has_display())
        return refuse_window(p);
    s->window =
        SDL_CreateWindow(title ? title : "", SDL_WINDOWPOS_UNDEFINED, SDL_WINDOWPOS_UNDEFINED,
                         VAR_width, VAR_height, SDL_WINDOW_RESIZABLE);
    s->renderer = s->window ? SDL_CreateRenderer(s->window, -1, SDL_RENDERER_SOFTWARE) : NULL;
    if (!s->renderer || SDL_RenderSetLogicalSize(s->renderer, VAR_width, VAR_height) != 0)
        return refuse_window(p);
    s->texture = SDL_CreateTexture(s->renderer,
                                   VAR_bits == 12 ? SDL_PIXELFORMAT_IYUV : SDL_PIXELFORMAT_RGB24,
                                   SDL_TEXTUREACCESS_STREAMING, VAR_width, VAR_height);
    return s->texture ? 0 : refuse_window(p);
}

static int fill_yuv(SDL_Texture *texture, const uint8_t *in)
{
    const size_t pixels = (size_t)VAR_width * VAR_height;

    return SDL_UpdateYUVTexture(texture, NULL, in, VAR_width, in + pixels, VAR_width / 2,
                                in + pixels + pixels / 4, VAR_width / 2);
}

static int fill_rgb(SDL_Texture *texture, const uint8_t *in)
{
    void *locked;
    int pitch;

    if (SDL_LockTexture(texture, NULL, &locked, &pitch) != 0)
        return -1;
    for (int y = 0; y < VAR_height; y++) {
        uint8_t *row = (uint8_t *)locked + (ptrdiff_t)y * pitch;
        const uint8_t *from = in + (size_t)y * VAR_width * VAR_bits / 8;

        for (int i = 0; i < 3 * VAR_width; i++)
            row[i] = from[VAR_bits == 8 ? i / 3 : i];
    }
    SDL_UnlockTexture(texture);
    return 0;
}

/* Returns 0, or -1 after DAL_fail(). */
static int show_frame(const uint8_t *in, DALProcess *p)
{
    LocalState s = p->local;

    if ((VAR_bits == 12 ? fill_yuv(s->texture, in) : fill_rgb(s->texture, in)) != 0 ||
        SDL_RenderClear(s->renderer) != 0 ||
        SDL_RenderCopy(s->renderer, s->texture, NULL, NULL) != 0)
        return refuse_window(p);
    SDL_RenderPresent(s->renderer);
    return 0;
}

/* Closes the window where the user wants that. */
static void heed_events(DALProcess *p)
{
    SDL_Event event;
    int wanted = 0;

    while (SDL_PollEvent(&event))
        wanted |= event.type == SDL_QUIT ||
                  (event.type == SDL_WINDOWEVENT && event.window.event == SDL_WINDOWEVENT_CLOSE);
    if (!wanted || !p->local->window)
        return;
    close_window(p->local);
    DAL_send_event("stop", p);
}

int Show_fire(DALProcess *p)
{
    LocalState s = p->local;
    const uint8_t *in;

    if (DAL_at_end(PORT_in, p))
        return 1;
    if (!s->is_begun && open_window(p) != 0)
        return 1;
    in = DAL_read_begin(PORT_in, TOKEN_in_SIZE, 1, p);
    if (!in || (s->window && show_frame(in, p) != 0))
        return 1;
    DAL_read_end(PORT_in, in, p);
    heed_events(p);
    return 0;
}

void Show_finish(DALProcess *p)
{
    close_window(p->local);
    if (p->local->is_begun)
        SDL_QuitSubSystem(SDL_INIT_VIDEO);
}
