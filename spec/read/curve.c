#include "spec/read/curve.h"

#include "rt/base/alloc.h"

enum { NUMBERS = 3 * DAL_CURVE_MOST };
#define MOST 1e18

/* A launch has more firings than one of the size before, by so much at least. */
static const double MORE = 1 + 1e-9;

static void check_launches(struct dal_json *json, const struct dal_spec_launches *size,
                           const struct dal_spec_launches *before)
{
    if (size->launches < 1 || size->firings < size->launches)
        dal_json_refuse(json, "a size of a curve has a launch at least, each of a firing or more");
    if (before && size->firings / size->launches <= MORE * before->firings / before->launches)
        dal_json_refuse(json, "the firings a launch of a curve do not ascend");
}

void dal__curve_read(struct dal_json *json, void *to)
{
    struct dal_spec_curve **curve = to;
    double numbers[NUMBERS];
    size_t read = dal_json_numbers(json, numbers, NUMBERS, MOST, "curve");
    if (read % 3 != 0)
        dal_json_refuse(json, "a curve has three numbers a size: launches, firings, ns");
    *curve = read && !json->wrong ? dal_calloc(1, sizeof(**curve)) : NULL;
    for (size_t i = 0; *curve && i < read; i += 3) {
        struct dal_spec_launches *size = &(*curve)->of[(*curve)->count++];
        *size = (struct dal_spec_launches){numbers[i], numbers[i + 1], numbers[i + 2]};
        check_launches(json, size, i ? size - 1 : NULL);
    }
}
