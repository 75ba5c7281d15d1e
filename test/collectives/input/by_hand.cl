/*
 * What some devices have for dal_collectives.h, made by hand from its own scratch, for those that
 * have it not. It is read before the header. So its paths run, and can be looked at, on any device.
 */

/* Shuffles in warps. The second half of the scratch is free there. */
#define DAL__SHUFFLE(T, OP, C, lanes, x, from)                                                         \
    __extension__({                                                                                \
        __local C *by_hand = (__local C *)((__local DAL_SCRATCH_TYPE *)shared + DAL_GROUP_ITEMS);             \
        C one;                                                                                     \
        by_hand[item] = x;                                                                         \
        barrier(CLK_LOCAL_MEM_FENCE);                                                              \
        one = by_hand[item - lane + (from)];                                                       \
        barrier(CLK_LOCAL_MEM_FENCE);                                                              \
        one;                                                                                       \
    })

/* Of values from `first` to `end`, by places; each place's. Nobody uses the first half meanwhile.
 */
#define IN_A_ROW(T, OP, C, x, place, first, end)                                                   \
    __extension__({                                                                                \
        __local C *by_hand = DAL__FIRST(C, scratch);                                               \
        C sum = x;                                                                                 \
        barrier(CLK_LOCAL_MEM_FENCE);                                                              \
        by_hand[place] = sum;                                                                      \
        barrier(CLK_LOCAL_MEM_FENCE);                                                              \
        sum = by_hand[first];                                                                      \
        for (size_t at = (first) + 1; at < (end); at++)                                            \
            sum = DAL__OP(T, OP, sum, by_hand[at]);                                                \
        barrier(CLK_LOCAL_MEM_FENCE);                                                              \
        sum;                                                                                       \
    })
#define DAL__GROUP_REDUCE(T, OP, C, x)                                                             \
    IN_A_ROW(T, OP, C, x, DAL__NUMBER, (size_t)0, (size_t)DAL_GROUP_ITEMS)
#define DAL__GROUP_BEFORE(T, OP, C, x) IN_A_ROW(T, OP, C, x, DAL__NUMBER, (size_t)0, DAL__NUMBER)
#define DAL__HAS_ANY (DAL__PATH == DAL__GROUPS)
#define DAL__GROUP_ANY(is)                                                                         \
    __extension__({                                                                                \
        __local int *by_hand = DAL__FIRST(int, scratch);                                           \
        int sum = 0;                                                                               \
        by_hand[DAL__NUMBER] = is;                                                                 \
        barrier(CLK_LOCAL_MEM_FENCE);                                                              \
        for (size_t at = 0; at < DAL_GROUP_ITEMS; at++)                                            \
            sum |= by_hand[at];                                                                    \
        barrier(CLK_LOCAL_MEM_FENCE);                                                              \
        sum;                                                                                       \
    })

/* Sub-groups have 12 work-items, the last perhaps fewer; and in an order of their own. */
#define MOST            12u
#define IN_ORDER        (DAL_GROUP_ITEMS - 1 - (uint)DAL__NUMBER)
#define DAL__SUB_MOST   MOST
#define DAL__SUB_NUMBER (IN_ORDER / MOST)
#define DAL__SUB_PLACE  (IN_ORDER % MOST)
#define DAL__SUB_COUNT  ((DAL_GROUP_ITEMS + MOST - 1) / MOST)
#define DAL__SUB_SIZE   DAL__LESS(MOST, DAL_GROUP_ITEMS - DAL__SUB_NUMBER * MOST)
#define SUB_FIRST       ((size_t)(IN_ORDER - DAL__SUB_PLACE))
#define DAL__SUB_REDUCE(T, OP, C, x)                                                               \
    IN_A_ROW(T, OP, C, x, IN_ORDER, SUB_FIRST, SUB_FIRST + DAL__SUB_SIZE)
#define DAL__SUB_BEFORE(T, OP, C, x) IN_A_ROW(T, OP, C, x, IN_ORDER, SUB_FIRST, (size_t)IN_ORDER)
