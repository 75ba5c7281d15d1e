/* The check, in its process: what dalsynth --check does, over every document that is open. */
#define _GNU_SOURCE
#include "synth/lsp/check.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "rt/base/json.h"
#include "rt/base/memory_stream.h"
#include "rt/base/output.h"
#include "spec/base/file.h"
#include "synth/command/here.h"
#include "synth/lsp/folder.h"
#include "synth/program/applications.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_LINE = 64 << 20 };

/* Names of files that are there in memory alone. */
static const char here_file[] = "/this machine", all_file[] = "/all cores";

/* The messages of a file. */
struct page {
    char real[PATH_MAX];
    char *text; /* or NULL */
    size_t length;
    char *items; /* JSON */
    size_t bytes;
};

struct job {
    const struct dal_lsp_documents *documents;
    const struct dal_lsp_document *document; /* that is checked */
    struct page **pages;
    size_t count, room;
    struct page *page; /* that of the last entry */
    struct dal_text explained, message;
    int severity, lost;
    int only_loads; /* no plan is made, and no source read */
    size_t errors;
    struct dal_spec_place place; /* of the message */
    const char *code;
};

static const struct dal_lsp_documents *open_documents;
static struct dal_text here_cores, here_mapping;
static char complaint[500]; /* the last error that was logged */

static const char *text_of(const char *path, size_t *length)
{
    const struct dal_text *made = strcmp(path, here_file) == 0  ? &here_cores
                                  : strcmp(path, all_file) == 0 ? &here_mapping
                                                                : NULL;
    const struct dal_lsp_document *document = made ? NULL : dal_lsp_find_path(open_documents, path);
    *length = made ? made->length : document ? document->length : 0;
    return made ? dal_text_get(made) : document ? document->text : NULL;
}

static void take_complaint(enum dal_log_level level, const char *message)
{
    if (level == DAL_LOG_ERROR)
        snprintf(complaint, sizeof(complaint), "%s", message);
}

/* ---- pages ---------------------------------------------------------------------------------- */

/* Finds the page of a file, or makes one. NULL without memory. */
static struct page *page_of(struct job *job, const char *path)
{
    struct page *page = dal_calloc(1, sizeof(*page));
    const char *why;
    if (!page || dal_grow(&job->pages, job->count, &job->room, sizeof(page))) {
        dal_free(page);
        return NULL;
    }
    if (!realpath(path, page->real))
        snprintf(page->real, sizeof(page->real), "%s", path);
    for (size_t i = 0; i < job->count; i++)
        if (strcmp(job->pages[i]->real, page->real) == 0) {
            dal_free(page);
            return job->pages[i];
        }
    if (dal_file_read(path, MOST_LINE, &page->text, &page->length, &why))
        page->text = NULL;
    return job->pages[job->count++] = page;
}

/* Prints the range of a place: from its column, or the first letter of its line, to the line's end.
 */
static void print_range(FILE *out, const struct page *page, struct dal_spec_place place)
{
    const char *text = page->text ? page->text : "";
    size_t length = page->text ? page->length : 0, line = place.line > 0 ? (size_t)place.line : 1;
    size_t begin = dal_lsp_line(text, length, line - 1), end = begin;
    while (end < length && text[end] != '\n' && text[end] != '\r')
        end++;
    for (int i = 1; i < place.column && begin < end; i++)
        begin++;
    while (!place.column && begin < end && strchr(" \t", text[begin]))
        begin++;
    dal_lsp_print_range(out, text, begin, end);
}

static int append(struct page *page, const char *item)
{
    size_t length = strlen(item);
    char *items;
    if (page->items && strstr(page->items, item)) /* networks share files */
        return DAL_OK;
    items = dal_realloc(page->items, page->bytes + length + 2, 1);
    if (!items)
        return DAL_ERR_NOMEM;
    if (page->bytes)
        items[page->bytes++] = ',';
    memcpy(items + page->bytes, item, length + 1);
    page->items = items;
    page->bytes += length;
    return DAL_OK;
}

