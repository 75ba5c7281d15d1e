#define _GNU_SOURCE
#include "test/schedules/scheduler/schedule_own.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PLACES = 1024, MOST_TOLD = 120, LINE = 300, COMMAND = PLACES * 12 + 4200 };

static const struct dal__schedule *const all = &dal__schedule;

/* ---- lines of points ------------------------------------------------------------------------- */

/* Code addresses of points, with their lines in sources once these are known. */
static struct place {
    uintptr_t pc;
    char text[LINE];
} places[PLACES];
static int place_count;

static struct place *place_of(uintptr_t pc)
{
    for (int i = 0; i < place_count; i++)
        if (places[i].pc == pc)
            return &places[i];
    return NULL;
}

static void want_place(uintptr_t pc)
{
    if (pc && place_count < PLACES && !place_of(pc))
        places[place_count++] = (struct place){.pc = pc};
}

/* Shortens "/far/away/rt/host/claim.h:33 (discriminator 2)" to "rt/host/claim.h:33". */
static const char *shorten(char *line)
{
    static const char *const folders[] = {"/rt/", "/channels/", "/include/", "/test/"};
    const char *first = line;
    line[strcspn(line, " \n")] = '\0';
    for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++) {
        const char *found = strstr(line, folders[i]);
        if (found)
            first = found + 1;
    }
    return first;
}

/* Appends a line of a place; inlined code has several, from the inside out. */
static void add_line(struct place *place, char *line)
{
    size_t length = strlen(place->text);
    snprintf(place->text + length, LINE - length, "%s%s", length ? " < " : "", shorten(line));
}

static void find_places(void)
{
    static char command[COMMAND], line[4096];
    struct place *place = NULL;
    FILE *pipe;
    int at;
    at = snprintf(command, sizeof(command), "addr2line -a -i -e /proc/%d/exe", (int)getpid());
    for (int i = 0; i < place_count; i++)
        at += snprintf(command + at, sizeof(command) - (size_t)at, " %" PRIxPTR, places[i].pc - 1);
    pipe = place_count ? popen(command, "r") : NULL;
    while (pipe && fgets(line, sizeof(line), pipe))
        if (strncmp(line, "0x", 2) == 0)
            place = place_of(strtoull(line, NULL, 16) + 1);
        else if (place)
            add_line(place, line);
    if (pipe)
        pclose(pipe);
}

static const char *where(uintptr_t pc)
{
    const struct place *place = place_of(pc);
    return place && *place->text ? place->text : "?";
}

/* ---- what is told ---------------------------------------------------------------------------- */

static const char *name_of(enum dal__kind kind)
{
    static const char *const names[] = {"load",   "store", "exchange", "lock", "unlock",
                                        "wait",   "wake",  "yield",    "nap",  "clock",
                                        "create", "join",  "end"};
    return names[kind];
}

static void tell_event(FILE *file, const struct dal__event *event)
{
    fprintf(file, "  %8" PRIu64 "  thread %-2d  %-8s  %-14" PRIxPTR "  %s\n", event->step,
            event->thread, name_of(event->kind), event->at, where(event->pc));
}

static void tell_thread(FILE *file, const struct dal__thread *thread)
{
    static const char *const states[] = {"ready", "spinning", "blocked", "ended"};
    fprintf(file, "  thread %-2d  %-8s  %-8s  %-14" PRIxPTR "  %s, %d stores not in memory\n",
            thread->number, states[thread->state], name_of(thread->kind), thread->at,
            where(thread->pc), thread->pending_count);
}

static uint64_t first_event(uint64_t most)
{
    if (most > DAL__EVENTS)
        most = DAL__EVENTS;
    return all->event_count > most ? all->event_count - most : 0;
}

static void tell_events(FILE *file, uint64_t most)
{
    for (uint64_t i = first_event(most); i < all->event_count; i++)
        tell_event(file, &all->events[i % DAL__EVENTS]);
}

static void want_events(uint64_t most)
{
    for (int k = 0; k < all->count; k++)
        want_place(all->threads[k].pc);
    for (uint64_t i = first_event(most); i < all->event_count; i++)
        want_place(all->events[i % DAL__EVENTS].pc);
}

void dal__print(void)
{
    want_events(DAL__EVENTS);
    find_places();
    tell_events(stdout, DAL__EVENTS);
}

void dal__fail(const char *what, const uintptr_t *pcs, int count)
{
    uint64_t most = all->options.print ? DAL__EVENTS : MOST_TOLD;
    fflush(stdout);
    for (int i = 0; i < count; i++)
        want_place(pcs[i]);
    want_events(most);
    find_places();
    fprintf(stderr, "schedule: %s (seed %" PRIu64 ", %s, step %" PRIu64 ", time %.6f s)\n", what,
            all->options.seed, all->options.policy == DAL_SCHEDULE_PCT ? "pct" : "walk", all->steps,
            1e-9 * (double)all->now_ns);
    for (int i = 0; i < count; i++)
        fprintf(stderr, "  %s %s\n", i ? "that" : "this", where(pcs[i]));
    for (int i = 0; i < all->count; i++)
        if (all->threads[i].state < DAL__ENDED)
            tell_thread(stderr, &all->threads[i]);
    fprintf(stderr, "  the last points:\n");
    tell_events(stderr, most);
    fflush(stderr);
    _exit(DAL_SCHEDULE_FAILED);
}
