/* The picture as a graph for Graphviz. */
#include "view/command/picture.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The most characters of a name that are drawn. */
enum { MOST_DRAWN = 60 };

static const size_t none = DAL_NAMES_NONE;

/* An arrow: a channel, or several that are one outside of the boxes. */
struct arrow {
    const struct dal_spec_channel *channel; /* the first */
    size_t from_port, to_port;              /* of boxes; or none */
    size_t count;
    int is_witness;
};

struct drawing {
    const struct dal_picture *picture;
    FILE *dot;
    size_t *boxes;              /* of each process: the box of its folded part; or none */
    struct dal_numbered frames; /* places, and parts in them */
    struct dal_numbered folded; /* boxes: places, and parts in them */
    struct dal_numbered ports;  /* of boxes: the box, "<" or ">", and the name */
    struct dal_numbered ends;   /* of arrows */
    struct arrow *arrows;
    size_t arrow_room, drawn_boxes;
};

/* Finds the number of a text, and frees it. */
static int number(struct dal_numbered *table, char *text, size_t *found)
{
    int status = text ? dal_number_text(table, text, found) : DAL_ERR_NOMEM;
    dal_free(text);
    return status;
}

/* ---- names ----------------------------------------------------------------------------------- */

/* Returns whether a byte begins a character of UTF-8. */
static int begins_character(char byte)
{
    return (byte & 0xc0) != 0x80;
}

/* Adds a label within quotation marks. Nothing in it has a meaning to Graphviz, in a record
 * either. */
static void add_label(FILE *dot, const char *name, size_t length)
{
    int drawn = 0;
    for (; length && *name; name++, length--) {
        if (begins_character(*name) && drawn++ == MOST_DRAWN) {
            fputs("…", dot);
            return;
        }
        if (*name == '&')
            fputs("&amp;", dot);
        else if (strchr("{}|<>", *name))
            fprintf(dot, "&#%d;", *name);
        else if (*name == '"' || *name == '\\')
            fprintf(dot, "\\%c", *name);
        else
            putc(*name, dot);
    }
}

/* Returns where the name of a process or part begins, behind those of the parts around it. */
static size_t own_name(const char *name, size_t length)
{
    size_t at = length;
    while (at > 1 && name[at - 1] != '.')
        at--;
    return at > 1 ? at : 0;
}

/* ---- boxes and arrows ------------------------------------------------------------------------ */

/* Finds the box of a process whose part is folded. */
static int choose_box(struct drawing *d, const struct dal_spec_process *process)
{
    size_t length = dal_picture_folded(d->picture->fold, process->name, 0);
    char *place;
    int status;
    d->boxes[process->number] = none;
    if (!length)
        return DAL_OK;
    place = dal_picture_place(d->picture, process);
    status = place ? number(&d->folded, dal_format("%s\n%.*s", place, (int)length, process->name),
                            &d->boxes[process->number])
                   : DAL_ERR_NOMEM;
    dal_free(place);
    return status;
}

/* Returns the name of the part in a box. */
static const char *part_of(const struct drawing *d, size_t box)
{
    return strchr(d->folded.texts[box], '\n') + 1;
}

/* Finds the port of a box at which a channel begins or ends; none without a box. */
static int find_port(struct drawing *d, const struct dal_spec_channel *c, int output, size_t *port)
{
    const struct dal_spec_process *process = output ? c->producer : c->consumer;
    const char *inside = (output ? c->producer_port : c->consumer_port)->name, *part, *name;
    size_t box = d->boxes[process->number];
    char side = output ? '>' : '<';
    int length;
    *port = none;
    if (box == none)
        return DAL_OK;
    part = part_of(d, box);
    name = dal_picture_crossing(c, part, output, &length);
    return number(
        &d->ports,
        name ? dal_format("%zu %c %.*s", box, side, length, name)
             : dal_format("%zu %c %s.%s", box, side, process->name + strlen(part) + 1, inside),
        port);
}

/* Returns what tells arrows apart. The ends of one are a port of a box, or of a process. */
static char *ends_of(const struct arrow *arrow)
{
    const struct dal_spec_channel *c = arrow->channel;
    if (arrow->to_port == none)
        return dal_format("%zu", c->number);
    if (arrow->from_port == none)
        return dal_format("%zu.%zu %zu", c->producer->number,
                          (size_t)(c->producer_port - c->producer->ports), arrow->to_port);
    return dal_format("> %zu %zu", arrow->from_port, arrow->to_port);
}

