#define _GNU_SOURCE
#include "rt/observe/report.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "rt/base/memory_stream.h"
#include "rt/base/output.h"
#include "rt/base/plugin.h"
#include "rt/observe/heard.h"
#include "rt/observe/stats_file.h"
#include "view/page/page.h"

#include <stdlib.h>
#include <string.h>

static const char ending[] = ".html";

typedef void page_writer(FILE *file, const char *json);

static page_writer *find_page(void)
{
    void *found = dal_plugin_find("libdal-page.so.0", "dal_page_write", "DAL_REPORT", "");
    page_writer *writer;
    memcpy(&writer, &found, sizeof(writer)); /* POSIX: a function's address fits */
    return writer;
}

static int has_ending(const char *name)
{
    size_t length = strlen(name), least = sizeof(ending) - 1;
    return length > least && strcmp(name + length - least, ending) == 0;
}

int dal__report_check(const char *label)
{
    const char *name = dal_report_name();
    char *file;
    int status;
    if (!name)
        return DAL_OK;
    if (!has_ending(name)) {
        dal_log(DAL_LOG_ERROR, "DAL_REPORT=%s: a name that ends in %s is wanted", name, ending);
        return DAL_ERR_UNSUPPORTED;
    }
    if (!find_page())
        return DAL_ERR_UNSUPPORTED;
    file = dal_trace_file(name, label);
    status = file ? dal_output_check("DAL_REPORT=", file) : DAL_ERR_NOMEM;
    dal_free(file);
    return status;
}

/* Prints the data of the page: the file of statistics, and the timeline. */
static int print_json(FILE *file, const struct dal_stats_report *reports, int count,
                      const char *label)
{
    struct dal_trace_part *parts = dal__stats_trace_parts(reports, count);
    int status = parts ? DAL_OK : DAL_ERR_NOMEM;
    fputs("{\"stats\":", file);
    dal__stats_print(file, reports, count, label);
    fputs(",\"messages\":", file);
    dal__heard_print(file);
    fputs(",\"timeline\":", file);
    if (status == DAL_OK)
        status = dal_trace_timeline(file, parts, count);
    fputs("}\n", file);
    dal_free(parts);
    return status;
}

static int make_json(const struct dal_stats_report *reports, int count, const char *label,
                     char **json)
{
    struct dal_memory_stream stream;
    int status;
    dal_memory_open(&stream);
    status = stream.file ? print_json(stream.file, reports, count, label) : DAL_ERR_NOMEM;
    *json = dal_memory_close(&stream);
    if (!*json && status == DAL_OK)
        status = DAL_ERR_NOMEM;
    return status == DAL_ERR_NOMEM ? dal__no_memory() : status;
}

int dal__report_write(const struct dal_stats_report *reports, int count, const char *label)
{
    page_writer *write_page = find_page();
    char *name = write_page ? dal_trace_file(dal_report_name(), label) : NULL, *json = NULL;
    struct dal_output out;
    int status = name         ? make_json(reports, count, label, &json)
                 : write_page ? DAL_ERR_NOMEM
                              : DAL_ERR_UNSUPPORTED;
    if (status == DAL_OK)
        status = dal_output_open(&out, "DAL_REPORT=", name);
    if (status == DAL_OK) {
        write_page(out.file, json);
        status = dal_output_close(&out);
    }
    free(json); /* of the C library's stream */
    dal_free(name);
    return status;
}
