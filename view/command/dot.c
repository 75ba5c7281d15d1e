/* The picture as a graph for Graphviz. */
#include "view/command/picture.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"

#include <inttypes.h>
#include <string.h>

/* The most characters of a name that are drawn. */
enum { MOST_DRAWN = 60 };

/* Returns whether a byte begins a character of UTF-8. */
static int begins_character(char byte)
{
    return (byte & 0xc0) != 0x80;
}

/* Adds a label within quotation marks. No escape or entity of Graphviz has a meaning in it. */
static void add_label(FILE *dot, const char *name)
{
    int drawn = 0;
    for (; *name; name++) {
        if (begins_character(*name) && drawn++ == MOST_DRAWN) {
            fputs("…", dot);
            return;
        }
        if (*name == '&')
            fputs("&amp;", dot);
        else if (*name == '"' || *name == '\\')
            fprintf(dot, "\\%c", *name);
        else
            putc(*name, dot);
    }
}

static void draw_process(const struct dal_picture *picture, const struct dal_spec_process *process,
                         FILE *dot)
{
    int device = picture->plan && dal_plan_on_device(&picture->plan->processes[process->number]);
    fprintf(dot, "p%zu [label=\"", process->number);
    add_label(dot, process->name);
    fprintf(dot, "\"%s%s];\n", device ? " fillcolor=\"#fdf0d5\"" : "",
            dal_picture_is_blocked(picture, process) ? " color=\"#c1121f\" penwidth=2" : "");
}

/* Draws a place with all its processes, together with the first of them. */
static void draw_place(const struct dal_picture *picture, char *const *places, size_t first,
                       FILE *dot)
{
    const struct dal_spec_network *network = &picture->analysis->spec->network;
    int is_place = *places[first] != '\0';
    if (is_place) {
        fprintf(dot, "subgraph cluster_%zu {\nlabel=\"", first);
        add_label(dot, places[first]);
        fputs("\";\n", dot);
    }
    for (size_t i = first; i < network->process_count; i++)
        if (strcmp(places[i], places[first]) == 0)
            draw_process(picture, &network->processes[i], dot);
    if (is_place)
        fputs("}\n", dot);
}

static void draw_places(const struct dal_picture *picture, char *const *places, FILE *dot)
{
    size_t k, count = picture->analysis->spec->network.process_count;
    for (size_t i = 0; i < count; i++) {
        for (k = 0; k < i && strcmp(places[k], places[i]) != 0; k++)
            continue;
        if (k == i)
            draw_place(picture, places, i, dot);
    }
}

static void draw_channel(const struct dal_picture *picture, const struct dal_spec_channel *c,
                         FILE *dot)
{
    uint64_t capacity = dal_picture_capacity(picture, c);
    fprintf(dot, "p%zu -> p%zu [taillabel=\"", c->producer->number, c->consumer->number);
    dal_picture_rate(dot, c->producer_port, c->rate_in);
    fputs("\" headlabel=\"", dot);
    dal_picture_rate(dot, c->consumer_port, c->rate_out);
    fputs("\" label=\"", dot);
    add_label(dot, c->name);
    if (capacity)
        fprintf(dot, "\\nup to %" PRIu64, capacity);
    if (c->initial_tokens)
        fprintf(dot, "\\n%" PRIu64 " initial", c->initial_tokens);
    fprintf(dot, "\"%s];\n",
            dal_picture_is_witness(picture, c)
                ? " color=\"#c1121f\" fontcolor=\"#c1121f\" penwidth=2"
                : "");
}

int dal_picture_dot(const struct dal_picture *picture, FILE *dot)
{
    const struct dal_spec_network *network = &picture->analysis->spec->network;
    char **places = dal_calloc(network->process_count + 1, sizeof(*places));
    int status = places ? DAL_OK : DAL_ERR_NOMEM;
    for (size_t i = 0; places && i < network->process_count; i++)
        if (!(places[i] = dal_picture_place(picture, &network->processes[i])))
            status = DAL_ERR_NOMEM;
    fputs("digraph {\nrankdir=LR; nodesep=0.4; ranksep=0.8;\n"
          "graph [fontname=\"sans-serif\" fontsize=11 color=\"#8d99ae\" style=rounded];\n"
          "node [shape=box style=\"rounded,filled\" fillcolor=\"#edf2f4\" "
          "color=\"#2b2d42\" fontname=\"sans-serif\" fontsize=12];\n"
          "edge [color=\"#5c677d\" fontname=\"sans-serif\" fontsize=9];\n",
          dot);
    if (!status)
        draw_places(picture, places, dot);
    for (size_t i = 0; i < network->channel_count; i++)
        draw_channel(picture, &network->channels[i], dot);
    fputs("}\n", dot);
    for (size_t i = 0; places && i < network->process_count; i++)
        dal_free(places[i]);
    dal_free(places);
    return status;
}
