/* Infer: runs a model over the tokens of a firing. All firings share one model, which they read. */
#include "dal.h"
#include "../common/input_file.h"
#include "session.h"

_Static_assert(VAR_length % VAR_token == 0 && VAR_tolength % VAR_totoken == 0,
               "length and tolength are whole tokens");

#define TYPE_OF(type)                                                                              \
    _Generic((type)0, float                                                                        \
             : ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT, double                                         \
             : ONNX_TENSOR_ELEMENT_DATA_TYPE_DOUBLE, int8_t                                        \
             : ONNX_TENSOR_ELEMENT_DATA_TYPE_INT8, uint8_t                                         \
             : ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT8, int32_t                                        \
             : ONNX_TENSOR_ELEMENT_DATA_TYPE_INT32, int64_t                                        \
             : ONNX_TENSOR_ELEMENT_DATA_TYPE_INT64)

struct _local_states {
    const char *model;
    struct session session;
};

static const char *text_of(const char *name, DALProcess *p)
{
    const char *text = DAL_getParameter(name, p);

    return text ? text : "";
}

void Infer_init(DALProcess *p)
{
    LocalState s = p->local;
    uint64_t bytes;
    int fd;

    s->model = DAL_getParameter("model", p);
    fd = open_input(s->model, &bytes, p);
    if (fd < 0)
        return;
    close(fd);
    s->session.in = (struct tensor){.kind = "input",
                                    .name = text_of("input", p),
                                    .text = text_of("shape", p),
                                    .elements = (size_t)VAR_batch * VAR_length,
                                    .size = sizeof(VAR_type),
                                    .type = TYPE_OF(VAR_type)};
    s->session.out = (struct tensor){.kind = "output",
                                     .name = text_of("output", p),
                                     .text = text_of("toshape", p),
                                     .elements = (size_t)VAR_batch * VAR_tolength,
                                     .size = sizeof(VAR_totype),
                                     .type = TYPE_OF(VAR_totype)};
    if (dal_part_open_model(&s->session, s->model) != 0)
        DAL_fail(p, "%s: %s", s->model, s->session.why);
}

int Infer_fire(DALProcess *p)
{
    const VAR_type *in = DAL_read_begin(PORT_in, TOKEN_in_SIZE, TOKEN_in_RATE, p);
    VAR_totype *out =
        DAL_write_begin(PORT_out, TOKEN_out_SIZE, TOKEN_out_RATE, TOKEN_out_RATE, 0, p);
    char why[400];

    if (!in || !out)
        return 1;
    if (dal_part_run_model(&p->local->session, in, out, why) != 0) {
        DAL_fail(p, "%s: %s", p->local->model, why);
        return 1;
    }
    DAL_read_end(PORT_in, in, p);
    DAL_write_end(PORT_out, out, p);
    return 0;
}

void Infer_finish(DALProcess *p)
{
    dal_part_close_model(&p->local->session);
}
