/* Reads constants of processes: their types, and their values from the network or from files. A
 * file is read once, however many constants are in it. */
#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "spec/base/file.h"
#include "spec/read/network.h"
#include "spec/read/typed.h"
#include "spec/read/variable.h"

#include <inttypes.h>
#include <string.h>

/* Most bytes of all constants and initial tokens of a network. */
#define MOST_BYTES ((uint64_t)1 << 30)

static int refuse_constant(struct dal__reader *reader, const struct dal_spec_constant *constant,
                           const char *format, ...) __attribute__((format(printf, 3, 4)));

static int refuse_constant(struct dal__reader *reader, const struct dal_spec_constant *constant,
                           const char *format, ...)
{
    char text[600];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof(text), format, list);
    va_end(list);
    return dal_error(reader->diags, constant->place, "constant", "constant '%s': %s",
                     constant->name, text);
}

/* ---- bytes ----------------------------------------------------------------------------------- */

static int add_data(struct dal__reader *reader, struct dal_spec_network *network, char *key,
                    const struct dal_spec_data *found, size_t *number)
{
    int status;
    struct dal_spec_data *data =
        DAL__ADD(reader, NULL, NULL, network->data, network->data_count, &status);
    if (!data) {
        dal_free_all(key, found->whole);
        return status;
    }
    *data = *found;
    data->key = key;
    *number = network->data_count - 1;
    return DAL_OK;
}

static int find_data(const struct dal_spec_network *network, const char *key, size_t *number)
{
    for (size_t i = 0; i < network->data_count; i++)
        if (strcmp(network->data[i].key, key) == 0) {
            *number = i;
            return 1;
        }
    return 0;
}

/* Says why a file is none of the constant's. */
static int refuse_file(struct dal__reader *reader, const struct dal_spec_constant *constant,
                       const char *why)
{
    return refuse_constant(reader, constant, "'%.400s': %s", constant->file, why);
}

static int open_file(struct dal__reader *reader, struct dal__network_state *state,
                     const struct dal_spec_constant *constant, char *path, size_t *number)
{
    struct dal_spec_data data = {0};
    const char *why = "a network's constants and initial tokens have at most 2^30 bytes";
    size_t length, ending = strlen(path);
    char *whole;
    int status = dal_file_read(path, MOST_BYTES - state->data_bytes, &whole, &length, &why);
    if (status == DAL_ERR_NOMEM)
        dal__lost(reader->diags);
    if (status) {
        status = status == DAL_ERR_NOMEM ? status : refuse_file(reader, constant, why);
        dal_free(path);
        return status;
    }
    data.whole = (unsigned char *)whole;
    data.is_array = ending > 4 && strcmp(path + ending - 4, ".npy") == 0;
    why = data.is_array ? dal_npy_open(whole, length, &data.array, &data.at) : NULL;
    data.bytes = length - data.at;
    state->data_bytes += length;
    if (!why)
        return add_data(reader, state->network, path, &data, number);
    dal_free_all(path, whole);
    return refuse_file(reader, constant, why);
}

/* Finds a file, or reads it. Returns DAL_OK, DAL_ERR_INVALID after an error in diags, or
 * DAL_ERR_NOMEM. */
static int find_file(struct dal__reader *reader, struct dal__network_state *state,
                     const struct dal_spec_constant *constant, size_t *number)
{
    char *path = dal__beside(state->network->file, constant->file);
    if (!path)
        return dal__lost(reader->diags);
    if (!find_data(state->network, path, number))
        return open_file(reader, state, constant, path, number);
    dal_free(path);
    return DAL_OK;
}

/* The same for a value, which is known by its text. Behind a newline, it is no path. */
static int find_value(struct dal__reader *reader, struct dal__network_state *state,
                      const struct dal_spec_constant *constant, size_t *number)
{
    struct dal_spec_data data = {0};
    char why[200], *key = dal_format("\n%s", constant->value);
    int status = key ? DAL_OK : dal__lost(reader->diags);
    if (status || find_data(state->network, key, number)) {
        dal_free(key);
        return status;
    }
    status = dal__parse_typed(constant->value, &data.whole, &data.bytes, why);
    if (!status) {
        state->data_bytes += data.bytes;
        return add_data(reader, state->network, key, &data, number);
    }
    dal_free(key);
    return status == DAL_ERR_NOMEM ? dal__lost(reader->diags)
                                   : refuse_constant(reader, constant, "%s", why);
}

/* ---- types ----------------------------------------------------------------------------------- */

/* Puts the type in front of values that have none: "float: 1 2". */
static int type_value(struct dal__reader *reader, struct dal_spec_constant *constant)
{
    const char *colon = strchr(constant->value, ':'), *type = constant->type;
    char *typed;
    size_t length = colon ? (size_t)(colon - constant->value) : 0;
    while (length && constant->value[length - 1] == ' ')
        length--;
    if (!type) {
        constant->type = colon ? dal_format("%.*s", (int)length, constant->value) : NULL;
        if (!colon)
            return refuse_constant(reader, constant, "it needs a type, as in value=\"float: 1 2\"");
        return constant->type ? DAL_OK : dal__lost(reader->diags);
    }
    if (colon)
        return strlen(type) == length && strncmp(constant->value, type, length) == 0
                   ? DAL_OK
                   : refuse_constant(reader, constant, "its type is %.100s, that of its value %.*s",
                                     type, length < 100 ? (int)length : 100, constant->value);
    typed = dal_format("%s: %s", type, constant->value);
    if (!typed)
        return dal__lost(reader->diags);
    dal_free(constant->value);
    constant->value = typed;
    return DAL_OK;
}

