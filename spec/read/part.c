/* Reads networks within a network. */
#include "spec/read/part.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "spec/base/file.h"
#include "spec/read/installed.h"
#include "spec/read/libraries.h"
#include "spec/read/typed.h"
#include "spec/read/variable.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void dal__parts_finish(struct dal__parts *parts)
{
    for (size_t i = 0; i < parts->count; i++) {
        dal_free_all(parts->files[i].path, parts->files[i].name);
        free(parts->files[i].real);
        dal__xml_close(parts->files[i].root);
    }
    dal_free(parts->files);
    *parts = (struct dal__parts){0};
}

/* ---- ports ----------------------------------------------------------------------------------- */

/* Adds the network or part that is being read to those with ports. Takes the name over. */
static int add_raw_part(struct dal__reader *reader, struct dal__network_state *state,
                        const xmlNode *element, char *name)
{
    struct dal__raw_network *raw = &state->raw->network;
    int status = DAL_ERR_NOMEM;
    struct dal__raw_part *part =
        name ? DAL__ADD(reader, element, NULL, raw->parts, raw->part_count, &status) : NULL;
    if (!part) {
        dal_free(name);
        return dal__lost(reader->diags);
    }
    part->name = name;
    part->place = dal__xml_place(element);
    state->raw_part = raw->part_count;
    return DAL_OK;
}

/* Reads what a port says of its tokens, as a channel does. */
static int read_tokens(struct dal__reader *reader, const struct dal__network_state *state,
                       const xmlNode *element, struct dal__raw_port *port)
{
    static const struct dal__number rule = {.attribute = "tokensize",
                                            .least = 1,
                                            .most = DAL_MAX_TOKEN_BYTES,
                                            .low_code = "token-size-zero",
                                            .high_code = "size-too-large"};
    struct dal_spec_channel *tokens = &port->tokens;
    int64_t bytes, of_type;
    int status = dal__xml_number(reader, element, &rule, &bytes);
    tokens->name = port->name;
    tokens->place = port->place;
    tokens->unsaid_bytes = 1;
    if (!status)
        status = dal__read_token_type(reader, state, element, tokens, &of_type);
    if (!status && of_type && bytes && bytes != of_type)
        status = dal_error(reader->diags, port->place, "token-type",
                           "port '%s': tokensize is %" PRId64
                           ", and a token of its type has %" PRId64 " bytes",
                           port->name, bytes, of_type);
    if (status)
        return status;
    tokens->token_bytes = (uint64_t)(of_type ? of_type : bytes);
    tokens->unsaid_bytes = !tokens->token_bytes;
    return DAL_OK;
}

int dal__read_network_port(struct dal__reader *reader, struct dal__network_state *state,
                           xmlNode *element)
{
    static const struct dal__limit limit = {.most = DAL_MAX_PORTS, .things = "ports of a network"};
    struct dal__raw_part *part;
    struct dal__raw_port *port;
    int status = DAL_OK;
    if (!state->raw_part)
        status = add_raw_part(reader, state, element, dal_strdup(""));
    if (status)
        return status;
    part = &state->raw->network.parts[state->raw_part - 1];
    port = DAL__ADD(reader, element, &limit, part->ports, part->port_count, &status);
    if (!port)
        return status;
    port->place = dal__xml_place(element);
    port->output = dal__xml_has(element, "type", "output");
    status = dal__fatal(dal__xml_name(reader, element, &port->name));
    if (!status)
        status = dal__fatal(read_tokens(reader, state, element, port));
    if (status)
        return status;
    for (size_t i = 0; i + 1 < part->port_count; i++)
        if (strcmp(part->ports[i].name, port->name) == 0)
            dal_error(reader->diags, port->place, "duplicate-name",
                      "port '%s': there is one of this name already", port->name);
    return DAL_OK;
}

/* ---- files ----------------------------------------------------------------------------------- */

static int read_file(struct dal__reader *reader, struct dal__raw *raw, struct dal__part_file *file)
{
    struct dal__reader own = {.diags = reader->diags, .scope = reader->scope};
    struct dal_spec_place place;
    file->is_read = 1;
    file->root = dal__xml_open(&own, file->path, "processnetwork", &place, &file->name);
    memcpy(file->digest, own.digest, sizeof(own.digest));
    if (file->root && own.is_dol) {
        dal_error(reader->diags, place, "part", "a network of DOL's dialect cannot be a part");
        dal__xml_close(file->root);
        file->root = NULL;
    }
    if (file->root)
        dal__xml_lengthen(reader, file->root, &raw->has_gaps);
    return reader->diags->lost ? DAL_ERR_NOMEM : DAL_OK;
}

