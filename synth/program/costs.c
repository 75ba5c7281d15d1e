#include "synth/program/costs.h"

#include "rt/base/cores.h"
#include "rt/base/error.h"

#include <inttypes.h>
#include <string.h>

enum { DAY_S = 24 * 60 * 60, OLD_DAYS = 90 };

static const char advice[] = "measure anew with 'dalinfo --architecture --measure'";

/* Clocks of two machines may differ by up to a day. */
static void check_age(struct dal_diags *diags, const struct dal_spec_measured *measured,
                      int64_t now_s)
{
    int64_t days = (now_s - measured->at_s) / DAY_S;
    if (now_s - measured->at_s > (int64_t)OLD_DAYS * DAY_S)
        dal_warning(diags, measured->place, "old-costs",
                    "the costs of this machine were measured %" PRId64 " days ago; %s", days,
                    advice);
    else if (measured->at_s - now_s > DAY_S)
        dal_warning(diags, measured->place, "old-costs",
                    "the costs of this machine were measured on %s, which is still to come; %s",
                    measured->at, advice);
}

/* Warns of costs of another machine. If the system does not tell its cores, there is no warning. */
static int check_machine(struct dal_diags *diags, const struct dal_spec_measured *measured)
{
    char digest[DAL_CORES_DIGEST];
    struct dal_cores cores;
    int status = dal_cores_init(&cores);
    if (status != DAL_OK)
        return status == DAL_ERR_NOMEM ? status : DAL_OK;
    dal_cores_digest(&cores, digest);
    dal_cores_finish(&cores);
    if (strcmp(digest, measured->cores) != 0)
        dal_warning(diags, measured->place, "foreign-costs",
                    "the costs were measured on another machine: its cores are others than here; "
                    "%s on the machine that the program is for",
                    advice);
    return DAL_OK;
}

int dal_costs_check(struct dal_diags *diags, const struct dal_spec_measured *measured,
                    int64_t now_s)
{
    if (!measured->is_given)
        return DAL_OK;
    check_age(diags, measured, now_s);
    return check_machine(diags, measured);
}
