#include "synth/command/diff.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "rt/base/token.h"
#include "spec/base/names.h"
#include "spec/read/recording.h"
#include "synth/command/options.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK = 1 << 16 };

/* A port that both folders have, or one of them. */
struct port {
    struct dal_recording *own[2]; /* NULL: it is not in that folder */
    int differs;
    uint64_t token; /* the first that differs */
    size_t element; /* of it; DAL_TOKENS_SAME: one recording ends there */
    char values[200];
};

struct diff {
    struct dal_diags diags;
    const char *const *folders, *const *said; /* the paths, and what is printed of them */
    struct port *ports;
    size_t count, room;
    struct dal_names names;
};

/* ---- what is there --------------------------------------------------------------------------- */

static int add_recording(struct diff *d, int side, const char *name)
{
    struct dal_recording *recording;
    size_t found;
    int status = dal_recording_read(&d->diags, d->folders[side], name, &recording);
    if (status)
        return status;
    found = dal_names_find(&d->names, recording->port);
    if (found == DAL_NAMES_NONE) {
        if (dal_grow(&d->ports, d->count, &d->room, sizeof(*d->ports)) ||
            dal_names_add(&d->names, recording->port, d->count) == DAL_ERR_NOMEM) {
            dal_recording_free(recording);
            return dal__lost(&d->diags);
        }
        found = d->count++;
        d->ports[found] = (struct port){.element = DAL_TOKENS_SAME};
    }
    dal_recording_free(d->ports[found].own[side]);
    d->ports[found].own[side] = recording;
    return DAL_OK;
}

static int refuse_file(struct diff *d, const char *file, const char *why)
{
    struct dal_spec_place place = {.file = dal_diag_file(&d->diags, file)};
    return dal_error(&d->diags, place, "tap", "%s", why);
}

static int read_folder(struct diff *d, int side)
{
    const struct dirent *entry;
    DIR *all = opendir(d->folders[side]);
    int status = DAL_OK, count = 0;
    if (!all)
        return refuse_file(d, d->said[side], strerror(errno));
    while (!status && (entry = readdir(all))) {
        size_t length = strlen(entry->d_name);
        char *name;
        if (length < 6 || strcmp(entry->d_name + length - 5, ".json") != 0)
            continue;
        name = dal_format("%.*s", (int)length - 5, entry->d_name);
        status = name ? add_recording(d, side, name) : dal__lost(&d->diags);
        dal_free(name);
        count += status != DAL_ERR_IO;
        status = status == DAL_ERR_IO ? DAL_OK : status;
    }
    closedir(all);
    return status || count ? status
                           : refuse_file(d, d->said[side], "it has no recordings (DAL_TAP)");
}

/* ---- comparing ------------------------------------------------------------------------------- */

static struct dal_token_type type_of(const struct dal_recording *r)
{
    return (struct dal_token_type){.name = r->type,
                                   .kind = r->kind,
                                   .count = r->count,
                                   .token_bytes = r->token_bytes,
                                   .most = r->most,
                                   .header_bytes = r->header_bytes};
}

/* Returns the file of a recording at its first token, if it has all of them; else NULL, told. */
static FILE *open_tokens(struct diff *d, int side, const struct dal_recording *r)
{
    char *path = dal_format("%s/%s", d->folders[side], r->file);
    FILE *file = path ? fopen(path, "re") : NULL;
    off_t end = file && fseeko(file, 0, SEEK_END) == 0 ? ftello(file) : -1;
    int is_whole = end >= 0 && (uint64_t)end >= r->offset &&
                   ((uint64_t)end - r->offset) / r->token_bytes >= r->tokens &&
                   fseeko(file, (off_t)r->offset, SEEK_SET) == 0;
    if (!path)
        dal__lost(&d->diags);
    else if (!is_whole)
        refuse_file(d, path, end < 0 ? strerror(errno) : "it ends before its last token");
    if (file && !is_whole)
        fclose(file);
    dal_free(path);
    return is_whole ? file : NULL;
}

