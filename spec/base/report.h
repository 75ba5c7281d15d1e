/*
 * Diagnostics for other programs: editors, scripts, and services that show them beside the code.
 * One thread.
 */
#pragma once

#include "spec/base/diag.h"

enum dal_report { DAL_REPORT_TEXT, DAL_REPORT_JSON, DAL_REPORT_SARIF, DAL_REPORTS };

/* Returns the form of this name, "text", "json" or "sarif"; DAL_REPORTS for any other. */
enum dal_report dal_report_form(const char *name);

/*
 * Writes all entries in the order of dal_diags_each(), as one object of JSON or a log of SARIF
 * 2.1.0. Notes are within the entry that they explain. `failed` says that the work has ended for
 * another reason than the errors. Text is dal_diags_print()'s.
 */
void dal_report_write(const struct dal_diags *diags, enum dal_report form, int failed, FILE *out);
