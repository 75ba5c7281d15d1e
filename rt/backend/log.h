/* Makes the build logs of compilers of kernels readable. Any thread. */
#pragma once

/*
 * Turns a build log into lines `file:line: error: [kernel-build] message` (or `warning:`, `note:`),
 * whatever form the compiler writes them in. A line without a place stays as it is. `text` is the
 * program: its #line directives correct places if the compiler ignores them. `file` stands in for a
 * program without any. Returns a new string, NULL when memory is exhausted.
 */
char *dal__build_log(const char *log, const char *file, const char *text);

/* Turns a build log's warnings into such lines, each once and with its notes. Only warnings about
 * the user's lines count: those after a #line directive of `text`. Lines before the first are
 * generated. */
char *dal__build_log_warnings(const char *log, const char *file, const char *text);

/* Did a build fail because the device lacks something, such as local memory? It knows messages of
 * compilers; any other log means a wrong source. */
int dal__build_log_lacks(const char *log);
