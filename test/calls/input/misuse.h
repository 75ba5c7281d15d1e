/* What a process may not do, by the value of `what`: PLACE-CALL, from the functions of PLACE. */
#ifndef MISUSE_H
#define MISUSE_H

#include <dal.h>

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static int32_t spoiled = -1;

static int is(DALProcess *p, const char *place, const char *call)
{
    const char *what = DAL_getParameter("what", p);
    size_t length = strlen(place);
    return strncmp(what, place, length) == 0 && what[length] == '-' &&
           strcmp(what + length + 1, call) == 0;
}

/* For any other process: variables are those of the source. */
static void keep(DALProcess *p)
{
    char text[32];
    snprintf(text, sizeof(text), "%p", (void *)p);
    if (strcmp(DAL_getParameter("what", p), "kept") == 0)
        setenv("KEPT", text, 1);
}

static DALProcess *kept(void)
{
    const char *text = getenv("KEPT");
    void *p = NULL;
    return text && sscanf(text, "%p", &p) == 1 ? p : NULL;
}

/* One that no literal names. */
static void *port(const char *name)
{
    static CREATEPORTVAR(buffer);
    return CREATEPORT(buffer, name, 0);
}

/* With the p of another one, or its own. */
static void move(const char *place, DALProcess *other, DALProcess *p)
{
    if (is(p, place, "write"))
        DAL_write(PORT_out, &spoiled, sizeof(spoiled), other);
    if (is(p, place, "read"))
        DAL_read(PORT_in, &spoiled, sizeof(spoiled), other);
    if (is(p, place, "write_begin"))
        DAL_write_begin(PORT_out, sizeof(spoiled), 1, 1, 0, other);
    if (is(p, place, "read_begin"))
        DAL_read_begin(PORT_in, sizeof(spoiled), 1, other);
    if (is(p, place, "write_end"))
        DAL_write_end(PORT_out, NULL, other);
    if (is(p, place, "read_end"))
        DAL_read_end(PORT_in, NULL, other);
    if (is(p, place, "at_end"))
        DAL_at_end(PORT_in, other);
    if (is(p, place, "rtest"))
        DAL_rtest(PORT_in, 1, other);
    if (is(p, place, "wtest"))
        DAL_wtest(PORT_out, 1, other);
}

static void move_wrongly(DALProcess *p)
{
    if (is(p, "direction", "write"))
        DAL_write(port("in"), &spoiled, sizeof(spoiled), p);
    if (is(p, "direction", "read"))
        DAL_read(port("out"), &spoiled, sizeof(spoiled), p);
    if (is(p, "direction", "write_begin"))
        DAL_write_begin(port("in"), sizeof(spoiled), 1, 1, 0, p);
    if (is(p, "direction", "read_begin"))
        DAL_read_begin(port("out"), sizeof(spoiled), 1, p);
    if (is(p, "direction", "write_end"))
        DAL_write_end(port("in"), NULL, p);
    if (is(p, "direction", "read_end"))
        DAL_read_end(port("out"), NULL, p);
    if (is(p, "direction", "at_end"))
        DAL_at_end(port("out"), p);
    if (is(p, "direction", "rtest"))
        DAL_rtest(port("out"), 1, p);
    if (is(p, "direction", "wtest"))
        DAL_wtest(port("in"), 1, p);
    if (is(p, "direction", "nowhere"))
        DAL_write(port("nowhere"), &spoiled, sizeof(spoiled), p);
}

static void *move_aside(void *p)
{
    move("thread", p, p);
    return NULL;
}

static void leave(const char *place, DALProcess *p)
{
    if (is(p, place, "pthread_exit"))
        pthread_exit(NULL);
    if (is(p, place, "exit"))
        exit(0);
    if (is(p, place, "quick_exit"))
        quick_exit(0);
}

static void misuse(DALProcess *p)
{
    pthread_t thread;
    move_wrongly(p);
    leave("fire", p);
    if (kept() && kept() != p)
        move("other", kept(), p);
    if (strncmp(DAL_getParameter("what", p), "thread-", 7) == 0 &&
        !pthread_create(&thread, NULL, move_aside, p))
        pthread_join(thread, NULL);
}

#endif