/* Finds the file of a part, or lists it. Takes the path over; NULL without memory. */
static struct dal__part_file *find_file(struct dal__reader *reader, struct dal__parts *parts,
                                        const xmlNode *element, char *path)
{
    struct dal__part_file *file;
    int status = DAL_ERR_NOMEM;
    for (size_t i = 0; path && i < parts->count; i++)
        if (strcmp(parts->files[i].path, path) == 0) {
            dal_free(path);
            return &parts->files[i];
        }
    file = path ? DAL__ADD(reader, element, NULL, parts->files, parts->count, &status) : NULL;
    if (!file) {
        dal_free(path);
        dal__lost(reader->diags);
        return NULL;
    }
    file->path = path;
    file->real = realpath(path, NULL);
    return file;
}

/* ---- variables ------------------------------------------------------------------------------- */

/* Reads a variable with the value that it has in this use of the part. */
static int read_variable(struct dal__reader *outside, struct dal__reader *inside,
                         const xmlNode *element, const xmlNode *declaration,
                         struct dal_spec_part *part)
{
    struct dal__given given = {.reader = outside, .element = element};
    int status;
    struct dal_spec_variable *variable =
        dal__add_variable(inside, declaration, &part->variables, &part->variable_count, &status);
    if (!variable)
        return status;
    if (dal__xml_get(element, variable->name))
        given.attribute = variable->name;
    else if (dal__xml_get(declaration, "value"))
        given = (struct dal__given){.reader = inside, .element = declaration, .attribute = "value"};
    if (variable->type == DAL_VARIABLE_INTEGER && given.attribute &&
        dal__xml_has(given.element, given.attribute, "auto")) {
        dal_error(outside->diags, dal__xml_place(element), "open-variable",
                  "network '%s': its variable '%s' is left open: give it a value here",
                  dal__xml_get(element, "name"), variable->name);
        variable->value = 1;
    } else {
        status = dal__give_value(inside, declaration, &given, variable);
    }
    return status ? status : dal__show_variable(inside, variable);
}

/* Each attribute must be the value of a variable. */
static void check_attributes(struct dal__reader *reader, const xmlNode *element,
                             const struct dal_spec_part *part)
{
    struct dal_names names = {0};
    struct dal__hint hint;
    for (size_t i = 0; i < part->variable_count; i++)
        if (dal_names_add(&names, part->variables[i].name, i) == DAL_ERR_NOMEM)
            dal__lost(reader->diags);
    for (const xmlAttr *a = element->properties; a; a = a->next) {
        const char *name = (const char *)a->name;
        if (strcmp(name, "name") != 0 && strcmp(name, "source") != 0 &&
            dal_names_find(&names, name) == DAL_NAMES_NONE)
            dal_error(reader->diags, part->place, "part", "network '%s': %s has no variable '%s'%s",
                      part->name, dal__xml_get(element, "source"), name,
                      dal__did_you_mean(&hint, &names, name));
    }
    dal_names_finish(&names);
}

static int read_variables(struct dal__reader *outside, struct dal__reader *inside,
                          const xmlNode *element, const xmlNode *root, struct dal_spec_part *part)
{
    int status = DAL_OK;
    DAL__XML_EACH(child, root)
    {
        if (!status && dal__xml_is(child, "variable"))
            status = read_variable(outside, inside, element, child, part);
    }
    if (!status)
        check_attributes(outside, element, part);
    return status;
}

/* ---- parameters ------------------------------------------------------------------------------ */

/* Finds a parameter of the processes from `first` on, "Left.Eq.Band_0.gain", and its process; NULL
 * without one. */
static struct dal_spec_parameter *find_parameter(struct dal_spec_network *network, size_t first,
                                                 const char *name, struct dal_spec_process **of)
{
    for (size_t i = first; i < network->process_count; i++) {
        struct dal_spec_process *process = &network->processes[i];
        size_t length = strlen(process->name);
        if (strncmp(name, process->name, length) != 0 || name[length] != '.')
            continue;
        for (size_t k = 0; k < process->parameter_count; k++)
            if (strcmp(process->parameters[k].name, name + length + 1) == 0) {
                *of = process;
                return &process->parameters[k];
            }
    }
    return NULL;
}

