/*
 * All means by which threads reach each other: atomics, mutexes, threads, naps, clocks. rt and
 * channels take them from here alone, except the libraries beside libdal (rt/mpi, rt/live).
 *
 * Usually they are the C library's. In a build with --enable-schedules a seeded scheduler decides
 * who is next (rt/base/schedule.h): the names below replace calls by its own. The compiler turns
 * atomic operations and accesses to memory into calls (-fsanitize=thread, without its runtime).
 */
#pragma once

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Lets a thread that waits for another one take less of the core that both may share. */
static inline void dal_pause(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

#ifdef DAL_SCHEDULES
#include "rt/base/schedule.h"
#define pthread_create        dal_schedule_create
#define pthread_join          dal_schedule_join
#define pthread_detach        dal_schedule_detach
#define pthread_mutex_lock    dal_schedule_lock
#define pthread_mutex_trylock dal_schedule_trylock
#define pthread_mutex_unlock  dal_schedule_unlock
#define pthread_barrier_init  dal_schedule_barrier_init
#define pthread_barrier_wait  dal_schedule_barrier_wait
#define sched_yield           dal_schedule_yield
#define nanosleep             dal_schedule_nanosleep
#define clock_gettime         dal_schedule_clock
#define syscall               dal_schedule_futex /* rt/base/wake.c makes no other system call */
#endif
