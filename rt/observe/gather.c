/*
 * The reports of a run (rt/observe/stats.h) become one table and one file each. On several nodes
 * every rank sends its texts to the first one, which writes them. After an error each rank writes
 * its own.
 */
#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "rt/nodes/end.h"
#include "rt/observe/observers.h"
#include "rt/observe/stats.h"

#include <string.h>

/* Precedes the texts, each of which ends with a zero. */
struct head {
    int64_t wall_ns, clock_error_ns;
    uint64_t bytes[DAL_STATS_SECTIONS];
};

/* ---- to the first rank ----------------------------------------------------------------------- */

/* Leaves the trace out where a message cannot be so large. Returns the message's size. */
static size_t fit_message(const struct dal_nodes *nodes, struct head *head)
{
    size_t most = nodes->whole->transport->most_bytes, bytes = sizeof(*head);
    for (int i = 0; i < DAL_STATS_SECTIONS; i++)
        bytes += head->bytes[i];
    if (most == 0 || bytes <= most || head->bytes[DAL_STATS_TRACE] == 0)
        return bytes;
    dal_log(DAL_LOG_WARNING,
            "node %s: its report has %zu bytes, and a message at most %zu: it has no trace; "
            "DAL_TRACE_MB keeps it small",
            dal_nodes_name(nodes), bytes, most);
    bytes -= head->bytes[DAL_STATS_TRACE] - 1;
    head->bytes[DAL_STATS_TRACE] = 1;
    return bytes;
}

static int send_report(const struct dal_network *network, const struct dal_stats_report *report)
{
    struct head head = {report->wall_ns, network->nodes->clock.error_ns, {0}};
    size_t bytes;
    unsigned char *message, *to;
    int status;
    for (int i = 0; i < DAL_STATS_SECTIONS; i++)
        head.bytes[i] = report->texts[i] ? report->bytes[i] + 1 : 0;
    bytes = fit_message(network->nodes, &head);
    message = to = dal_alloc(bytes);
    if (!message) { /* nobody shall wait for it */
        dal_nodes_gather(network->nodes, "", 0);
        return dal_no_memory();
    }
    memcpy(to, &head, sizeof(head));
    to += sizeof(head);
    for (int i = 0; i < DAL_STATS_SECTIONS; to += head.bytes[i++])
        if (head.bytes[i]) {
            memcpy(to, report->texts[i], head.bytes[i] - 1);
            to[head.bytes[i] - 1] = '\0';
        }
    status = dal_nodes_gather(network->nodes, message, bytes);
    network->nodes->reports.sent = message;
    return status;
}

/* ---- in the first rank ----------------------------------------------------------------------- */

/* Reads the texts without copying them. Returns whether all are there. */
static int read_texts(struct dal_nodes_report from, struct dal_stats_report *report,
                      int64_t *error_ns)
{
    struct head head;
    size_t left;
    char *text;
    if (from.count < sizeof(head))
        return 0;
    memcpy(&head, from.bytes, sizeof(head));
    text = (char *)(uintptr_t)from.bytes + sizeof(head);
    left = from.count - sizeof(head);
    report->wall_ns = head.wall_ns;
    *error_ns = head.clock_error_ns;
    for (int i = 0; i < DAL_STATS_SECTIONS; i++) {
        if (head.bytes[i] == 0 || head.bytes[i] > left || text[head.bytes[i] - 1])
            return 0;
        report->texts[i] = text;
        report->bytes[i] = head.bytes[i] - 1;
        text += head.bytes[i];
        left -= head.bytes[i];
    }
    return 1;
}

/* Reads a rank's report. A rank that could not make all texts has sent fewer. */
static int read_report(const struct dal_network *network, int rank, struct dal_stats_report *report,
                       int64_t *error_ns)
{
    if (read_texts(dal_nodes_report_of(network->nodes, rank), report, error_ns))
        return DAL_OK;
    dal_log(DAL_LOG_ERROR, "node %s (rank %d) has no report", network->whole->nodes[rank], rank);
    return DAL_ERR_NODE;
}