/* Compares a chunk of whole tokens. Returns whether they are the same. */
static int compare_chunk(struct port *port, const struct dal_token_type *type,
                         const unsigned char *a, const unsigned char *b, size_t tokens)
{
    size_t bytes = (size_t)type->token_bytes;
    for (size_t i = 0; i < tokens; i++, a += bytes, b += bytes) {
        port->element = dal_token_difference(type, a, b);
        if (port->element == DAL_TOKENS_SAME)
            continue;
        port->differs = 1;
        port->token += i;
        dal_token_print(type, a, b, port->element, port->values, sizeof(port->values));
        return 0;
    }
    port->token += tokens;
    return 1;
}

/* More tokens than another recording has are no difference where that was cut short by chance. */
static void compare_lengths(struct diff *d, struct port *port)
{
    int shorter = port->own[0]->tokens > port->own[1]->tokens;
    const struct dal_recording *r = port->own[shorter];
    struct dal_spec_place place = {.file = dal_diag_file(&d->diags, d->said[shorter])};
    if (port->own[0]->tokens == port->own[1]->tokens)
        return;
    if (strcmp(r->end, "whole") != 0) {
        dal_remark(&d->diags, place, "tap",
                   "the recording of %s is %s after %" PRIu64 " tokens; %" PRIu64
                   " in %s are not compared",
                   r->port, strcmp(r->end, "limit") == 0 ? "full" : r->end, r->tokens,
                   port->own[!shorter]->tokens - r->tokens, d->said[!shorter]);
        return;
    }
    port->differs = 1;
    snprintf(port->values, sizeof(port->values), "%" PRIu64 " and %" PRIu64 " tokens",
             port->own[0]->tokens, port->own[1]->tokens);
}

static int compare_files(struct diff *d, struct port *port, FILE *const files[2],
                         unsigned char *const memory[2], size_t most)
{
    struct dal_token_type type = type_of(port->own[0]);
    uint64_t left = port->own[port->own[0]->tokens > port->own[1]->tokens]->tokens;
    while (left > 0) {
        size_t tokens = left < most ? (size_t)left : most;
        for (int side = 0; side < 2; side++)
            if (fread(memory[side], (size_t)type.token_bytes, tokens, files[side]) != tokens)
                return side;
        if (!compare_chunk(port, &type, memory[0], memory[1], tokens))
            return -1;
        left -= tokens;
    }
    compare_lengths(d, port);
    return -1;
}

static int compare_tokens(struct diff *d, struct port *port)
{
    size_t bytes = (size_t)port->own[0]->token_bytes, most = bytes < CHUNK ? CHUNK / bytes : 1;
    unsigned char *const memory[2] = {dal_alloc(bytes * most), dal_alloc(bytes * most)};
    FILE *const files[2] = {open_tokens(d, 0, port->own[0]), open_tokens(d, 1, port->own[1])};
    int status = memory[0] && memory[1] ? DAL_OK : dal__lost(&d->diags), bad;
    if (!status && files[0] && files[1]) {
        bad = compare_files(d, port, files, memory, most);
        if (bad >= 0)
            status = refuse_file(d, d->said[bad], "a file cannot be read");
    } else if (!status) {
        status = DAL_ERR_IO;
    }
    for (int side = 0; side < 2; side++) {
        if (files[side])
            fclose(files[side]);
        dal_free(memory[side]);
    }
    return status;
}

static int compare_port(struct diff *d, struct port *port)
{
    const struct dal_recording *a = port->own[0], *b = port->own[1];
    if (a && b && a->kind == b->kind && a->count == b->count && a->token_bytes == b->token_bytes &&
        a->most == b->most)
        return compare_tokens(d, port);
    port->differs = 1;
    if (a && b)
        snprintf(port->values, sizeof(port->values), "tokens of another type");
    else
        snprintf(port->values, sizeof(port->values), "only in %.150s", d->said[!a]);
    return DAL_OK;
}

/* ---- what comes first ------------------------------------------------------------------------ */

static const struct dal_recording *any_of(const struct port *port)
{
    return port->own[0] ? port->own[0] : port->own[1];
}

