/*
 * A stand-in for NVRTC: CUDA is compiled as C++ of the host, behind cuda_builtins.h, into a shared
 * object. DAL_STANDIN_CXX names the compiler; else it is the first of g++, clang++ and c++.
 *
 * The text is preprocessed first. Then its kernels are found by what __global__ has become, and a
 * function that calls each with an array of arguments is added. Messages are those of NVRTC in
 * form.
 */
#define _GNU_SOURCE
#include "rt/cuda/driver.h"
#include "test/cuda/standin/image.h"

#include <ctype.h>
#include <elf.h>
#include <fcntl.h>
#include <regex.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define GLOBAL "dal_standin_global"
#define BOUNDS "dal_standin_bounds"

enum { MOST_OPTIONS = 128, MOST_KERNELS = 256, OPTION_BYTES = 1024 };

#define STANDIN_PROTOTYPE(name, parameters) int name parameters;
DAL_CUDA_COMPILER_CALLS(STANDIN_PROTOTYPE)
#undef STANDIN_PROTOTYPE

struct _nvrtcProgram {
    char *text, *name, *log;
    unsigned char *object;
    size_t bytes;
    int ptx, headers; /* PTX alone; texts beside this one */
    char folder[64];
    char options[MOST_OPTIONS][OPTION_BYTES];
    int count;
};

static unsigned programs;

/* For a test: programs that were not destroyed. */
unsigned dal_standin_programs(void);
unsigned dal_standin_programs(void)
{
    return programs;
}

static void record(const char *call, int result, const char *what)
{
    const char *name = getenv("DAL_STANDIN_LOG");
    FILE *file = name && *name ? fopen(name, "a") : NULL;
    if (!file)
        return;
    fprintf(file, "%s %s = %d\n", call, what, result);
    fclose(file);
}

/* ---- files and programs -----------------------------------------------------------------------
 */

static char *read_all(const char *path, size_t *bytes)
{
    FILE *file = fopen(path, "rb");
    char *text = NULL;
    long end = -1;
    *bytes = 0;
    if (!file)
        return NULL;
    if (fseek(file, 0, SEEK_END) == 0 && (end = ftell(file)) >= 0)
        text = calloc(1, (size_t)end + 1);
    rewind(file);
    if (text)
        *bytes = fread(text, 1, (size_t)end, file);
    fclose(file);
    return text;
}

static int write_all(const char *path, const char *text)
{
    FILE *file = fopen(path, "wb");
    int good = file && fputs(text, file) >= 0;
    if (file && fclose(file) != 0)
        good = 0;
    return good;
}

static void path_in(const struct _nvrtcProgram *program, const char *name, char path[256])
{
    snprintf(path, 256, "%s/%s", program->folder, name);
}

/* Runs a compiler; its messages go to file `log`. The exit status, or -1 without such a program. */
static int run_program(char *const *words, const char *log)
{
    extern char **environ;
    posix_spawn_file_actions_t actions;
    pid_t child;
    int status = -1;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, log, O_WRONLY | O_CREAT | O_APPEND, 0600);
    posix_spawn_file_actions_adddup2(&actions, 1, 2);
    if (posix_spawnp(&child, words[0], &actions, NULL, words, environ) == 0)
        while (waitpid(child, &status, 0) < 0)
            ;
    posix_spawn_file_actions_destroy(&actions);
    return status >= 0 && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static const char *compiler(void)
{
    static const char *const names[] = {"g++", "clang++", "c++"};
    static const char *found;
    for (size_t i = 0; !found && i < sizeof(names) / sizeof(names[0]); i++) {
        char *const words[] = {(char *)names[i], (char *)"--version", NULL};
        if (run_program(words, "/dev/null") == 0)
            found = names[i];
    }
    return getenv("DAL_STANDIN_CXX") ? getenv("DAL_STANDIN_CXX") : found;
}

/* ---- options ----------------------------------------------------------------------------------
 */