/* Returns {"NODE": nanoseconds, ..} of all nodes but the first, whose clock counts. */
static char *tell_errors(const struct dal_network *network, const int64_t *errors_ns)
{
    char *text = dal_strdup("\"clock error ns\":{"), *longer;
    for (int i = 1; text && i < network->whole->node_count; i++) {
        longer = dal_format("%s%s\"%s\":%lld", text, i > 1 ? "," : "", network->whole->nodes[i],
                            (long long)errors_ns[i]);
        dal_free(text);
        text = longer;
    }
    longer = text ? dal_format("%s}", text) : NULL;
    dal_free(text);
    return longer;
}

static int write_all(const struct dal_network *network, const struct dal_stats_report *reports,
                     const int64_t *errors_ns)
{
    int count = network->whole->node_count, status;
    int64_t most_ns = 0;
    char *about = tell_errors(network, errors_ns), *heading;
    for (int i = 1; i < count; i++)
        most_ns = errors_ns[i] > most_ns ? errors_ns[i] : most_ns;
    heading = dal_format("%s on %d nodes, clocks agree to %.3f us at the start",
                         network->label ? network->label : network->whole->name, count,
                         1e-3 * (double)most_ns);
    status = about && heading
                 ? dal_observers_write(network, &(struct dal_reports){reports, count, heading,
                                                                      network->label, about})
                 : dal_no_memory();
    dal_free(about);
    dal_free(heading);
    return status;
}

static int merge_reports(const struct dal_network *network, const struct dal_stats_report *own)
{
    int count = network->whole->node_count;
    struct dal_stats_report *reports = dal_calloc((size_t)count, sizeof(*reports));
    int64_t *errors_ns = dal_calloc((size_t)count, sizeof(*errors_ns));
    int status = reports && errors_ns ? DAL_OK : dal_no_memory();
    for (int i = 1; status == DAL_OK && i < count; i++)
        status = read_report(network, i, &reports[i], &errors_ns[i]);
    if (status == DAL_OK) {
        reports[0] = *own;
        status = write_all(network, reports, errors_ns);
    }
    dal_free(reports);
    dal_free(errors_ns);
    return status;
}

/* Gathers the reports, in all ranks; `status` is the result of making this rank's. Receives the
 * others' even if that failed. */
static int gather_reports(const struct dal_network *network, const struct dal_stats_report *report,
                          int status)
{
    int first = network->nodes->link->rank == 0;
    int moved = first ? dal_nodes_gather(network->nodes, NULL, 0) : send_report(network, report);
    if (status < 0 || moved < 0)
        return status < 0 ? status : moved;
    return first ? merge_reports(network, report) : DAL_OK;
}

/* ---- one report ------------------------------------------------------------------------------ */

/* Makes the label of a rank's own files, which also has the node's name; *own is NULL without any.
 * Returns DAL_OK or DAL_ERR_NOMEM, logged. */
static int make_own_label(const struct dal_nodes *nodes, const char *label, char **own)
{
    const char *node = nodes ? dal_nodes_name(nodes) : NULL;
    *own = NULL;
    if (!node && !label)
        return DAL_OK;
    *own = node && label ? dal_format("%s-%s", label, node) : dal_strdup(node ? node : label);
    return *own ? DAL_OK : dal_no_memory();
}

int dal_reports_check(const struct dal_nodes *nodes, const char *label)
{
    char *own;
    int status;
    if (nodes && nodes->link->rank == 0) /* the first rank writes for all */
        return dal_observers_check(label);
    status = make_own_label(nodes, label, &own);
    if (status == DAL_OK)
        status = dal_observers_check(own);
    dal_free(own);
    return status;
}

static int write_own(const struct dal_network *network, const struct dal_stats_report *report)
{
    char *label;
    int status = make_own_label(network->nodes, network->label, &label);
    if (status == DAL_OK)
        status = dal_observers_write(network, &(struct dal_reports){report, 1, label, label, NULL});
    dal_free(label);
    return status;
}

int dal_reports_write(const struct dal_network *network)
{
    struct dal_stats_report report = {0};
    int gathers = network->nodes && dal_nodes_gathers(network->nodes), status;
    if (!gathers && !dal_observers_need(network, DAL_NEEDS_REPORT))
        return DAL_OK;
    status = dal_stats_make(network, &report);
    if (gathers)
        status = gather_reports(network, &report, status);
    else if (status == DAL_OK)
        status = write_own(network, &report);
    dal_stats_finish(&report);
    return status;
}
