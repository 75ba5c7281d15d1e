/*
 * steps.h: what the kernels of group.xml do with a token of VAR_tokenbytes, for them and for
 * kernels by hand. `from` and `to` are tokens in any memory. The work-items share the words.
 */
#ifndef SYNTHETIC_STEPS_H
#define SYNTHETIC_STEPS_H

#define WORDS (VAR_tokenbytes / 4)

/* Every word is the seed and the number of the word. */
#define SPREAD_WORDS(seed, to)                                                                     \
    for (size_t i = get_local_id(0); i < WORDS; i += get_local_size(0))                            \
    (to)[i] = (seed) + (uint)i

#define ADD_WORDS(from, to)                                                                        \
    for (size_t i = get_local_id(0); i < WORDS; i += get_local_size(0))                            \
    (to)[i] = (from)[i] + 1

/* What a token comes to. */
#define GATHERED(from) ((from)[0] + (from)[WORDS - 1])

#endif
