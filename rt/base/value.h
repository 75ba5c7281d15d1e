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