/* A parameter that is live in the part stays so where nothing is said here. */
static int read_parameter(struct dal__reader *reader, struct dal__network_state *inside,
                          size_t first, const xmlNode *element)
{
    const char *live = dal__xml_get(element, "live");
    struct dal_spec_parameter *found;
    struct dal_spec_process *process = NULL;
    char *name = NULL, *value = NULL;
    int status = dal__xml_text(reader, element, "name", &name);
    if (!status)
        status = dal__fatal(dal__xml_expand(reader, element, "value", &value));
    if (!status)
        status = dal__fatal(dal__qualify(reader, inside, element, &name));
    found = status ? NULL : find_parameter(inside->network, first, name, &process);
    if (found) {
        dal_free(found->value);
        found->value = value;
        value = NULL;
        found->live = live ? dal__xml_is_true(live) : found->live;
        status = dal__check_parameter(reader, dal__xml_place(element), process, found);
    } else if (!status) {
        dal_error(reader->diags, dal__xml_place(element), "part",
                  "network '%s' has no process with a parameter '%s'", inside->part->name,
                  dal__xml_get(element, "name"));
    }
    dal_free_all(name, value);
    return status;
}

/* Only one value of a parameter is given here. `names`: those so far, with their lines. */
static int check_given_once(struct dal__reader *reader, struct dal_names *names,
                            const xmlNode *element)
{
    struct dal_spec_place place = dal__xml_place(element), other = place;
    const char *name = dal__xml_get(element, "name");
    int status = dal_names_add(names, name, (size_t)place.line);
    if (status == DAL_ERR_NOMEM)
        return dal__lost(reader->diags);
    if (!status)
        return DAL_OK;
    other.line = (int)dal_names_find(names, name);
    other.column = 0;
    dal_error(reader->diags, place, "duplicate-name", "parameter '%s': this name is taken", name);
    dal_note(reader->diags, other, "'%s' is here", name);
    return DAL_OK;
}

static int read_parameters(struct dal__reader *reader, struct dal__network_state *inside,
                           size_t first, const xmlNode *element)
{
    struct dal_names names = {0};
    int status = DAL_OK;
    DAL__XML_EACH(child, element)
    {
        if (status || !dal__xml_is(child, "parameter"))
            continue;
        status = check_given_once(reader, &names, child);
        if (!status)
            status = read_parameter(reader, inside, first, child);
    }
    dal_names_finish(&names);
    return status;
}

/* ---- parts ----------------------------------------------------------------------------------- */

/* Refuses a file that is being read already, and too many of them. Returns whether it did. */
static int refuse_within(struct dal__reader *reader, const struct dal__network_state *state,
                         const xmlNode *element, const struct dal__part_file *file)
{
    for (const struct dal__network_state *up = state; up; up = up->around) {
        if (!file->real || !up->real || strcmp(up->real, file->real) != 0)
            continue;
        dal_error(reader->diags, dal__xml_place(element), "part",
                  "network '%s': %s would contain itself", dal__xml_get(element, "name"),
                  file->path);
        return 1;
    }
    if (state->depth < DAL_MOST_NESTED_PARTS)
        return 0;
    dal_error(reader->diags, dal__xml_place(element), "part",
              "network '%s': networks stand within each other at most %d deep",
              dal__xml_get(element, "name"), DAL_MOST_NESTED_PARTS);
    return 1;
}

/* Adds the part to the model. Takes the name over. */
static struct dal_spec_part *add_part(struct dal__reader *reader,
                                      const struct dal__network_state *state,
                                      const xmlNode *element, char *name)
{
    struct dal_spec_network *network = state->network;
    struct dal_spec_part *part = dal_calloc(1, sizeof(*part));
    int status = DAL_ERR_NOMEM;
    struct dal_spec_part **place =
        part && name ? DAL__ADD(reader, element, NULL, network->parts, network->part_count, &status)
                     : NULL;
    if (!place) {
        dal_free_all(part, name);
        dal__lost(reader->diags);
        return NULL;
    }
    *place = part;
    part->name = name;
    part->place = dal__xml_place(element);
    return part;
}

/* Gives the elements of a file the name of this use of it, for messages; and so its mapping. */
static int name_file(struct dal__reader *reader, const struct dal__part_file *file,
                     const struct dal__network_state *inside, struct dal_spec_part *part)
{
    const char *mapping = dal__xml_get(file->root, "mapping");
    char *way = dal_format("in %s of %s:%d", part->name, inside->use.file, inside->use.line);
    char *path = mapping ? dal__beside(file->path, mapping) : NULL;
    part->network = dal_strdup(file->name);
    part->file = way ? dal_diag_part(reader->diags, file->path, way) : NULL;
    part->mapping = way && path ? dal_diag_part(reader->diags, path, way) : NULL;
    dal_free_all(way, path);
    if (!part->network || !part->file || !part->mapping != !mapping)
        return dal__lost(reader->diags);
    file->root->doc->_private = (void *)part->file; /* read back as const by dal__xml_place() */
    memcpy(part->digest, file->digest, sizeof(part->digest));
    return DAL_OK;
}

