/* What --explain says with the times of processes: the prediction, advice, and a run beside it. */
#include "rt/base/error.h"
#include "synth/program/explain.h"
#include "synth/tune/predict/advice.h"
#include "synth/tune/predict/compare.h"

/* Writes the mapping with the change that helps most, or as it is. */
static int write_advice(const struct dal_plan *plan, const struct dal_recommendation *best,
                        const char *name)
{
    struct dal_text text = {0};
    int status = dal_mapping_move_write(plan, best ? &best->change : NULL, &text);
    if (!status)
        status = dal_text_write(dal_text_get(&text), "--advice=", name);
    dal_text_finish(&text);
    return status;
}

static int explain_advice(const struct dal_plan *plan, const struct dal_prediction *prediction,
                          const struct dal_explain *wishes, FILE *out)
{
    struct dal_advice advice;
    int status;
    status = dal_advise(plan, prediction, wishes->seconds, &advice);
    fputc('\n', out);
    if (!status)
        status = dal_advice_print(prediction, &advice, out);
    if (!status && wishes->advice_file)
        status = write_advice(plan, dal_advice_best(prediction, &advice), wishes->advice_file);
    dal_advice_finish(&advice);
    return status;
}

/* Explains the prediction, if a file of times was given. */
static int explain_prediction(const struct dal_plan *plan, const struct dal_explain *wishes,
                              struct dal_prediction *prediction, FILE *out)
{
    int status = dal_predict(plan, 0, prediction);
    fputc('\n', out);
    if (!status)
        status = dal_prediction_print(plan, prediction, out);
    if (status || prediction->unknown || !wishes->advises)
        return status;
    return explain_advice(plan, prediction, wishes, out);
}

int dal__explain_times(const struct dal_plan *plan, const struct dal_ledger *ledger,
                       const struct dal_explain *wishes, FILE *out)
{
    struct dal_prediction prediction = {0};
    int known = dal_predict_is_wanted(plan);
    struct dal_comparison comparison = {plan, known ? &prediction : NULL, ledger, wishes->measured};
    int status = known ? explain_prediction(plan, wishes, &prediction, out) : DAL_OK;
    if (!known)
        dal_prediction_cores(plan, NULL, out);
    if (wishes->advises && !status && (!known || prediction.unknown)) {
        dal_log(DAL_LOG_ERROR, "--advice: there is none without the times of all processes");
        status = DAL_ERR_INVALID;
    }
    if (wishes->measured && !status) {
        fputc('\n', out);
        status = dal_compare_print(&comparison, out);
    }
    dal_prediction_finish(&prediction);
    return status;
}
