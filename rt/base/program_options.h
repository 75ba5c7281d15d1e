/*
 * The options of every program that dalsynth makes, by their long names: rt/app/main.c reads them,
 * and dalsynth refuses a port of such a name, since a port is an option, too.
 */
#pragma once

/* X(name, whether a value follows, the letter that stands for it) */
#define DAL_PROGRAM_OPTIONS(X)                                                                     \
    X("parameter", 1, 'p')                                                                         \
    X("strict", 0, 's')                                                                            \
    X("check", 0, 'c')                                                                             \
    X("stall-timeout", 1, 't')                                                                     \
    X("device-timeout", 1, 'd')                                                                    \
    X("link-timeout", 1, 'l')                                                                      \
    X("io-timeout", 1, 'i')                                                                        \
    X("max-memory", 1, 'm')                                                                        \
    X("all-cores", 0, 'a')                                                                         \
    X("stack", 1, 'k')                                                                             \
    X("event-queue", 1, 'e')                                                                       \
    X("help", 0, 'h')                                                                              \
    X("version", 0, 'v')
