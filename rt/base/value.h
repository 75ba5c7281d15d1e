/* Reads numbers in text, such as values of parameters, strictly and as a whole. Any thread. */
#pragma once

#include <stddef.h>

/*
 * Reads a number of a C type: an integer of `bytes` bytes (decimal, 0x and 0 as in C), with a sign
 * or without; or, with `is_real`, a float or double. Nothing may stand around it. Sets *value,
 * which is of that type. Returns DAL_OK, DAL_ERR_INVALID if it is no number, or DAL_ERR_LIMIT if it
 * does not fit the type; nothing is logged.
 */
int dal_value_parse(const char *text, int is_real, int is_signed, size_t bytes, void *value);

/* Reads an integer or a number as a whole, as above, where a value has no type. Returns 1 with it
 * set, 0 if the text is none. A real is finite. */
int dal_value_integer(const char *text, long *value);
int dal_value_real(const char *text, int is_float, double *value);

/* Returns a number of bytes, "1.5G": K, M or G may follow. Negative where it is none. */
double dal_value_bytes(const char *text);

/* A type of numbers, and the range that values must be in. Ends that are NULL are not there; others
 * are numbers of the type. */
struct dal_value_range {
    const char *type; /* its name, for messages */
    int is_real, is_signed;
    size_t bytes; /* at most 8 */
    const char *min, *max;
};

enum { DAL_VALUE_WHY = 400 };

/* Tells a range of which at least one end is there: "from 0 to 4", "at least 0". Returns `text`. */
const char *dal_value_tell(const char *min, const char *max, char text[DAL_VALUE_WHY]);

/* Checks a value. Returns DAL_OK, or DAL_ERR_INVALID with `why` set: "\"9\" is out of range: it
 * must be from 0 to 4". */
int dal_value_check(const char *text, const struct dal_value_range *range, char why[DAL_VALUE_WHY]);