static int compare_places(const void *a, const void *b)
{
    const struct dal_recording *x = any_of(a), *y = any_of(b);
    if (x->order != y->order)
        return x->order < y->order ? -1 : 1;
    return strcmp(x->port, y->port);
}

/* Has the process read a wrong token by the firing, or the cycle, of its own? Where there are no
 * rates, it may have read any. */
static int has_cause(const struct diff *d, const struct port *port)
{
    const struct dal_recording *r = any_of(port);
    uint64_t firing = r->rate ? port->token / r->rate : 0;
    for (size_t i = 0; i < r->input_count; i++) {
        const struct dal_recording_input *input = &r->inputs[i];
        size_t number = dal_names_find(&d->names, input->of);
        const struct port *from = number == DAL_NAMES_NONE ? NULL : &d->ports[number];
        if (from && from->differs &&
            (!r->rate || !input->rate || from->token + input->initial < (firing + 1) * input->rate))
            return 1;
    }
    return 0;
}

/* In rings of channels nothing is upstream; there it is the process that was wrong by itself. With
 * processes without rates in them, that is not known, and any of the ring comes first. */
static const struct port *find_first(const struct diff *d)
{
    for (size_t i = 0; i < d->count; i++)
        if (d->ports[i].differs && !has_cause(d, &d->ports[i]))
            return &d->ports[i];
    for (size_t i = 0; i < d->count; i++)
        if (d->ports[i].differs)
            return &d->ports[i];
    return NULL;
}

static void print_port(const struct port *port, const char *before)
{
    const struct dal_recording *r = any_of(port);
    printf("%s%s: ", before, r->port);
    if (r->rate && port->own[0] && port->own[1])
        printf("firing %" PRIu64 ", ", dal_recording_firing(r, port->token));
    if (port->element != DAL_TOKENS_SAME)
        printf("token %" PRIu64 ", %s %zu%s%s%s: ", port->token,
               r->kind == 'V' ? "byte" : "element", port->element, *r->type ? " (" : "", r->type,
               *r->type ? ")" : "");
    printf("%s\n", port->values);
}

/* ---- all of it ------------------------------------------------------------------------------- */

static int list_again(struct diff *d)
{
    dal_names_finish(&d->names);
    d->names = (struct dal_names){0};
    if (d->count)
        qsort(d->ports, d->count, sizeof(*d->ports), compare_places);
    for (size_t i = 0; i < d->count; i++)
        if (dal_names_add(&d->names, any_of(&d->ports[i])->port, i) == DAL_ERR_NOMEM)
            return dal__lost(&d->diags);
    return DAL_OK;
}

static int compare_all(struct diff *d)
{
    int status = read_folder(d, 0);
    if (!status)
        status = read_folder(d, 1);
    if (!status)
        status = list_again(d);
    for (size_t i = 0; i < d->count && !status; i++)
        status = compare_port(d, &d->ports[i]);
    return status;
}

static void print_all(struct diff *d)
{
    const struct port *first = find_first(d);
    if (!first)
        return;
    print_port(first, "");
    for (size_t i = 0; i < d->count; i++)
        if (d->ports[i].differs && &d->ports[i] != first)
            print_port(&d->ports[i], "  then ");
}

int dal_diff(struct dal_request *request, const char *const folders[2], const char *const names[2])
{
    struct diff d = {.folders = folders, .said = names};
    int result = DAL_DIFF_SAME, status;
    dal_diags_init(&d.diags);
    status = compare_all(&d);
    if (!status)
        print_all(&d);
    for (size_t i = 0; i < d.count; i++) {
        result |= d.ports[i].differs ? DAL_DIFF_DIFFERENT : DAL_DIFF_SAME;
        dal_recording_free(d.ports[i].own[0]);
        dal_recording_free(d.ports[i].own[1]);
    }
    dal_free(d.ports);
    dal_names_finish(&d.names);
    return dal_request_end(&d.diags, request->verb->name, status) ? DAL_DIFF_TROUBLE : result;
}
