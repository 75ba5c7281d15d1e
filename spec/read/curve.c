#include "spec/read/curve.h"

#include "rt/base/alloc.h"

enum { NUMBERS = 3 * DAL_CURVE_MOST };
#define MOST 1e18

static void check_launches(struct dal_json *json, const struct dal_spec_launches *size,
                           const struct dal_spec_launches *before)
{
    if (size->launches < 1 || size->firings < size->launches)
        dal_json_refuse(json, "a size of a curve has a launch at least, each of a firing or more");
    if (before && size->firings * before->launches <= before->firings * size->launches)
        dal_json_refuse(json, "the firings a launch of a curve do not ascend");
}

/* Returns how many numbers there are. */
static size_t read_numbers(struct dal_json *json, double *numbers)
{
    size_t read = 0;
    int count = 0;
    dal_json_begin(json, '[', "curve");
    while (dal_json_next(json, '[', &count)) {
        double number = dal_json_number(json, 0, MOST, "curve");
        if (read == NUMBERS)
            dal_json_refuse(json, "a curve has more than %d sizes", DAL_CURVE_MOST);
        else
            numbers[read++] = number;
    }
    if (read % 3 != 0)
        dal_json_refuse(json, "a curve has three numbers a size: launches, firings, ns");
    return json->wrong ? 0 : read;
}

void dal__curve_read(struct dal_json *json, void *to)
{
    struct dal_spec_curve **curve = to;
    double numbers[NUMBERS];
    size_t read = read_numbers(json, numbers);
    *curve = read ? dal_calloc(1, sizeof(**curve)) : NULL;
    for (size_t i = 0; *curve && i < read; i += 3) {
        struct dal_spec_launches *size = &(*curve)->of[(*curve)->count++];
        *size = (struct dal_spec_launches){numbers[i], numbers[i + 1], numbers[i + 2]};
        check_launches(json, size, i ? size - 1 : NULL);
    }
}
