/* ONNX Runtime's C interface. A model runs in the thread that calls it, and has none of its own. */
#include "session.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int refuse_model(char why[400], const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static int refuse_model(char why[400], const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(why, 400, format, arguments);
    va_end(arguments);
    return -1;
}

/* Returns 0, or -1 where a call has failed: the first line of what it says is in `why` then. */
static int check_call(const OrtApi *api, OrtStatus *status, char why[400])
{
    const char *text;

    if (!status)
        return 0;
    text = api->GetErrorMessage(status);
    refuse_model(why, "%.*s", (int)strcspn(text, "\r\n"), text);
    api->ReleaseStatus(status);
    return -1;
}

/* ---- the names and shapes of a model --------------------------------------------------------- */

static const char *type_text(ONNXTensorElementDataType type)
{
    static const char *const texts[] = {
        [ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT] = "float",
        [ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT8] = "uint8_t",
        [ONNX_TENSOR_ELEMENT_DATA_TYPE_INT8] = "int8_t",
        [ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT16] = "uint16_t",
        [ONNX_TENSOR_ELEMENT_DATA_TYPE_INT16] = "int16_t",
        [ONNX_TENSOR_ELEMENT_DATA_TYPE_INT32] = "int32_t",
        [ONNX_TENSOR_ELEMENT_DATA_TYPE_INT64] = "int64_t",
        [ONNX_TENSOR_ELEMENT_DATA_TYPE_STRING] = "text",
        [ONNX_TENSOR_ELEMENT_DATA_TYPE_BOOL] = "bool",
        [ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT16] = "float16",
        [ONNX_TENSOR_ELEMENT_DATA_TYPE_DOUBLE] = "double",
        [ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT32] = "uint32_t",
        [ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT64] = "uint64_t",
    };
    const char *text = (size_t)type < sizeof(texts) / sizeof(*texts) ? texts[type] : NULL;

    return text ? text : "another type";
}

/* Writes the shape that the model says: "? x 28 x 28". */
static void write_shape(const struct tensor *t, char text[200])
{
    int at = snprintf(text, 200, t->rank ? "" : "one element");

    for (size_t i = 0; i < t->rank && at < 200; i++) {
        const char *times = i ? " x " : "";
        at += t->shape[i] < 0
                  ? snprintf(text + at, 200 - (size_t)at, "%s?", times)
                  : snprintf(text + at, 200 - (size_t)at, "%s%lld", times, (long long)t->shape[i]);
    }
}

static int refuse_shape(struct session *s, const struct tensor *t, const char *what)
{
    char shape[200];

    write_shape(t, shape);
    return refuse_model(s->why, "its %s %s is %s, %s", t->kind, t->found, shape, what);
}

/* Puts the shape that was asked for where the model leaves dimensions open. */
static int take_text(struct session *s, struct tensor *t)
{
    int64_t asked[RANK];
    const char *text = t->text;
    size_t rank = 0;
    char what[100], *end;

    snprintf(what, sizeof(what), "and not '%.60s'", t->text);
    for (; *text; text = end, rank++) {
        long long value = strtoll(text, &end, 10);
        if (rank == t->rank || end == text || value < 1 || (*end && *end != ' ') ||
            (t->shape[rank] >= 0 && t->shape[rank] != value))
            return refuse_shape(s, t, what);
        asked[rank] = value;
    }
    if (rank != t->rank)
        return refuse_shape(s, t, what);
    memcpy(t->shape, asked, rank * sizeof(*asked));
    return 0;
}

/* Finds the dimension that the model leaves open, from how many elements there are. */
static int fill_shape(struct session *s, struct tensor *t)
{
    size_t known = 1, open = 0, at = 0;
    int overflows = 0;
    char what[100];

    if (*t->text && take_text(s, t) != 0)
        return -1;
    for (size_t i = 0; i < t->rank; i++) {
        if (t->shape[i] < 0) {
            at = i;
            open++;
        } else {
            overflows |= __builtin_mul_overflow(known, (size_t)t->shape[i], &known);
        }
    }
    if (open > 1)
        return refuse_shape(s, t, "of which more than one dimension is open: give its shape");
    snprintf(what, sizeof(what), "which %zu elements do not fill", t->elements);
    if (overflows || known == 0 || t->elements % known || (!open && t->elements != known))
        return refuse_shape(s, t, what);
    if (open)
        t->shape[at] = (int64_t)(t->elements / known);
    return 0;
}

static int read_shape(struct session *s, struct tensor *t, const OrtTypeInfo *info)
{
    const OrtApi *api = s->api;
    const OrtTensorTypeAndShapeInfo *shape = NULL;
    ONNXTensorElementDataType type;

    if (check_call(api, api->CastTypeInfoToTensorInfo(info, &shape), s->why) != 0)
        return -1;
    if (!shape)
        return refuse_model(s->why, "its %s %s is no tensor", t->kind, t->found);
    if (check_call(api, api->GetTensorElementType(shape, &type), s->why) != 0 ||
        check_call(api, api->GetDimensionsCount(shape, &t->rank), s->why) != 0)
        return -1;
    if (type != t->type)
        return refuse_model(s->why, "its %s %s has elements of %s, and not %s", t->kind, t->found,
                            type_text(type), type_text(t->type));
    if (t->rank > RANK)
        return refuse_model(s->why, "its %s %s has %zu dimensions: at most %d are read", t->kind,
                            t->found, t->rank, RANK);
    return check_call(api, api->GetDimensions(shape, t->shape, t->rank), s->why);
}

