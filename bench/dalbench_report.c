/* Writes records as JSON and as a table. */
#include "bench/dalbench.h"
#include "rt/base/output.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void write_number(FILE *file, const char *name, double value)
{
    if (isfinite(value))
        fprintf(file, ", \"%s\": %.6g", name, value);
    else
        fprintf(file, ", \"%s\": null", name);
}

/* Writes a record. Names have no character that JSON would escape. */
static void write_record(FILE *file, const struct bench_record *record)
{
    char name[2 * BENCH_NAME];
    double none = NAN;
    bench_name(record, name, sizeof(name));
    fprintf(file, "  {\"experiment\": \"%s\", \"case\": \"%s\"", record->experiment, name);
    fprintf(file, ", \"param\": %.10g", record->param);
    write_number(file, "value", record->value);
    fprintf(file, ", \"unit\": \"%s\"", record->unit);
    write_number(file, "limit", record->has_limit ? record->limit : none);
    write_number(file, "ratio", record->has_limit ? record->ratio : none);
    write_number(file, "value_min", record->value_min);
    write_number(file, "value_max", record->value_max);
    write_number(file, "limit_min", record->has_limit ? record->limit_min : none);
    write_number(file, "limit_max", record->has_limit ? record->limit_max : none);
    fputc('}', file);
}

int bench_write_json(const struct bench *bench, const char *name)
{
    struct dal_output out;
    int status = dal_output_open(&out, "", name);
    if (status)
        return status;
    fputs("[\n", out.file);
    for (size_t i = 0; i < bench->record_count; i++) {
        write_record(out.file, &bench->records[i]);
        fputs(i + 1 < bench->record_count ? ",\n" : "\n", out.file);
    }
    fputs("]\n", out.file);
    return dal_output_close(&out);
}

void bench_print(const struct bench *bench)
{
    char name[2 * BENCH_NAME];
    printf("%-10s  %-46s  %10s  %11s  %-9s  %11s  %7s\n", "experiment", "case", "param", "value",
           "unit", "limit", "ratio");
    for (size_t i = 0; i < bench->record_count; i++) {
        const struct bench_record *r = &bench->records[i];
        bench_name(r, name, sizeof(name));
        printf("%-10s  %-46s  %10.6g  %11.5g  %-9s", r->experiment, name, r->param, r->value,
               r->unit);
        if (r->has_limit)
            printf("  %11.5g  %7.3f\n", r->limit, r->ratio);
        else
            printf("  %11s  %7s\n", "-", "-");
    }
}
