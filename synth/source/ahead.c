/* All C sources of a plan are read side by side, before they are looked at one by one. */
#include "synth/source/reader.h"
#include "synth/source/source.h"
#include "synth/source/unit.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"

#include <string.h>

struct ahead {
    struct dal_plan *plan;
    char *folder;
    struct dal_plan_unit **units; /* that are read */
    struct dal_reading *readings; /* of each */
    size_t count;
};

static int is_read(const struct ahead *ahead, const struct dal_plan_unit *unit)
{
    size_t i;

    for (i = 0; i < ahead->count; i++)
        if (dal__unit_is_alike(ahead->units[i], unit))
            return 1;
    return dal__unit_alike(ahead->plan, unit) != NULL;
}

/* Nothing is said of what cannot be read: that is tried again when the unit is looked at. */
static int add_reading(struct ahead *ahead, struct dal_plan_unit *unit)
{
    struct dal_text text = {0};
    struct dal_diags unsaid;
    int error = dal__unit_front(ahead->plan, unit);

    if (error || is_read(ahead, unit))
        return error;
    dal_diags_init(&unsaid);
    error = dal__unit_files(&unsaid, unit->source, NULL);
    if (!error)
        error = dal_unit_rewrite_foreach(&unsaid, unit, &text);
    dal_diags_finish(&unsaid);
    if (error) {
        dal_text_finish(&text);
        return error == DAL_ERR_NOMEM ? error : DAL_OK;
    }
    ahead->units[ahead->count] = unit;
    ahead->readings[ahead->count++] =
        (struct dal_reading){.path = unit->source->path,
                             .text = text.length ? dal_text_take(&text) : NULL,
                             .folder = ahead->folder,
                             .options = unit->source->cflags,
                             .front = unit->front};
    return DAL_OK;
}

static void finish_ahead(struct ahead *ahead)
{
    while (ahead->count) {
        struct dal_reading *reading = &ahead->readings[--ahead->count];
        ahead->units[ahead->count]->said = reading->said;
        dal_free((char *)reading->text);
    }
    dal_free(ahead->readings);
    dal_free(ahead->units);
    dal_free(ahead->folder);
}

int dal__units_read_ahead(struct dal_plan *plan)
{
    struct ahead ahead = {.plan = plan, .folder = dal_plan_folder(plan)};
    int error = DAL_OK;
    size_t i;

    ahead.units = dal_calloc(plan->unit_count + 1, sizeof(*ahead.units));
    ahead.readings = dal_calloc(plan->unit_count + 1, sizeof(*ahead.readings));
    if (!ahead.folder || !ahead.units || !ahead.readings)
        error = DAL_ERR_NOMEM;
    for (i = 0; i < plan->unit_count && !error; i++)
        if (plan->units[i].source->type != DAL_SOURCE_OPENCL)
            error = add_reading(&ahead, &plan->units[i]);
    if (!error)
        error = dal_read_ahead(ahead.readings, ahead.count);
    finish_ahead(&ahead);
    return error;
}