/* Reads "float[64]". *counted says whether it has brackets. */
static int read_type(struct dal__reader *reader, const xmlNode *element,
                     struct dal_spec_constant *constant, int *counted)
{
    struct dal_expr_fault fault;
    int64_t count = 1;
    char *bracket, *end;
    int status = dal__xml_text(reader, element, "type", &constant->type);
    *counted = 0;
    if (status || !constant->type)
        return status;
    bracket = strchr(constant->type, '[');
    end = bracket ? strrchr(bracket, ']') : NULL;
    *counted = bracket != NULL;
    if (bracket && (!end || end[1]))
        return refuse_constant(reader, constant, "a bracket of its type is not closed at its end");
    if (bracket) {
        *end = '\0';
        if (dal_expr_eval(reader->scope, bracket + 1, &count, &fault)) {
            dal__xml_fault(reader, element, "type", &fault);
            return DAL_ERR_INVALID;
        }
        while (bracket > constant->type && bracket[-1] == ' ')
            bracket--;
        *bracket = '\0';
    }
    if (count < 1 || (uint64_t)count > MOST_BYTES)
        return refuse_constant(reader, constant, "it must have 1 to 2^30 elements");
    constant->count = (uint64_t)count;
    return dal__replace_name(reader, element, "type", &constant->type);
}

/* ---- both ------------------------------------------------------------------------------------ */

static const char *tell_shape(const struct dal_npy *array, char text[200])
{
    size_t used = 0;
    for (int i = 0; i < array->dimensions && used < 150; i++)
        used +=
            (size_t)snprintf(text + used, 200 - used, "%s%" PRIu64, i ? ", " : "", array->shape[i]);
    text[used] = '\0';
    return text;
}

/* Has an array the type and as many elements? Its rows stand one behind the other. */
static int check_array(struct dal__reader *reader, const struct dal_spec_constant *constant,
                       const struct dal_spec_data *data)
{
    char text[200];
    uint64_t bytes;
    if (!dal_npy_has_type(&data->array, constant->kind, constant->element_bytes))
        return refuse_constant(reader, constant, "'%.200s': its elements are '%s', not %.100s",
                               constant->file, data->array.descr, constant->type);
    if (data->array.is_fortran)
        return refuse_file(reader, constant, "it is in the order of Fortran, columns first");
    if (!dal_npy_multiply(&data->array, 0, &bytes) ||
        bytes != constant->count * constant->element_bytes)
        return refuse_constant(
            reader, constant, "'%.200s': its shape is (%s), and %.100s[%" PRIu64 "] is wanted",
            constant->file, tell_shape(&data->array, text), constant->type, constant->count);
    return bytes == data->bytes ? DAL_OK
                                : refuse_file(reader, constant,
                                              "it ends before its elements do, "
                                              "or has more than those");
}

static int check_bytes(struct dal__reader *reader, struct dal_spec_constant *constant,
                       const struct dal_spec_data *data, int counted)
{
    if (!counted && constant->value)
        constant->count = data->bytes / constant->element_bytes;
    if (data->is_array)
        return check_array(reader, constant, data);
    if (data->bytes == constant->count * constant->element_bytes && data->bytes)
        return DAL_OK;
    return refuse_constant(reader, constant,
                           "%s%.200s%s has %zu bytes, and %.100s[%" PRIu64 "] has %" PRIu64,
                           constant->file ? "'" : "", constant->file ? constant->file : "its value",
                           constant->file ? "'" : "", data->bytes, constant->type, constant->count,
                           constant->count * constant->element_bytes);
}

static int read_bytes(struct dal__reader *reader, struct dal__network_state *state,
                      struct dal_spec_constant *constant, int counted)
{
    size_t bytes;
    int status = constant->value ? type_value(reader, constant) : DAL_OK;
    if (status)
        return status;
    constant->kind = dal__type_kind(constant->type, &bytes);
    constant->element_bytes = bytes;
    if (!constant->kind)
        return refuse_constant(reader, constant, "'%.100s' is no type of numbers that is known",
                               constant->type);
    status = constant->file ? find_file(reader, state, constant, &constant->data)
                            : find_value(reader, state, constant, &constant->data);
    return status ? status
                  : check_bytes(reader, constant, &state->network->data[constant->data], counted);
}

static int read_attributes(struct dal__reader *reader, struct dal__network_state *state,
                           const xmlNode *element, struct dal_spec_constant *constant)
{
    int counted, status = dal__xml_text(reader, element, "name", &constant->name);
    if (!status)
        status = dal__xml_expand(reader, element, "file", &constant->file);
    if (!status)
        status = dal__place(reader, state, &constant->file);
    if (!status)
        status = dal__xml_expand(reader, element, "value", &constant->value);
    if (!status)
        status = read_type(reader, element, constant, &counted);
    if (status)
        return status;
    if (!constant->file == !constant->value)
        return refuse_constant(reader, constant,
                               constant->file ? "file and value exclude each other"
                                              : "it needs a file, or a value");
    if (constant->file && !constant->type)
        return refuse_constant(reader, constant, "its file needs a type, as in type=\"float[64]\"");
    return read_bytes(reader, state, constant, counted);
}

int dal__read_constant(struct dal__reader *reader, struct dal__network_state *state,
                       const xmlNode *element, struct dal_spec_process *process)
{
    int status;
    struct dal_spec_constant *constant =
        DAL__ADD(reader, element, NULL, process->constants, process->constant_count, &status);
    if (!constant)
        return status;
    constant->place = dal__xml_place(element);
    constant->count = 1;
    status = read_attributes(reader, state, element, constant);
    if (status == DAL_ERR_INVALID)
        reader->unclear = 1;
    if (status && !constant->name)
        process->constant_count--;
    return dal__fatal(status);
}
