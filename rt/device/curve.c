#include "rt/device/curve.h"

#include "rt/base/number.h"

#include <inttypes.h>

/* Of so many launches one is tried, the last. After it the ring gets back to whole S, and after
 * that there is a launch as usual. */
enum { TURNS = 3 };

static int size_of(uint64_t rounds)
{
    int size = 0;
    while (rounds >>= 1)
        size++;
    return size < DAL_CURVE_SIZES ? size : DAL_CURVE_SIZES - 1;
}

uint64_t dal_curve_most(const struct dal_curve *curve, uint64_t launch, uint64_t copies)
{
    if (!curve || !curve->tries || copies < 2 || launch % TURNS != TURNS - 1)
        return UINT64_MAX;
    return UINT64_C(1) << launch / TURNS % (uint64_t)(size_of(copies - 1) + 1);
}

void dal_curve_add(struct dal_curve *curve, uint64_t rounds, int64_t ns)
{
    struct dal_curve_size *size = &curve->sizes[size_of(rounds)];
    if (curve->ended++ == 0)
        return;
    size->launches++;
    size->rounds += rounds;
    size->ns += ns > 0 ? ns : 0;
}

void dal_curve_merge(struct dal_curve *curve, const struct dal_curve *other)
{
    for (int i = 0; i < DAL_CURVE_SIZES; i++) {
        curve->sizes[i].launches += other->sizes[i].launches;
        curve->sizes[i].rounds += other->sizes[i].rounds;
        curve->sizes[i].ns += other->sizes[i].ns;
    }
}

void dal_curve_print(FILE *file, const char *before, const struct dal_curve *curve,
                     uint64_t firings, int together)
{
    const char *between = "";
    for (int i = 0; i < DAL_CURVE_SIZES; i++) {
        const struct dal_curve_size *size = &curve->sizes[i];
        if (size->launches == 0)
            continue;
        if (!*between)
            fprintf(file, "%s\"curve\": [", before);
        fprintf(file, "%s%" PRIu64 ", %" PRIu64 ", %" PRId64, between, size->launches,
                size->rounds * firings, size->ns / together);
        between = ", ";
    }
    if (*between)
        putc(']', file);
}
