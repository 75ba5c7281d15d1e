/* Limits of a specification. Products of these are still checked for overflow. */
#pragma once

#include <stdint.h>

#define DAL_MAX_RATE          ((int64_t)INT32_MAX)    /* tokens a firing: an int in sources */
#define DAL_MAX_TOKEN_BYTES   ((int64_t)INT32_MAX)    /* an int to DAL_read() and MPI */
#define DAL_MAX_CHANNEL_BYTES ((int64_t)1 << 40)      /* and as many tokens */
#define DAL_MAX_TIME          ((int64_t)1 << 40)      /* time units of a firing */
#define DAL_MAX_STATE_BITS    ((int64_t)1 << 60)      /* that a process keeps */
#define DAL_MAX_DURATION      UINT64_C(3600000000000) /* ns: of a period, of a latency */
#define DAL_MAX_OPEN          1000 /* value of a variable that a network leaves open */
#define DAL_MAX_LATENCIES     1000
#define DAL_MAX_VARIABLES     4096    /* of a file */
#define DAL_DIMENSIONS        3       /* of work-items, as OpenCL has them */
#define DAL_MAX_COPIES        65536   /* shadow copies, work-items */
#define DAL_MAX_THREADS       1024    /* of the team of a process */
#define DAL_MAX_PRIORITY      1000000 /* and this at least, negative */
#define DAL_MAX_PHASES        4096    /* firings of a cycle */
#define DAL_MAX_PROCESSES     1000000
#define DAL_MAX_CHANNELS      4000000
#define DAL_MAX_NAME          200  /* characters, with those of the parts around it */
#define DAL_MAX_PORTS         4096 /* of a process */
