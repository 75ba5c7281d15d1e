#include "spec/load/fsm.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "spec/check/check.h"

struct dal_spec_fsm *dal_fsm_load(struct dal_diags *diags, const char *file)
{
    struct dal_spec_fsm *fsm = dal_calloc(1, sizeof(*fsm));
    size_t errors = diags->errors;
    if (!fsm) {
        dal__lost(diags);
        return NULL;
    }
    if (dal__read_fsm(diags, file, fsm) == DAL_OK)
        dal__check_fsm(diags, fsm);
    if (diags->errors == errors && !diags->lost)
        return fsm;
    dal_fsm_destroy(fsm);
    return NULL;
}