/* How the model's inputs are asked for, or its outputs. */
struct list {
    OrtStatus *(*count)(const OrtSession *session, size_t *count);
    OrtStatus *(*name)(const OrtSession *session, size_t at, OrtAllocator *names, char **name);
    OrtStatus *(*type)(const OrtSession *session, size_t at, OrtTypeInfo **info);
};

/* Finds the tensor among them: its name, and where it stands. */
static int find_tensor(struct session *s, struct tensor *t, const struct list *list, size_t *at)
{
    size_t count;

    if (check_call(s->api, list->count(s->session, &count), s->why) != 0)
        return -1;
    if (!*t->name && count != 1)
        return refuse_model(s->why, "it has %zu %ss: give the name of one", count, t->kind);
    for (*at = 0; *at < count; ++*at) {
        if (check_call(s->api, list->name(s->session, *at, s->names, &t->found), s->why) != 0)
            return -1;
        if (!*t->name || strcmp(t->found, t->name) == 0)
            return 0;
        (void)check_call(s->api, s->api->AllocatorFree(s->names, t->found), s->why);
        t->found = NULL;
    }
    return refuse_model(s->why, "it has no %s %s", t->kind, t->name);
}

static int open_tensor(struct session *s, struct tensor *t, const struct list *list)
{
    OrtTypeInfo *info = NULL;
    size_t at = 0;
    int status;

    if (find_tensor(s, t, list, &at) != 0 ||
        check_call(s->api, list->type(s->session, at, &info), s->why) != 0)
        return -1;
    status = read_shape(s, t, info);
    s->api->ReleaseTypeInfo(info);
    return status == 0 ? fill_shape(s, t) : -1;
}

/* ---- the session ----------------------------------------------------------------------------- */

/* One thread: the cores are those of the network. */
static int load_model(struct session *s, const char *file)
{
    const OrtApi *api = s->api;
    OrtSessionOptions *options = NULL;
    int status = -1;

    dal_part_silence(1);
    if (check_call(api, api->CreateEnv(ORT_LOGGING_LEVEL_FATAL, "dal", &s->env), s->why) == 0 &&
        check_call(api, api->CreateSessionOptions(&options), s->why) == 0 &&
        check_call(api, api->SetIntraOpNumThreads(options, 1), s->why) == 0 &&
        check_call(api, api->SetInterOpNumThreads(options, 1), s->why) == 0 &&
        check_call(api, api->SetSessionExecutionMode(options, ORT_SEQUENTIAL), s->why) == 0)
        status = check_call(api, api->CreateSession(s->env, file, options, &s->session), s->why);
    if (options)
        api->ReleaseSessionOptions(options);
    dal_part_silence(0);
    return status;
}

int dal_part_open_model(struct session *s, const char *file)
{
    const OrtApi *api = OrtGetApiBase()->GetApi(ORT_API_VERSION);
    struct list inputs, outputs;

    if (!api)
        return refuse_model(s->why, "ONNX Runtime is %s, older than the program",
                            OrtGetApiBase()->GetVersionString());
    s->api = api;
    inputs = (struct list){api->SessionGetInputCount, api->SessionGetInputName,
                           api->SessionGetInputTypeInfo};
    outputs = (struct list){api->SessionGetOutputCount, api->SessionGetOutputName,
                            api->SessionGetOutputTypeInfo};
    if (load_model(s, file) != 0 ||
        check_call(api, api->GetAllocatorWithDefaultOptions(&s->names), s->why) != 0 ||
        check_call(api, api->CreateCpuMemoryInfo(OrtArenaAllocator, OrtMemTypeDefault, &s->memory),
                   s->why) != 0)
        return -1;
    return open_tensor(s, &s->in, &inputs) != 0 ? -1 : open_tensor(s, &s->out, &outputs);
}

static int make_value(const struct session *s, const struct tensor *t, void *elements,
                      OrtValue **value, char why[400])
{
    return check_call(s->api,
                      s->api->CreateTensorWithDataAsOrtValue(s->memory, elements,
                                                             t->elements * t->size, t->shape,
                                                             t->rank, t->type, value),
                      why);
}

int dal_part_run_model(const struct session *s, const void *in, void *out, char why[400])
{
    const char *input = s->in.found, *output = s->out.found;
    OrtValue *read = NULL, *written = NULL;
    int status = -1;

    if (make_value(s, &s->in, (void *)in, &read, why) == 0 &&
        make_value(s, &s->out, out, &written, why) == 0)
        status = check_call(s->api,
                            s->api->Run(s->session, NULL, &input, (const OrtValue *const *)&read, 1,
                                        &output, 1, &written),
                            why);
    if (written)
        s->api->ReleaseValue(written);
    if (read)
        s->api->ReleaseValue(read);
    return status;
}

void dal_part_close_model(struct session *s)
{
    if (!s->api)
        return;
    if (s->in.found)
        (void)check_call(s->api, s->api->AllocatorFree(s->names, s->in.found), s->why);
    if (s->out.found)
        (void)check_call(s->api, s->api->AllocatorFree(s->names, s->out.found), s->why);
    if (s->memory)
        s->api->ReleaseMemoryInfo(s->memory);
    if (s->session)
        s->api->ReleaseSession(s->session);
    if (s->env)
        s->api->ReleaseEnv(s->env);
}
