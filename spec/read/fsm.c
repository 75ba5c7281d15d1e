/* Reads state machines of several applications. */
#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "spec/base/file.h"
#include "spec/model/fsm.h"
#include "spec/read/raw.h"
#include "spec/read/xml.h"

#include <string.h>

#define MAX_APPLICATIONS 256
#define MAX_STATES       1024
#define MAX_TRANSITIONS  16384

/* Adds an element to an array of the model, as dal__add(). */
static void *add_item(struct dal__reader *reader, const xmlNode *element, void *array,
                      size_t *count, size_t bytes, size_t most, int *status)
{
    char things[64];
    const struct dal__limit limit = {.most = most, .things = things, .code = "fsm-size"};
    snprintf(things, sizeof(things), "elements '%s'", (const char *)element->name);
    return dal__add(reader, element, &limit, array, count, bytes, status);
}

/* Reads the name of a file from an attribute, as seen from this file's folder. */
static int read_file_name(struct dal__reader *reader, const xmlNode *element, const char *attribute,
                          char **file)
{
    char *location;
    int status = dal__xml_text(reader, element, attribute, &location);
    if (status)
        return status;
    *file = dal__beside(dal__xml_place(element).file, location);
    dal_free(location);
    return *file ? DAL_OK : dal__lost(reader->diags);
}

static int read_application(struct dal__reader *reader, struct dal_spec_fsm *fsm,
                            const xmlNode *element)
{
    int status;
    struct dal_spec_fsm_application *application =
        add_item(reader, element, &fsm->applications, &fsm->application_count, sizeof(*application),
                 MAX_APPLICATIONS, &status);
    if (!application)
        return status;
    application->place = dal__xml_place(element);
    status = dal__xml_text(reader, element, "name", &application->name);
    if (!status)
        status = read_file_name(reader, element, "network", &application->network_file);
    if (!status)
        status = read_file_name(reader, element, "mapping", &application->mapping_file);
    return status;
}

static int read_use(struct dal__reader *reader, struct dal_spec_fsm_state *state,
                    const xmlNode *element)
{
    int status;
    struct dal_spec_fsm_use *use = add_item(reader, element, &state->uses, &state->use_count,
                                            sizeof(*use), 2 * MAX_APPLICATIONS, &status);
    if (!use)
        return status;
    use->place = dal__xml_place(element);
    use->want = dal__xml_is(element, "paused") ? DAL_FSM_PAUSED : DAL_FSM_RUNNING;
    return dal__xml_text(reader, element, "application", &use->name);
}

static int read_state(struct dal__reader *reader, struct dal_spec_fsm *fsm, const xmlNode *element)
{
    int status;
    struct dal_spec_fsm_state *state = add_item(reader, element, &fsm->states, &fsm->state_count,
                                                sizeof(*state), MAX_STATES, &status);
    if (!state)
        return status;
    state->place = dal__xml_place(element);
    state->end = dal__xml_is(element, "endstate");
    status = dal__xml_text(reader, element, "name", &state->name);
    state->initial = dal__xml_is_true(dal__xml_get(element, "initial"));
    DAL__XML_EACH(child, element)
    {
        if (!status)
            status = read_use(reader, state, child);
    }
    return status;
}

static int read_transition(struct dal__reader *reader, struct dal_spec_fsm *fsm,
                           const xmlNode *element)
{
    int status;
    struct dal_spec_fsm_transition *transition =
        add_item(reader, element, &fsm->transitions, &fsm->transition_count, sizeof(*transition),
                 MAX_TRANSITIONS, &status);
    if (!transition)
        return status;
    transition->place = dal__xml_place(element);
    status = dal__xml_text(reader, element, "from", &transition->from_name);
    if (!status)
        status = dal__xml_text(reader, element, "to", &transition->to_name);
    if (!status)
        status = dal__xml_text(reader, element, "event", &transition->event_name);
    return status;
}

static int read_elements(struct dal__reader *reader, struct dal_spec_fsm *fsm, const xmlNode *root)
{
    int status = DAL_OK;
    DAL__XML_EACH(child, root)
    {
        if (status)
            break;
        if (dal__xml_is(child, "application"))
            status = read_application(reader, fsm, child);
        else if (dal__xml_is(child, "transition"))
            status = read_transition(reader, fsm, child);
        else
            status = read_state(reader, fsm, child);
    }
    return status;
}

int dal__read_fsm(struct dal_diags *diags, const char *file, struct dal_spec_fsm *fsm)
{
    struct dal__reader reader = {.diags = diags};
    xmlNode *root = dal__xml_open(&reader, file, "fsm", &fsm->place, &fsm->name);
    int status = root ? read_elements(&reader, fsm, root) : DAL_ERR_INVALID;
    fsm->file = fsm->place.file;
    memcpy(fsm->digest, reader.digest, sizeof(reader.digest));
    dal__xml_close(root);
    return status;
}
