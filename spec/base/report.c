#include "spec/base/report.h"

#include "rt/base/error.h"
#include "rt/base/json.h"
#include "spec/base/codes.h"
#include "spec/base/uri.h"

#include <string.h>

enum dal_report dal_report_form(const char *name)
{
    static const char *const names[DAL_REPORTS] = {"text", "json", "sarif"};
    int form = 0;
    while (form < DAL_REPORTS && strcmp(names[form], name) != 0)
        form++;
    return (enum dal_report)form;
}

/* What has been written of a list of entries, each with a list of notes. */
struct writer {
    FILE *out;
    size_t entries, notes;
};

static int is_note(const struct dal_diag *entry)
{
    return entry->level == DAL_DIAG_NOTE && !entry->code;
}

/* Ends the entry before, if there is one. */
static void end_entry(struct writer *writer)
{
    if (writer->entries)
        fputs(writer->notes ? "]}" : "}", writer->out);
    writer->notes = 0;
}

/* Begins an entry, or a note within the last one, whose list has a name. */
static void begin_entry(struct writer *writer, const struct dal_diag *entry, const char *notes)
{
    if (is_note(entry) && writer->entries) {
        dal_json_format(writer->out, writer->notes++ ? ",{" : ",%s:[{", notes);
        return;
    }
    end_entry(writer);
    fputs(writer->entries++ ? ",\n{" : "\n{", writer->out);
}

/* ---- JSON ----------------------------------------------------------------------------------- */

static void write_json(const struct dal_diag *entry, const char *way, void *to)
{
    struct writer *writer = to;
    int inside = is_note(entry) && writer->entries;
    begin_entry(writer, entry, "notes");
    dal_json_format(writer->out, "\"level\":%s", dal_diag_level_name(entry->level));
    if (entry->code)
        dal_json_format(writer->out, ",\"code\":%s", entry->code);
    if (entry->place.file)
        dal_json_format(writer->out, ",\"file\":%s", entry->place.file);
    if (entry->place.file && entry->place.line)
        dal_json_format(writer->out, ",\"line\":%d", entry->place.line);
    if (entry->place.file && entry->place.line && entry->place.column)
        dal_json_format(writer->out, ",\"column\":%d", entry->place.column);
    dal_json_format(writer->out, ",\"message\":%s", entry->message);
    if (way)
        dal_json_format(writer->out, ",\"way\":%s", way);
    if (inside)
        putc('}', writer->out);
}

/* ---- SARIF ---------------------------------------------------------------------------------- */

static void write_location(FILE *out, struct dal_spec_place place)
{
    struct dal_text uri = {0};
    dal_uri_add(&uri, place.file);
    dal_json_format(out, "\"physicalLocation\":{\"artifactLocation\":{\"uri\":%s}",
                    dal_text_get(&uri));
    if (place.line)
        dal_json_format(out, ",\"region\":{\"startLine\":%d", place.line);
    if (place.line && place.column)
        dal_json_format(out, ",\"startColumn\":%d", place.column);
    fputs(place.line ? "}}" : "}", out);
    dal_text_finish(&uri);
}

static void write_sarif(const struct dal_diag *entry, const char *way, void *to)
{
    struct writer *writer = to;
    FILE *out = writer->out;
    int inside = is_note(entry) && writer->entries;
    begin_entry(writer, entry, "relatedLocations");
    if (!inside)
        dal_json_format(out, "\"level\":%s,", dal_diag_level_name(entry->level));
    if (entry->code)
        dal_json_format(out, "\"ruleId\":%s,", entry->code);
    fputs("\"message\":{\"text\":\"", out);
    dal_json_print_text(out, entry->message);
    if (way)
        fputs(", ", out);
    dal_json_print_text(out, way ? way : "");
    fputs("\"}", out);
    if (entry->place.file) {
        fputs(inside ? "," : ",\"locations\":[{", out);
        write_location(out, entry->place);
        fputs(inside ? "" : "}]", out);
    }
    if (inside)
        putc('}', out);
}

static void write_rules(FILE *out)
{
    static const char *const rules[][2] = {
#define RULE(code, meaning) {code, meaning},
        DAL_CODE_LIST(RULE)
#undef RULE
    };
    for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++)
        dal_json_format(out, "%-s\n{\"id\":%s,\"shortDescription\":{\"text\":%s}}", i ? "," : "",
                        rules[i][0], rules[i][1]);
}

/* ---- both ----------------------------------------------------------------------------------- */

static void write_entries(const struct dal_diags *diags, enum dal_report form, FILE *out)
{
    static const struct dal_diag lost = {.level = DAL_DIAG_ERROR};
    struct writer writer = {.out = out};
    void (*write)(const struct dal_diag *, const char *, void *) =
        form == DAL_REPORT_JSON ? write_json : write_sarif;
    dal_diags_each(diags, write, &writer);
    if (diags->lost) {
        struct dal_diag entry = lost;
        entry.message = (char *)dal_strerror(DAL_ERR_NOMEM);
        write(&entry, NULL, &writer);
    }
    end_entry(&writer);
}

void dal_report_write(const struct dal_diags *diags, enum dal_report form, int failed, FILE *out)
{
    if (form == DAL_REPORT_TEXT) {
        dal_diags_print(diags, out);
        return;
    }
    if (form == DAL_REPORT_JSON) {
        dal_json_format(out, "{\"version\":1,\"complete\":%-s,\"left_out\":%zu,\"messages\":[",
                        failed ? "false" : "true", dal_diags_left_out(diags));
        write_entries(diags, form, out);
        fputs("\n]}\n", out);
        return;
    }
    dal_json_format(out,
                    "{\"version\":\"2.1.0\",\"runs\":[{\"tool\":{\"driver\":{\"name\":\"dalsynth\","
                    "\"version\":%s,\"rules\":[",
                    PACKAGE_VERSION);
    write_rules(out);
    dal_json_format(out, "]}},\n\"invocations\":[{\"executionSuccessful\":%-s}],\n\"results\":[",
                    failed ? "false" : "true");
    write_entries(diags, form, out);
    fputs("\n]}]}\n", out);
}
