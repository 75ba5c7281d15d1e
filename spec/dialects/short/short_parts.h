/*
 * Functions and state that the files of the short form (short.h) share: names with indices,
 * elements that are made, and facts about a network meanwhile. One thread.
 */
#pragma once

#include "spec/base/names.h"
#include "spec/dialects/short/short.h"
#include "spec/xml/node.h"

enum { DAL__MOST_INDICES = 16, DAL__MOST_NESTED = 8 };

/* A part of a text. */
struct dal__piece {
    const char *at;
    int length;
};

/* A name with indices in brackets, as written. */
struct dal__indexed {
    struct dal__piece base, index[DAL__MOST_INDICES];
    int count;
};

/* One end of a short channel. */
struct dal__short_end {
    struct dal__indexed process, port;
    xmlNode *element; /* the process, a <network>, or the root: then it is a port of the network */
    size_t number;    /* of the process or <network> */
};

static inline int dal__short_is_own(const struct dal__short_end *end)
{
    return end->process.base.length == 1 && end->process.base.at[0] == DAL__SHORT_OWN[0];
}

/* Ports of all processes, by process, name and indices. */
struct dal__short_ports {
    struct dal_names names;
    xmlNode **list; /* ports; the names have their numbers */
    char **keys;
    size_t count, room, key_room;
    xmlNode *
        *last; /* by process: behind which the next port goes; NULL: ports are not listed yet */
};

struct dal__expansion {
    struct dal_diags *diags;
    xmlNode **processes; /* and networks, in the order of the file */
    char **keys; /* "Dec[]", with as many brackets as there are indices; "Dec[i]", as written */
    size_t count, room, key_count, key_room;
    struct dal_names names;        /* from keys to processes */
    struct dal_names ends, shared; /* of channels without a name; those that several have */
    struct dal__short_ports ports;
    unsigned refused; /* how often something was */
    int lacks_names;  /* elements with names were: nobody knows what means them */
};

/* ---- elements: DAL_OK or DAL_ERR_NOMEM, or NULL without memory ---- */

static inline const xmlChar *as_xml(const char *text)
{
    return (const xmlChar *)text;
}

/* Makes a new element that counts as standing where `of` does. */
xmlNode *dal__short_element(const xmlNode *of, const char *name);
int dal__short_set(xmlNode *element, const char *attribute, const char *text);
int dal__short_set_piece(xmlNode *element, const char *attribute, struct dal__piece piece);
/* Moves comments and processing instructions of an element to the end of another one. */
void dal__short_move_remarks(xmlNode *from, xmlNode *to);
/* Adds an element with a name at the end of another one. */
xmlNode *dal__short_add_named(xmlNode *parent, const char *kind, struct dal__piece name);
/* Puts <append> elements in front of all that is in an element. */
int dal__short_add_appends(xmlNode *element, const struct dal__indexed *name);
/* Returns the last of the ports, iterators and appends of a process, or NULL. */
xmlNode *dal__short_last_port(const xmlNode *process);
/* Lists the iterators around an element, from the innermost out; returns how many there are. */
int dal__short_iterators(xmlNode *element, xmlNode *iterators[DAL__MOST_NESTED]);

/* ---- names ---- */

/* Parses NAME[EXPRESSION][...] in front of `stop` or of the end. Returns the text behind it; NULL
 * if it has another form. */
const char *dal__short_part_name(const char *text, char stop, struct dal__indexed *name);
/* Is a variable in any of the indices? */
int dal__short_mentions(const struct dal__indexed *name, const char *variable);
/* Returns "Dec[]" for a name with one index; for dal_free(), NULL without memory. */
char *dal__short_key(struct dal__piece base, int indices);
/* Enters a key with a number, and takes it over; NULL is without memory. Returns as
 * dal_names_add().
 */
int dal__short_enter(struct dal__expansion *e, struct dal_names *names, char *key, size_t number);

/* Reports an error at an element; the expansion fails then, but goes on. */
void dal__short_refuse(struct dal__expansion *e, const xmlNode *element, const char *code,
                       const char *format, ...) __attribute__((format(printf, 4, 5)));

/* ---- elements of the short form: DAL_OK, also after an error in diags, or DAL_ERR_NOMEM ---- */

/* Makes a process long, and lists it. */
int dal__short_expand_process(struct dal__expansion *e, xmlNode *process);
/* The same for a network within the network. */
int dal__short_expand_network(struct dal__expansion *e, xmlNode *network);
/* Gives a port of the network the indices that its name has. */
int dal__short_expand_port(struct dal__expansion *e, xmlNode *port);
/* Does the part of the above for its sources. */
int dal__short_expand_sources(struct dal__expansion *e, xmlNode *process);
/* Notes the ends of a channel without a name, from which its name is made. */
int dal__short_list_channel(struct dal__expansion *e, xmlNode *channel);
/* Puts the elements that a channel becomes behind it, which then goes. All processes must have been
 * listed. */
int dal__short_expand_channel(struct dal__expansion *e, xmlNode *channel);
/* Declares the port of a channel's end, unless it is there. */
int dal__short_give_port(struct dal__expansion *e, const xmlNode *channel,
                         const struct dal__short_end *end, int output, const char *blocks);
void dal__short_ports_finish(struct dal__short_ports *ports);