/* Adds a channel to the arrow that it is one with. What does not leave a box is not drawn. */
static int join_channel(struct drawing *d, const struct dal_spec_channel *c)
{
    const size_t from = d->boxes[c->producer->number], to = d->boxes[c->consumer->number];
    struct arrow arrow = {.channel = c};
    size_t before = d->ends.count, found;
    int length, status;
    if (from != none && from == to && !dal_picture_crossing(c, part_of(d, from), 1, &length))
        return DAL_OK;
    status = find_port(d, c, 1, &arrow.from_port);
    if (!status)
        status = find_port(d, c, 0, &arrow.to_port);
    if (!status)
        status = number(&d->ends, ends_of(&arrow), &found);
    if (!status && found == before)
        status = dal_grow(&d->arrows, before, &d->arrow_room, sizeof(*d->arrows));
    if (status)
        return status;
    if (found == before)
        d->arrows[found] = arrow;
    d->arrows[found].count++;
    d->arrows[found].is_witness |= dal_picture_is_witness(d->picture, c);
    return DAL_OK;
}

/* ---- shapes ---------------------------------------------------------------------------------- */

/* Draws an open port as an arrow at the left or right border, with its name and its tokens. */
static int draw_border(const struct drawing *d, const struct dal_spec_process *process)
{
    const struct dal_spec_port *port = process->ports;
    char *tokens = dal_picture_tokens(port->channel);
    if (!tokens)
        return DAL_ERR_NOMEM;
    fprintf(d->dot,
            "{rank=%s; p%zu [class=border shape=cds style=filled fillcolor=\"#d8e8f8\" "
            "fontsize=10 margin=\"0.14,0.09\" label=\"",
            port->output ? "source" : "sink", process->number);
    add_label(d->dot, process->name, SIZE_MAX);
    fputs("\\n", d->dot);
    add_label(d->dot, tokens, SIZE_MAX);
    fputs("\"];}\n", d->dot);
    dal_free(tokens);
    return DAL_OK;
}

static const char *blocked_style(int is_blocked)
{
    return is_blocked ? " color=\"#c1121f\" penwidth=2" : "";
}

static void draw_process(const struct drawing *d, const struct dal_spec_process *process)
{
    const struct dal_plan *plan = d->picture->plan;
    int device = plan && dal_plan_on_device(&plan->processes[process->number]);
    fprintf(d->dot, "p%zu [label=\"", process->number);
    add_label(d->dot, process->name + own_name(process->name, strlen(process->name)), SIZE_MAX);
    fprintf(d->dot, "\"%s%s];\n", device ? " fillcolor=\"#fdf0d5\"" : "",
            blocked_style(dal_picture_is_blocked(d->picture, process)));
}

/* Draws the inputs or the outputs of a box as fields of a record. */
static void draw_ports(const struct drawing *d, size_t box, char side)
{
    const char *before = side == '<' ? "{" : "|{";
    int count = 0;
    for (size_t i = 0; i < d->ports.count; i++) {
        char *end;
        if (strtoul(d->ports.texts[i], &end, 10) != box || end[1] != side)
            continue;
        fprintf(d->dot, "%s<q%zu> ", before, i);
        add_label(d->dot, end + 3, SIZE_MAX);
        before = "|";
        count++;
    }
    if (count)
        fputs(side == '<' ? "}|" : "}", d->dot);
}

static void draw_box(const struct drawing *d, size_t box)
{
    const struct dal_spec_network *network = &d->picture->analysis->spec->network;
    const char *part = part_of(d, box);
    size_t count = 0;
    int is_blocked = 0;
    for (size_t i = 0; i < network->process_count; i++) {
        count += d->boxes[i] == box;
        is_blocked |=
            d->boxes[i] == box && dal_picture_is_blocked(d->picture, &network->processes[i]);
    }
    fprintf(d->dot, "f%zu [class=folded shape=record fillcolor=\"#e3e9f2\" label=\"{", box);
    draw_ports(d, box, '<');
    fputs("▸ ", d->dot);
    add_label(d->dot, part + own_name(part, strlen(part)), SIZE_MAX);
    fprintf(d->dot, " (%zu)", count);
    draw_ports(d, box, '>');
    fprintf(d->dot, "}\"%s];\n", blocked_style(is_blocked));
}

/* Opens a frame. For Graphviz it is the same as often as it is opened. */
static int open_frame(struct drawing *d, char *key, const char *style, const char *label,
                      size_t length)
{
    size_t frame;
    int status = number(&d->frames, key, &frame);
    if (status)
        return status;
    fprintf(d->dot, "subgraph cluster_%zu {%s label=\"", frame, style);
    add_label(d->dot, label, length);
    fputs("\";\n", d->dot);
    return DAL_OK;
}

/* Opens the frames of a place, and of the parts around a name of so many characters. */
static int open_frames(struct drawing *d, const char *place, const char *name, size_t length,
                       int *count)
{
    size_t from = 0;
    int status = DAL_OK;
    if (*place) {
        status = open_frame(d, dal_format("%s\n", place), "class=place;", place, SIZE_MAX);
        ++*count;
    }
    for (size_t i = 1; i < length && !status; i++) {
        if (name[i] != '.')
            continue;
        status = open_frame(d, dal_format("%s\n%.*s", place, (int)i, name),
                            "class=part; style=\"rounded,filled\"; fillcolor=\"#f7f9fc\";",
                            name + from, i - from);
        from = i + 1;
        ++*count;
    }
    return status;
}