/* How an option of NVRTC begins, and what the host's compiler has for that; NULL: nothing. */
static const struct option {
    const char *begins, *becomes;
    int more; /* a value follows, in the same word or the next */
} options[] = {
    {"--gpu-architecture=", NULL, 0},
    {"-arch=", NULL, 0},
    {"--define-macro=", "-D", 1},
    {"-D", "-D", 1},
    {"--undefine-macro=", "-U", 1},
    {"-U", "-U", 1},
    {"--include-path=", "-I", 1},
    {"-I", "-I", 1},
    {"--std=", NULL, 0},
    {"-std=", NULL, 0},
    {"--fmad=false", NULL, 0},
    {"-fmad=false", NULL, 0},
    {"--fmad=true", "-ffp-contract=fast", 0},
    {"-fmad=true", "-ffp-contract=fast", 0},
    {"--ftz=", NULL, 0},
    {"-ftz=", NULL, 0},
    {"--prec-div=", NULL, 0},
    {"-prec-div=", NULL, 0},
    {"--prec-sqrt=", NULL, 0},
    {"-prec-sqrt=", NULL, 0},
    {"--use_fast_math", "-ffast-math", 0},
    {"-use_fast_math", "-ffast-math", 0},
    {"--device-as-default-execution-space", NULL, 0},
    {"-default-device", NULL, 0},
    {"--generate-line-info", NULL, 0},
    {"-lineinfo", NULL, 0},
    {"--device-debug", NULL, 0},
    {"-G", NULL, 0},
    {"--disable-warnings", "-w", 0},
    {"-w", "-w", 0},
    {"--maxrregcount=", NULL, 0},
    {"-maxrregcount=", NULL, 0},
    {"--extra-device-vectorization", NULL, 0},
    {"--diag-suppress=", NULL, 0},
    {"-diag-suppress=", NULL, 0},
    {"--no-display-error-number", NULL, 0},
    {"--display-error-number", NULL, 0},
    {"--restrict", NULL, 0},
    {"-restrict", NULL, 0},
};

static const struct option *option_of(const char *text)
{
    for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++)
        if (strncmp(text, options[i].begins, strlen(options[i].begins)) == 0)
            return &options[i];
    return NULL;
}

/* Adds what the i-th option becomes; how many words it took, 0 when it is none. */
static int add_option(struct _nvrtcProgram *program, const char *const *words, int i, int count)
{
    const struct option *option = option_of(words[i]);
    const char *value = option ? words[i] + strlen(option->begins) : "";
    int taken = 1;
    if (!option || program->count == MOST_OPTIONS)
        return 0;
    if (strstr(words[i], "arch=compute_") || strstr(words[i], "architecture=compute_"))
        program->ptx = 1;
    if (option->more && !*value && i + 1 < count) {
        value = words[i + 1];
        taken = 2;
    }
    if (option->becomes)
        snprintf(program->options[program->count++], OPTION_BYTES, "%s%s", option->becomes,
                 option->more ? value : "");
    return taken;
}

static int add_options(struct _nvrtcProgram *program, int count, const char *const *words)
{
    program->count = 0;
    program->ptx = 0;
    for (int i = 0; i < count;) {
        int taken = add_option(program, words, i, count);
        if (taken == 0) {
            free(program->log);
            if (asprintf(&program->log, "nvrtc: error: invalid value for option: %s\n", words[i]) <
                0)
                program->log = NULL;
            return NVRTC_ERROR_INVALID_OPTION;
        }
        i += taken;
    }
    return NVRTC_SUCCESS;
}

/* ---- kernels of a preprocessed text -----------------------------------------------------------
 */

struct kernel {
    char name[256], bounds[64];
};

static int is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* The end of what a parenthesis begins. */
static char *behind_parentheses(char *at)
{
    int depth = 0;
    for (; *at; at++) {
        depth += (*at == '(') - (*at == ')');
        if (depth == 0)
            return at + 1;
    }
    return at;
}

static void blank(char *from, const char *to)
{
    for (; from < to; from++)
        if (*from != '\n')
            *from = ' ';
}

