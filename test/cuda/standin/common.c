/* What all functions of the stand-in begin and end with: limits, the lock, the log, chance. */
#include "test/cuda/standin/standin.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

struct standin_limits standin_limits;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static FILE *log_file;
static uint64_t chance;
static unsigned misused;

static size_t number_of(const char *name, size_t usual)
{
    const char *text = getenv(name);
    return text ? strtoull(text, NULL, 10) : usual;
}

/* What driver and tests ask of the environment, once. */
static void read_environment(void)
{
    const char *name = getenv("DAL_STANDIN_LOG");
    int devices = (int)number_of("DAL_STANDIN_DEVICES", 2);
    standin_limits = (struct standin_limits){
        .devices = devices < STANDIN_MOST_DEVICES ? devices : STANDIN_MOST_DEVICES,
        .peers = number_of("DAL_STANDIN_PEERS", 1) != 0,
        .memory_bytes = number_of("DAL_STANDIN_MEMORY", (size_t)256 << 20),
        .shared_bytes = number_of("DAL_STANDIN_SHARED", 48 << 10),
    };
    chance = number_of("DAL_STANDIN_SEED", 1);
    log_file = name && *name ? fopen(name, "a") : NULL;
    if (log_file)
        setvbuf(log_file, NULL, _IOLBF, 0);
}

int standin_enter_any(void)
{
    static int ready;
    pthread_mutex_lock(&lock);
    if (!ready)
        read_environment();
    ready = 1;
    return CUDA_SUCCESS;
}

int standin_enter(void)
{
    struct standin_context *context;
    standin_enter_any();
    context = standin_current();
    if (!context)
        standin_misuse("no context is current");
    return context ? context->error : CUDA_ERROR_INVALID_CONTEXT;
}

int standin_leave(int result, const char *call, const char *format, ...)
{
    va_list list;
    standin_open(-1);
    if (log_file) {
        fprintf(log_file, "%s ", call);
        va_start(list, format);
        vfprintf(log_file, format, list);
        va_end(list);
        fprintf(log_file, " = %d\n", result);
    }
    pthread_mutex_unlock(&lock);
    return result;
}

void standin_misuse(const char *format, ...)
{
    char text[512];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof(text), format, list);
    va_end(list);
    misused++;
    fprintf(stderr, "stand-in for CUDA: misuse: %s\n", text);
    if (log_file)
        fprintf(log_file, "misuse: %s\n", text);
}

unsigned dal_standin_misused(void)
{
    return misused;
}

void standin_wait(void)
{
    standin_open(-1);
    pthread_cond_wait(&changed, &lock);
}

void standin_wake(void)
{
    pthread_cond_broadcast(&changed);
}

/* A linear congruential generator; its upper bits are drawn. */
unsigned standin_draw(unsigned limit)
{
    chance = chance * 6364136223846793005ull + 1442695040888963407ull;
    return limit > 0 ? (unsigned)((chance >> 33) % limit) : 0;
}

/* The last line of a log says what is left. */
static void __attribute__((destructor)) tell_what_is_left(void)
{
    if (!log_file)
        return;
    fprintf(log_file, "left: %s\nmisused: %u\n", dal_standin_left(), misused);
    fclose(log_file);
    log_file = NULL;
}
