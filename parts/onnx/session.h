/* A model, loaded by ONNX Runtime, with one input and one output of fixed sizes. */
#ifndef SESSION_H
#define SESSION_H

#include <onnxruntime_c_api.h>
#include <stdint.h>

enum { RANK = 8 };

/* An input or an output, whose elements lie one behind the other. */
struct tensor {
    const char *kind; /* "input" or "output" */
    const char *name; /* that is wanted; "" where the model has one */
    const char *text; /* its shape, as "1 3 480 640"; "" as the model says */
    size_t elements;
    size_t size; /* bytes of an element */
    ONNXTensorElementDataType type;
    char *found; /* its name in the model */
    int64_t shape[RANK];
    size_t rank;
};

struct session {
    const OrtApi *api; /* NULL: not open */
    OrtEnv *env;
    OrtSession *session;
    OrtAllocator *names;
    OrtMemoryInfo *memory;
    struct tensor in, out;
    char why[400]; /* of the call that failed */
};

#ifdef __cplusplus
extern "C" {
#endif

/* Loads a model. The members of `in` and `out` down to `type` say what is wanted. Returns 0 or -1;
 * what is open is closed by the last, in either case. */
int dal_part_open_model(struct session *s, const char *file);
/* Runs the model, which reads and writes the elements where they are. Threads may call it at once.
 * Returns 0 or -1, with the reason in `why`. */
int dal_part_run_model(const struct session *s, const void *in, void *out, char why[400]);
void dal_part_close_model(struct session *s);

/* Between the files of the part: std::cerr says nothing as long as that is wanted. Standard error
 * of C is another stream, and goes on. */
void dal_part_silence(int is_wanted);

#ifdef __cplusplus
}
#endif

#endif
