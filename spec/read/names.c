/* Names and paths of what is read: those of a part have the part's in front. */
#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "spec/base/file.h"
#include "spec/dialects/dol/dialect.h"
#include "spec/read/network.h"

#include <string.h>

char *dal__source_path(const struct dal__network_state *state, const char *location)
{
    return state->network->is_dol ? dal__dialect_source(state->file, location)
                                  : dal__beside(state->file, location);
}

char *dal__from_network(const struct dal__network_state *state, const char *location)
{
    const char *network = state->network->file, *slash = strrchr(network, '/');
    size_t length = slash ? (size_t)(slash - network) + 1 : 0;
    char *path = dal__beside(state->file, location);
    if (path && strncmp(path, network, length) == 0)
        memmove(path, path + length, strlen(path + length) + 1);
    return path;
}

int dal__place(struct dal__reader *reader, const struct dal__network_state *state, char **path)
{
    char *placed = *path && state->part ? dal__from_network(state, *path) : *path;
    if (placed == *path)
        return DAL_OK;
    dal_free(*path);
    *path = placed;
    return placed ? DAL_OK : dal__lost(reader->diags);
}

int dal__qualify(struct dal__reader *reader, const struct dal__network_state *state,
                 const xmlNode *element, char **name)
{
    char *whole;
    if (!*name || !*state->prefix)
        return DAL_OK;
    whole = dal_format("%s%s", state->prefix, *name);
    if (!whole)
        return dal__lost(reader->diags);
    dal_free(*name);
    *name = whole;
    if (strlen(whole) <= DAL_MAX_NAME)
        return DAL_OK;
    whole[DAL_MAX_NAME] = '\0';
    return dal_error(reader->diags, dal__xml_place(element), "bad-name",
                     "%s: a name can have %d characters, with those of the parts around it",
                     (const char *)element->name, DAL_MAX_NAME);
}