/* The word in front of the first parenthesis that belongs to no attribute. */
static void read_kernel(char *at, struct kernel *kernel)
{
    char *word = at;
    size_t bytes;
    *kernel = (struct kernel){.bounds = "0"};
    while (*at && *at != ';' && *at != '{') {
        if (*at == '(' && strncmp(word, BOUNDS, strlen(BOUNDS)) == 0) {
            char *end = behind_parentheses(at);
            snprintf(kernel->bounds, sizeof(kernel->bounds), "%.*s", (int)strcspn(at + 1, ",)"),
                     at + 1);
            blank(word, end);
            at = end;
        } else if (*at == '(' && strncmp(word, "__attribute__", 13) == 0) {
            at = behind_parentheses(at);
        } else if (*at == '(') {
            break;
        } else if (is_word(*at)) {
            word = at;
            at += strspn(at, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_");
        } else {
            at++;
        }
    }
    bytes = strspn(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_");
    snprintf(kernel->name, sizeof(kernel->name), "%.*s", (int)bytes, word);
}

static int is_known(const struct kernel *kernels, int count, const char *name)
{
    for (int i = 0; i < count; i++)
        if (strcmp(kernels[i].name, name) == 0)
            return 1;
    return 0;
}

static int find_kernels(char *text, struct kernel *kernels)
{
    int count = 0;
    for (char *at = text; (at = strstr(at, GLOBAL)) && count < MOST_KERNELS;) {
        blank(at, at + strlen(GLOBAL));
        read_kernel(at, &kernels[count]);
        if (!is_known(kernels, count, kernels[count].name))
            count++;
    }
    return count;
}

static int write_callers(const char *path, const char *text, const struct kernel *kernels,
                         int count)
{
    FILE *file = fopen(path, "wb");
    if (!file)
        return 0;
    fprintf(file, "%s\n# 1 \"stand-in\" 3\n#pragma GCC visibility push(default)\n", text);
    for (int i = 0; i < count; i++) {
        const char *name = kernels[i].name;
        fprintf(file,
                "extern \"C\" void " STANDIN_CALL "%s(void **a) { dal_standin::call(%s, a); }\n"
                "extern \"C\" const size_t *" STANDIN_SIZES
                "%s() { return dal_standin::sizes(%s); }\n"
                "extern \"C\" { extern const unsigned " STANDIN_THREADS_OF "%s;\n"
                "const unsigned " STANDIN_THREADS_OF "%s = %s; }\n",
                name, name, name, name, name, name, kernels[i].bounds);
    }
    fprintf(file,
            "#pragma GCC visibility pop\n"
            "static char dal_standin_some __attribute__((section(\"" STANDIN_SHARED "\"), used));\n"
            "extern \"C\" { extern char __attribute__((visibility(\"default\")))"
            " __start_" STANDIN_SHARED "[], __stop_" STANDIN_SHARED "[];\n"
            "__attribute__((used, visibility(\"default\"))) char *dal_standin_section[] = {"
            "__start_" STANDIN_SHARED ", __stop_" STANDIN_SHARED "}; }\n");
    return fclose(file) == 0;
}

/* ---- messages ---------------------------------------------------------------------------------
 */

/* "FILE:LINE:COLUMN: error: TEXT" is "FILE(LINE): error: TEXT"; what is neither error nor warning
 * goes. */
static void add_message(FILE *log, const regex_t *place, const char *line, int *errors)
{
    regmatch_t part[6];
    const char *kind;
    if (regexec(place, line, 6, part, 0) != 0)
        return;
    kind = line + part[4].rm_so;
    fprintf(log, "%.*s(%.*s): ", (int)(part[1].rm_eo - part[1].rm_so), line + part[1].rm_so,
            (int)(part[2].rm_eo - part[2].rm_so), line + part[2].rm_so);
    if (*kind == 'w')
        fprintf(log, "warning #177-D: ");
    else
        fprintf(log, "error: ");
    *errors += *kind == 'e';
    fprintf(log, "%s\n\n", line + part[5].rm_so);
}

static void read_messages(struct _nvrtcProgram *program, char *text)
{
    size_t bytes;
    FILE *log;
    regex_t place;
    int errors = 0;
    free(program->log);
    log = open_memstream(&program->log, &bytes);
    regcomp(&place, "^([^:]+):([0-9]+):([0-9]+:)? (error|fatal error|warning): (.*)$",
            REG_EXTENDED);
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
        add_message(log, &place, line, &errors);
    regfree(&place);
    if (errors)
        fprintf(log, "%d error%s detected in the compilation of \"%s\".\n", errors,
                errors > 1 ? "s" : "", program->name);
    fclose(log);
}

/* ---- compiling --------------------------------------------------------------------------------
 */

static int preprocess(struct _nvrtcProgram *program, char *log)
{
    char source[256], output[256];
    char *words[MOST_OPTIONS + 32];
    int n = 0;
    path_in(program, "text.cu", source);
    path_in(program, "text.ii", output);
    words[n++] = (char *)"env";
    words[n++] = (char *)"LC_ALL=C";
    words[n++] = (char *)compiler();
    words[n++] = (char *)"-E";
    words[n++] = (char *)"-x";
    words[n++] = (char *)"c++";
    words[n++] = (char *)"-std=c++17";
    words[n++] = (char *)"-D__global__=" GLOBAL;
    words[n++] = (char *)"-D__launch_bounds__(...)=" BOUNDS "(__VA_ARGS__)";
    words[n++] = (char *)"-include";
    words[n++] = (char *)STANDIN_FOLDER "/cuda_builtins.h";
    words[n++] = (char *)"-I";
    words[n++] = program->folder;
    for (int i = 0; i < program->count; i++)
        words[n++] = program->options[i];
    words[n++] = (char *)"-o";
    words[n++] = output;
    words[n++] = source;
    words[n] = NULL;
    return run_program(words, log);
}

static int compile(struct _nvrtcProgram *program, char *log)
{
    char source[256], output[256];
    char *words[MOST_OPTIONS + 32];
    int n = 0;
    path_in(program, "whole.ii", source);
    path_in(program, "object.so", output);
    words[n++] = (char *)"env";
    words[n++] = (char *)"LC_ALL=C";
    words[n++] = (char *)compiler();
    words[n++] = (char *)"-x";
    words[n++] = (char *)"c++-cpp-output";
    words[n++] = (char *)"-std=c++17";
    words[n++] = (char *)"-O1";
    words[n++] = (char *)"-fPIC";
    words[n++] = (char *)"-shared";
    words[n++] = (char *)"-fvisibility=hidden";
    words[n++] = (char *)"-fno-exceptions";
    words[n++] = (char *)"-fno-strict-aliasing";
    words[n++] = (char *)"-fno-math-errno";
    words[n++] = (char *)"-ffp-contract=off";
    words[n++] = (char *)"-Wunused-variable";
    if (strstr(compiler(), "g++") && !strstr(compiler(), "clang"))
        words[n++] = (char *)"-fno-gnu-unique";
    for (int i = 0; i < program->count; i++)
        if (strncmp(program->options[i], "-D", 2) != 0 &&
            strncmp(program->options[i], "-I", 2) != 0 &&
            strncmp(program->options[i], "-U", 2) != 0)
            words[n++] = program->options[i];
    words[n++] = (char *)"-o";
    words[n++] = output;
    words[n++] = source;
    words[n++] = (char *)"-lm";
    words[n] = NULL;
    return run_program(words, log);
}

/* Bytes of shared variables in an object. */
static size_t shared_bytes(const unsigned char *object)
{
    const Elf64_Ehdr *header = (const Elf64_Ehdr *)object;
    const Elf64_Shdr *sections = (const Elf64_Shdr *)(object + header->e_shoff);
    const char *names = (const char *)object + sections[header->e_shstrndx].sh_offset;
    for (int i = 0; i < header->e_shnum; i++)
        if (strcmp(names + sections[i].sh_name, STANDIN_SHARED) == 0)
            return sections[i].sh_size;
    return 0;
}

/* The assembler knows how much there is. */
static int check_shared(struct _nvrtcProgram *program, const struct kernel *kernels, int count)
{
    const char *text = getenv("DAL_STANDIN_SHARED");
    size_t most = text ? strtoull(text, NULL, 10) : 48 << 10, used = shared_bytes(program->object);
    if (used <= most + 64)
        return NVRTC_SUCCESS;
    free(program->log);
    if (asprintf(
            &program->log,
            "ptxas error   : Entry function '%s' uses too much shared data (0x%zx bytes, 0x%zx "
            "max)\n",
            count > 0 ? kernels[0].name : "", used, most) < 0)
        program->log = NULL;
    return NVRTC_ERROR_COMPILATION;
}

static int build_object(struct _nvrtcProgram *program, char *log)
{
    static struct kernel kernels[MOST_KERNELS];
    char path[256], *text;
    size_t bytes;
    int count, status = preprocess(program, log);
    path_in(program, "text.ii", path);
    text = status == 0 ? read_all(path, &bytes) : NULL;
    if (!text)
        return NVRTC_ERROR_COMPILATION;
    count = find_kernels(text, kernels);
    path_in(program, "whole.ii", path);
    status = write_callers(path, text, kernels, count) ? compile(program, log) : -1;
    free(text);
    path_in(program, "object.so", path);
    program->object = status == 0 ? (unsigned char *)read_all(path, &program->bytes) : NULL;
    return program->object ? check_shared(program, kernels, count) : NVRTC_ERROR_COMPILATION;
}

/* The text is a file of its own name, so that messages have it. */
static int write_source(struct _nvrtcProgram *program)
{
    char path[256], *text;
    int good;
    path_in(program, "text.cu", path);
    if (asprintf(&text, "#line 1 \"%s\"\n%s", program->name, program->text) < 0)
        return 0;
    good = write_all(path, text);
    free(text);
    return good;
}

/* ---- what was compiled before ------------------------------------------------------------------
 */

/* Tests of faults compile the same text again and again: the last ones are kept. */
enum { KEPT = 32 };
static struct kept {
    char *key, *log;
    unsigned char *object;
    size_t bytes;
    int result;
} kept[KEPT];
static unsigned next_kept;

static char *key_of(const struct _nvrtcProgram *program)
{
    size_t bytes;
    char *key = NULL;
    FILE *file = open_memstream(&key, &bytes);
    fprintf(file, "%s\n%s\n%s", compiler(), program->name, program->text);
    for (int i = 0; i < program->count; i++)
        fprintf(file, "\n%s", program->options[i]);
    fclose(file);
    return key;
}

static void *copy_of(const void *from, size_t bytes)
{
    void *copy = from ? malloc(bytes + 1) : NULL;
    return copy ? memcpy(copy, from, bytes) : NULL;
}

/* Whether it is there; then it is the program's. */
static int take_kept(struct _nvrtcProgram *program, const char *key, int *result)
{
    for (int i = 0; i < KEPT; i++) {
        if (!kept[i].key || strcmp(kept[i].key, key) != 0)
            continue;
        free(program->log);
        program->log = kept[i].log ? strdup(kept[i].log) : NULL;
        program->object = copy_of(kept[i].object, kept[i].bytes);
        program->bytes = kept[i].bytes;
        *result = kept[i].result;
        return 1;
    }
    return 0;
}

static void keep(const struct _nvrtcProgram *program, char *key, int result)
{
    struct kept *place = &kept[next_kept++ % KEPT];
    free(place->key);
    free(place->log);
    free(place->object);
    *place = (struct kept){.key = key,
                           .log = program->log ? strdup(program->log) : NULL,
                           .object = copy_of(program->object, program->bytes),
                           .bytes = program->bytes,
                           .result = result};
}

static void __attribute__((destructor)) forget_kept(void)
{
    for (int i = 0; i < KEPT; i++) {
        free(kept[i].key);
        free(kept[i].log);
        free(kept[i].object);
    }
}

/* The text is compiled, and what the compiler says is read. */
static int compile_text(struct _nvrtcProgram *program)
{
    char log[256], *text;
    size_t bytes;
    int result;
    path_in(program, "log", log);
    unlink(log);
    if (!compiler() || !write_source(program))
        return NVRTC_ERROR_COMPILATION;
    result = build_object(program, log);
    text = result != NVRTC_SUCCESS && program->object ? NULL : read_all(log, &bytes);
    if (text)
        read_messages(program, text);
    free(text);
    return result;
}

int nvrtcCompileProgram(nvrtcProgram program, int count, const char *const *words)
{
    int result = add_options(program, count, words);
    char *key = NULL;
    free(program->object);
    program->object = NULL;
    if (result == NVRTC_SUCCESS) {
        key = key_of(program);
        if (program->headers || !take_kept(program, key, &result)) {
            result = compile_text(program);
            keep(program, key, result);
            key = NULL;
        }
    }
    free(key);
    record(__func__, result, program->name);
    return result;
}

/* ---- programs ---------------------------------------------------------------------------------
 */

static const char *const made_files[] = {"text.cu", "text.ii", "whole.ii", "object.so", "log"};

static int write_headers(struct _nvrtcProgram *program, int count, const char *const *texts,
                         const char *const *names)
{
    char path[256];
    for (int i = 0; i < count; i++) {
        path_in(program, names[i], path);
        if (strchr(names[i], '/') || !write_all(path, texts[i]))
            return 0;
    }
    return 1;
}

int nvrtcCreateProgram(nvrtcProgram *made, const char *text, const char *name, int headers,
                       const char *const *texts, const char *const *names)
{
    struct _nvrtcProgram *program = calloc(1, sizeof(*program));
    const char *folder = getenv("TMPDIR");
    *made = NULL;
    if (!program)
        return NVRTC_ERROR_OUT_OF_MEMORY;
    snprintf(program->folder, sizeof(program->folder), "%.40s/standin-XXXXXX",
             folder && strlen(folder) <= 40 ? folder : "/tmp");
    program->text = strdup(text);
    program->name = strdup(name && *name ? name : "default_program");
    program->headers = headers;
    programs++;
    *made = program;
    if (!mkdtemp(program->folder) || !write_headers(program, headers, texts, names)) {
        nvrtcDestroyProgram(made);
        return NVRTC_ERROR_INVALID_INPUT;
    }
    record(__func__, NVRTC_SUCCESS, program->name);
    return NVRTC_SUCCESS;
}

/* Headers of the text stay away: they have been read when it was compiled. */
static void remove_folder(const struct _nvrtcProgram *program)
{
    char path[256];
    char *const words[] = {(char *)"rm", (char *)"-rf", (char *)program->folder, NULL};
    for (size_t i = 0; i < sizeof(made_files) / sizeof(made_files[0]); i++) {
        path_in(program, made_files[i], path);
        unlink(path);
    }
    if (rmdir(program->folder) != 0)
        run_program(words, "/dev/null");
}

int nvrtcDestroyProgram(nvrtcProgram *handle)
{
    struct _nvrtcProgram *program = *handle;
    if (!program)
        return NVRTC_ERROR_INVALID_INPUT;
    remove_folder(program);
    free(program->text);
    free(program->name);
    free(program->log);
    free(program->object);
    free(program);
    programs--;
    *handle = NULL;
    record(__func__, NVRTC_SUCCESS, "");
    return NVRTC_SUCCESS;
}

int nvrtcVersion(int *major, int *minor)
{
    *major = 12;
    *minor = 4;
    return NVRTC_SUCCESS;
}

static const int architectures[] = {75, 80, 86, 90};

int nvrtcGetNumSupportedArchs(int *count)
{
    *count = (int)(sizeof(architectures) / sizeof(architectures[0]));
    return NVRTC_SUCCESS;
}

int nvrtcGetSupportedArchs(int *all)
{
    memcpy(all, architectures, sizeof(architectures));
    return NVRTC_SUCCESS;
}

int nvrtcGetProgramLogSize(nvrtcProgram program, size_t *bytes)
{
    *bytes = (program->log ? strlen(program->log) : 0) + 1;
    return NVRTC_SUCCESS;
}

int nvrtcGetProgramLog(nvrtcProgram program, char *log)
{
    strcpy(log, program->log ? program->log : "");
    return NVRTC_SUCCESS;
}

int nvrtcGetCUBINSize(nvrtcProgram program, size_t *bytes)
{
    *bytes = program->object && !program->ptx ? program->bytes : 0;
    return NVRTC_SUCCESS;
}

int nvrtcGetCUBIN(nvrtcProgram program, char *cubin)
{
    if (!program->object || program->ptx)
        return NVRTC_ERROR_INVALID_INPUT;
    memcpy(cubin, program->object, program->bytes);
    return NVRTC_SUCCESS;
}

int nvrtcGetPTXSize(nvrtcProgram program, size_t *bytes)
{
    *bytes = strlen(STANDIN_PTX) + 2 * program->bytes + 1;
    return program->object ? NVRTC_SUCCESS : NVRTC_ERROR_INVALID_INPUT;
}

int nvrtcGetPTX(nvrtcProgram program, char *ptx)
{
    if (!program->object)
        return NVRTC_ERROR_INVALID_INPUT;
    ptx += sprintf(ptx, "%s", STANDIN_PTX);
    for (size_t i = 0; i < program->bytes; i++)
        ptx += sprintf(ptx, "%02x", program->object[i]);
    return NVRTC_SUCCESS;
}