/* Draws a process, or the box that it is the first of, within its frames. */
static int draw_within(struct drawing *d, const struct dal_spec_process *process)
{
    size_t box = d->boxes[process->number];
    char *place;
    int count = 0, status;
    if (box != none && box < d->drawn_boxes)
        return DAL_OK;
    place = dal_picture_place(d->picture, process);
    status = place ? open_frames(d, place, process->name,
                                 strlen(box == none ? process->name : part_of(d, box)), &count)
                   : DAL_ERR_NOMEM;
    if (!status && box == none)
        draw_process(d, process);
    else if (!status)
        draw_box(d, d->drawn_boxes++);
    for (; count; count--)
        fputs("}\n", d->dot);
    dal_free(place);
    return status;
}

/* ---- arrows ---------------------------------------------------------------------------------- */

static void draw_end(const struct drawing *d, const struct dal_spec_process *process, size_t port,
                     const char *side)
{
    if (port == none)
        fprintf(d->dot, "p%zu", process->number);
    else
        fprintf(d->dot, "f%zu:q%zu:%s", d->boxes[process->number], port, side);
}

/* Draws the tokens of a firing at the end of an arrow. Ports of the network and of parts have
 * none. */
static void draw_rate(const struct drawing *d, const struct dal_spec_process *process,
                      size_t box_port, const struct dal_spec_port *port, uint64_t rate)
{
    if (box_port == none && !dal_spec_is_open(process))
        dal_picture_rate(d->dot, port, rate);
}

static void draw_arrow(const struct drawing *d, const struct arrow *arrow)
{
    const struct dal_spec_channel *c = arrow->channel;
    uint64_t capacity = dal_picture_capacity(d->picture, c);
    char newest[DAL_PICTURE_NEWEST];
    draw_end(d, c->producer, arrow->from_port, "e");
    fputs(" -> ", d->dot);
    draw_end(d, c->consumer, arrow->to_port, "w");
    fputs(" [taillabel=\"", d->dot);
    draw_rate(d, c->producer, arrow->from_port, c->producer_port, c->rate_in);
    fputs("\" headlabel=\"", d->dot);
    draw_rate(d, c->consumer, arrow->to_port, c->consumer_port, c->rate_out);
    fputs("\" label=\"", d->dot);
    add_label(d->dot, c->name, SIZE_MAX);
    if (arrow->count > 1)
        fprintf(d->dot, "\\n%zu channels", arrow->count);
    if (c->newest.is_given)
        fprintf(d->dot, "\\n%s\" style=\"dashed", dal_picture_newest(c, newest));
    else if (capacity)
        fprintf(d->dot, "\\nup to %" PRIu64, capacity);
    if (c->initial_tokens)
        fprintf(d->dot, "\\n%" PRIu64 " initial", c->initial_tokens);
    fprintf(d->dot, "\"%s];\n",
            arrow->is_witness ? " color=\"#c1121f\" fontcolor=\"#c1121f\" penwidth=2" : "");
}

/* ---- all ------------------------------------------------------------------------------------- */

static int draw(struct drawing *d)
{
    const struct dal_spec_network *network = &d->picture->analysis->spec->network;
    int status = DAL_OK;
    for (size_t i = 0; i < network->process_count && !status; i++)
        status = choose_box(d, &network->processes[i]);
    for (size_t i = 0; i < network->channel_count && !status; i++)
        status = join_channel(d, &network->channels[i]);
    for (size_t i = 0; i < network->process_count && !status; i++)
        status = dal_spec_is_open(&network->processes[i]) ? draw_border(d, &network->processes[i])
                                                          : draw_within(d, &network->processes[i]);
    for (size_t i = 0; i < d->ends.count && !status; i++)
        draw_arrow(d, &d->arrows[i]);
    return status;
}

int dal_picture_dot(const struct dal_picture *picture, FILE *dot)
{
    const struct dal_spec_network *network = &picture->analysis->spec->network;
    struct drawing d = {.picture = picture, .dot = dot};
    int status;
    d.boxes = dal_calloc(network->process_count + 1, sizeof(*d.boxes));
    fputs("digraph {\nrankdir=LR; nodesep=0.4; ranksep=0.8;\n"
          "graph [fontname=\"sans-serif\" fontsize=11 color=\"#8d99ae\" style=rounded];\n"
          "node [shape=box style=\"rounded,filled\" fillcolor=\"#edf2f4\" "
          "color=\"#2b2d42\" fontname=\"sans-serif\" fontsize=12];\n"
          "edge [color=\"#5c677d\" fontname=\"sans-serif\" fontsize=9];\n",
          dot);
    status = d.boxes ? draw(&d) : DAL_ERR_NOMEM;
    fputs("}\n", dot);
    dal_numbered_finish(&d.frames);
    dal_numbered_finish(&d.folded);
    dal_numbered_finish(&d.ports);
    dal_numbered_finish(&d.ends);
    dal_free_all(d.boxes, d.arrows);
    return status;
}