/* Reads what is in a file as a part. */
static int read_inside(struct dal__reader *reader, struct dal__network_state *inside,
                       xmlNode *element, const struct dal__part_file *file,
                       struct dal_spec_part *part)
{
    struct dal_expr_scope scope = {0};
    struct dal__reader own = {.diags = reader->diags,
                              .scope = &scope,
                              .visited = reader->visited,
                              .text_bytes = reader->text_bytes};
    size_t first = inside->network->process_count;
    int status = read_variables(reader, &own, element, file->root, part);
    if (!status)
        status = dal__read_needs(&own, inside, file->root);
    if (!status)
        status = dal__xml_walk(&own, file->root, inside->read_item, inside);
    if (!status && !inside->raw->has_gaps)
        status = read_parameters(reader, inside, first, element);
    reader->visited = own.visited;
    reader->text_bytes = own.text_bytes;
    reader->unclear |= own.unclear;
    dal_expr_scope_finish(&scope);
    return status;
}

static int read_part(struct dal__reader *reader, struct dal__network_state *state, xmlNode *element,
                     const struct dal__part_file *file, char *name)
{
    struct dal_spec_part *part = add_part(reader, state, element, name);
    struct dal__network_state inside = *state;
    char *prefix = part ? dal_format("%s.", part->name) : NULL;
    int status;
    if (!prefix)
        return part ? dal__lost(reader->diags) : DAL_ERR_NOMEM;
    inside.part = part;
    inside.around = state;
    inside.depth = state->depth + 1;
    inside.prefix = prefix;
    if (!state->around)
        inside.use = part->place;
    status = name_file(reader, file, &inside, part);
    inside.file = part->file;
    inside.real = file->real;
    if (!status)
        status = add_raw_part(reader, &inside, element, dal_strdup(part->name));
    if (!status)
        status = read_inside(reader, &inside, element, file, part);
    state->data_bytes = inside.data_bytes;
    state->packages = inside.packages;
    dal_free(prefix);
    return status;
}

/* Finds the file and reads it, when it comes for the first time. *found is NULL after an error. */
static int open_file(struct dal__reader *reader, const struct dal__network_state *state,
                     const xmlNode *element, char *path, struct dal__part_file **found)
{
    const char *why = dal_file_fault(path);
    struct dal__part_file *file;
    *found = NULL;
    if (why) {
        dal_error(reader->diags, dal__xml_place(element), "missing-source-file",
                  "network '%s': '%s': %s", dal__xml_get(element, "name"), path, why);
        dal_free(path);
        return DAL_OK;
    }
    file = find_file(reader, state->parts, element, path);
    if (!file)
        return DAL_ERR_NOMEM;
    if (refuse_within(reader, state, element, file))
        return DAL_OK;
    if (!file->is_read && read_file(reader, state->raw, file))
        return DAL_ERR_NOMEM;
    *found = file->root ? file : NULL;
    return DAL_OK;
}

/* Finds the path of a part; NULL after an error in diags. */
static char *find_path(struct dal__reader *reader, const struct dal__network_state *state,
                       const xmlNode *element)
{
    const char *source = dal__xml_get(element, "source");
    char *path;
    if (dal__is_installed(source))
        return dal__installed_path(reader->diags, dal__xml_place(element), source);
    path = dal__beside(state->file, source);
    if (!path)
        dal__lost(reader->diags);
    return path;
}

int dal__read_part(struct dal__reader *reader, struct dal__network_state *state, xmlNode *element)
{
    char *name = NULL, *path = find_path(reader, state, element);
    struct dal__part_file *found = NULL, file;
    int status = path ? open_file(reader, state, element, path, &found) : DAL_OK;
    if (reader->diags->lost)
        status = DAL_ERR_NOMEM;
    if (!found)
        reader->unclear = 1;
    if (status || !found)
        return status;
    file = *found; /* the list grows while it is read */
    status = dal__fatal(dal__xml_name(reader, element, &name));
    if (!status)
        status = dal__fatal(dal__qualify(reader, state, element, &name));
    if (!status)
        return read_part(reader, state, element, &file, name);
    dal_free(name);
    return status;
}
