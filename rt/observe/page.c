/*
 * DAL_REPORT=FILE.html writes a page of the run, as one file that needs no other. It is dalview's
 * page, with the statistics of DAL_STATS=FILE and the newest events of DAL_TRACE. At the end it is
 * there whole, or not at all.
 *
 * The page is in libdal-page, which lies beside libdal and is loaded when wanted. A program of
 * several applications writes a page for each run of each. A program on several nodes writes one
 * for all.
 */
#define _GNU_SOURCE
#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "rt/base/memory_stream.h"
#include "rt/base/plugin.h"
#include "rt/observe/log_tail.h"
#include "rt/observe/stats_file.h"
#include "view/page/page.h"

static const char ending[] = ".html";

typedef void page_writer(FILE *file, const char *json);

static page_writer *find_page(void)
{
    void *found = dal_plugin_find("libdal-page.so.0", "dal_page_write", "DAL_REPORT", "");
    page_writer *writer;
    memcpy(&writer, &found, sizeof(writer)); /* POSIX: a function's address fits */
    return writer;
}

static int check_page(const char *label)
{
    const char *name = dal_report_name();
    size_t length = strlen(name), least = sizeof(ending) - 1;
    (void)label;
    if (length <= least || strcmp(name + length - least, ending) != 0) {
        dal_log(DAL_LOG_ERROR, "DAL_REPORT=%s: a name that ends in %s is wanted", name, ending);
        return DAL_ERR_INVALID;
    }
    return find_page() ? DAL_OK : DAL_ERR_UNSUPPORTED;
}

/* The page shows the messages from here on, also those after the last firing. */
static int start_page(struct dal_network *network, void **state)
{
    (void)network;
    (void)state;
    dal__log_tail_keep();
    return DAL_OK;
}

/* Prints the data of the page: the file of statistics, and the timeline. */
static int print_json(FILE *file, const struct dal_reports *all)
{
    struct dal_trace_part *parts = dal__trace_parts(all);
    int status = parts ? DAL_OK : dal_no_memory();
    fputs("{\"stats\":", file);
    dal__stats_print(file, all);
    fputs(",\"messages\":", file);
    dal__log_tail_print(file);
    fputs(",\"timeline\":", file);
    if (status == DAL_OK)
        status = dal_trace_timeline(file, parts, all->count);
    fputs("}\n", file);
    dal_free(parts);
    return status;
}

static int print_page(FILE *file, const struct dal_reports *all)
{
    page_writer *write_page = find_page();
    struct dal_memory_stream stream;
    int status = DAL_ERR_UNSUPPORTED;
    char *json;
    dal_memory_open(&stream);
    if (stream.file && write_page)
        status = print_json(stream.file, all);
    json = dal_memory_close(&stream);
    if (write_page && !json)
        status = dal_no_memory();
    if (status == DAL_OK)
        write_page(file, json);
    free(json); /* of the C library's stream */
    return status;
}

const struct dal_observer dal_observe_page = {.name = "page",
                                              .variable = "DAL_REPORT=",
                                              .file_name = dal_report_name,
                                              .needs = DAL_NEEDS_TIMES | DAL_NEEDS_SPREADS |
                                                       DAL_NEEDS_REPORT,
                                              .check = check_page,
                                              .start = start_page,
                                              .print = print_page};