/* Adds the message that has been collected, with the notes that explain it, to its page. */
static void end_message(struct job *job)
{
    struct dal_memory_stream stream;
    char *item;
    if (!job->message.length)
        return;
    dal_memory_open(&stream);
    if (stream.file) {
        fputs("{\"range\":", stream.file);
        print_range(stream.file, job->page, job->place);
        dal_json_format(stream.file, ",\"severity\":%d,\"source\":\"dal\",\"message\":%s",
                        job->severity, dal_text_get(&job->message));
        if (job->code)
            dal_json_format(stream.file, ",\"code\":%s", job->code);
        fputs("}", stream.file);
    }
    item = dal_memory_close(&stream);
    job->lost |= !item || job->message.lost || append(job->page, item);
    free(item);
    dal_text_finish(&job->message);
}

/* A file that is not of the user's, such as an architecture of this machine, has its messages at
 * the document that is checked. */
static void begin_message(struct job *job, const struct dal_diag *entry)
{
    const char *path = entry->place.file;
    int is_here = path && *path == '/' && strcmp(path, here_file) && strcmp(path, all_file);
    job->page = page_of(job, is_here ? path : job->document->path);
    job->lost |= !job->page;
    job->place = is_here ? entry->place : (struct dal_spec_place){0};
    job->code = entry->code;
    job->severity = (int)entry->level + 1;
    if (entry->code && strcmp(entry->code, "open-variable") == 0) /* who uses it has the value */
        job->severity = (int)DAL_DIAG_NOTE + 1;
}

static void take_entry(const struct dal_diag *entry, const char *way, void *to)
{
    struct job *job = to;
    int is_note = entry->level == DAL_DIAG_NOTE && !entry->code && job->message.length;
    if (!is_note) {
        end_message(job);
        begin_message(job, entry);
    }
    if (!job->page)
        return;
    if (is_note && entry->place.file && entry->place.line)
        dal_text_printf(&job->message, "\n%s:%d: ", dal_path_base(entry->place.file),
                        entry->place.line);
    else if (is_note)
        dal_text_add(&job->message, "\n");
    dal_text_printf(&job->message, "%s%s%s", entry->message, way ? ", " : "", way ? way : "");
}

/* ---- a document ----------------------------------------------------------------------------- */

/* The files that are checked together. */
struct files {
    char *network, *architecture, *mapping, *fsm;
};

/* Finds what belongs to a mapping: the network that it names, and the machine in its folder. */
static int find_files(struct dal_diags *diags, const char *mapping, struct files *files)
{
    struct dal_spec_place place = {.file = dal_diag_file(diags, mapping)};
    const struct dal_lsp_document *document = dal_lsp_find_path(open_documents, mapping);
    struct dal_lsp_scan scan;
    char *name = NULL;
    if (!dal_lsp_scan(&scan, document->text, document->length) && scan.count) {
        struct dal_lsp_part part = dal_lsp_value(&scan, 0, "processnetwork");
        name = part.length ? dal_format("%.*s", (int)part.length, document->text + part.at) : NULL;
    }
    dal_lsp_scan_finish(&scan);
    files->network = dal_lsp_beside(mapping, "processnetwork", name);
    files->architecture = dal_lsp_beside(mapping, "architecture", NULL);
    if (!files->network)
        dal_remark(diags, place, "file", "no network '%s' is in this folder: nothing is checked",
                   name ? name : "");
    else if (!files->architecture)
        dal_remark(diags, place, "file",
                   "no architecture is in this folder, so that nothing is checked: 'dal info "
                   "--architecture -o architecture.xml' makes one");
    dal_free(name);
    return files->network && files->architecture ? DAL_OK : DAL_ERR_INVALID;
}

/* Tells what is planned, for hovers. */
static void explain(struct job *job, const struct dal_applications *all)
{
    for (size_t i = 0; i < all->count; i++) {
        struct dal_text tables = {0};
        dal_explain_tables(all->list[i].plan, &tables);
        dal_text_printf(&job->explained, "X%zu %s\n", tables.length, all->list[i].network_file);
        dal_text_add_bytes(&job->explained, dal_text_get(&tables), tables.length);
        job->explained.lost |= tables.lost;
        dal_text_finish(&tables);
    }
}

