/* The build logs of the compilers of kernels, made readable. Any thread. */
#ifndef DAL_RT_BACKEND_LOG_H
#define DAL_RT_BACKEND_LOG_H

/*
 * Turns a build log into lines `file:line: error: [kernel-build] message` (or `warning:`, `note:`),
 * whatever form the compiler writes them in; a line without a place is passed on as it is.
 * `text` is the program: where a compiler ignores its #line directives, places are looked up in
 * them; `file` stands in for a program without any. Returns a new string, NULL when memory is
 * exhausted.
 */
char *dal__build_log(const char *log, const char *file, const char *text);

/* The same of warnings alone, each once and with its notes, and only of those in lines that a #line
 * directive of `text` gives a file: the user's. What stands before the first is generated. */
char *dal__build_log_warnings(const char *log, const char *file, const char *text);

/* Whether a build failed for what the device lacks, local memory for instance, not for what is
 * wrong with the source. Known messages; any other log is of a source. */
int dal__build_log_lacks(const char *log);

#endif
