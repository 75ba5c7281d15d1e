/* Helpers of stripe.c: a constant, a function that reads a window, one that does not. */
#ifndef STRIPE_H
#define STRIPE_H

static const int weights[3] = {1, GAIN, 1};

static inline int within(int k)
{
    return k < 0 ? 0 : k < VAR_width ? k : VAR_width - 1;
}

static inline int weigh(DAL_WINDOW const int *row, int k)
{
    int sum = 0;

    for (int i = 0; i < 3; i++)
        sum += weights[i] * row[within(k + i - 1)];
    return sum;
}

#endif