static int check_files(struct job *job, struct dal_diags *diags, const struct files *files)
{
    struct dal_applications all = {0};
    const char *architecture = files->architecture ? files->architecture : here_file;
    const char *mapping = files->mapping ? files->mapping : all_file;
    int status = files->fsm ? dal_applications_of_fsm(diags, &all, files->fsm, NULL, 0)
                            : dal_applications_only(diags, &all, files->network, mapping, NULL, 0);
    if (!status)
        status = dal_applications_load(diags, &all, architecture, NULL);
    if (!status && !job->only_loads)
        status = dal_applications_place(diags, &all, 0);
    if (!status && !job->only_loads)
        status = dal_applications_plan(diags, &all);
    if (!status && !job->only_loads)
        explain(job, &all);
    dal_applications_finish(&all);
    return status;
}

/* Checks a document, by its root element. Returns DAL_ERR_INVALID for one that is not checked. */
static int check_document(struct job *job, struct dal_diags *diags)
{
    const struct dal_lsp_document *document = job->document;
    struct files files = {0};
    char root[64], *own = dal_strdup(document->path);
    int status = own ? DAL_OK : DAL_ERR_NOMEM;
    dal_lsp_root(document->text, document->length, root);
    if (strcmp(root, "mapping") == 0)
        status = status ? status : find_files(diags, document->path, &files);
    if (strcmp(root, "mapping") == 0)
        files.mapping = own;
    else if (strcmp(root, "fsm") == 0)
        files.fsm = own;
    else
        files.network = own;
    if (!status)
        status = check_files(job, diags, &files);
    dal_free_all(files.network, files.architecture, files.mapping, files.fsm);
    return status;
}

/* Is a document one that is checked by itself? A machine is checked with what is mapped to it.
 * Other files of XML are somebody else's. */
static int is_checked(const struct dal_lsp_document *document)
{
    static const char *const kinds[] = {"", "processnetwork", "mapping", "fsm"};
    char root[64], *colon;
    size_t length = document->path ? strlen(document->path) : 0;
    if (length < 4 || strcmp(document->path + length - 4, ".xml") != 0)
        return 0;
    dal_lsp_root(document->text, document->length, root);
    colon = strchr(root, ':'); /* behind the prefix of a namespace */
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
        if (strcmp(colon ? colon + 1 : root, kinds[i]) == 0)
            return 1;
    return 0;
}

static void check_one(struct job *job)
{
    struct dal_diags diags;
    int status;
    dal_diags_init(&diags);
    *complaint = '\0';
    status = check_document(job, &diags);
    job->page = NULL;
    if (status && !diags.count)
        dal_error(&diags, (struct dal_spec_place){0}, "file", "%s",
                  *complaint ? complaint : dal_strerror(status));
    job->errors += diags.errors;
    dal_diags_each(&diags, take_entry, job);
    end_message(job);
    dal_diags_finish(&diags);
}

/* ---- the process ---------------------------------------------------------------------------- */

static int write_pages(struct job *job)
{
    struct dal_memory_stream stream;
    char *text;
    int status;
    dal_memory_open(&stream);
    for (size_t i = 0; stream.file && i < job->count; i++) {
        const struct page *page = job->pages[i];
        if (!page->items)
            continue;
        fprintf(stream.file, "P%zu ", page->bytes);
        dal_lsp_print_uri(stream.file, job->documents, page->real);
        fprintf(stream.file, "\n%s", page->items);
    }
    text = dal_memory_close(&stream);
    status = text ? dal_write_all(STDOUT_FILENO, text, stream.bytes) : DAL_ERR_NOMEM;
    free(text);
    return status;
}

static void check_all(struct job *job, int only_loads)
{
    job->only_loads = only_loads;
    for (size_t i = 0; i < job->documents->count; i++) {
        job->document = &job->documents->list[i];
        if (is_checked(job->document))
            check_one(job);
    }
}

int dal_lsp_check_run(const void *documents)
{
    static const char right[] = "Q0 \n";
    struct job job = {.documents = documents};
    open_documents = documents;
    dal_files_replace(text_of);
    dal_log_listen(take_complaint);
    if (dal_here_write(&here_cores, &here_mapping) || here_cores.lost || here_mapping.lost)
        return 1;
    check_all(&job, 1);
    if (!job.errors && !job.lost &&
        (write_pages(&job) || dal_write_all(STDOUT_FILENO, right, strlen(right))))
        return 1;
    check_all(&job, 0);
    if (job.lost || job.explained.lost || write_pages(&job))
        return 1;
    return dal_write_all(STDOUT_FILENO, dal_text_get(&job.explained), job.explained.length) != 0;
}
