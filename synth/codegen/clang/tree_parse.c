/* Parses a source with what stands in front of it, by the options that it is built with. */
#include "spec/base/names.h"
#include "synth/codegen/clang/given.h"
#include "synth/codegen/clang/tree.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "spec/base/file.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The texts that stand in front of a source, as they are known here; the folder of a file must be
 * there. */
static const struct text {
    const char *name, *text;
} prologues[] = {
    {"/dal.h", __extension__
#include "synth/codegen/clang/dal_h.inc"
    },
    {"/dal_collectives.h", __extension__
#include "synth/codegen/clang/dal_collectives_h.inc"
    },
    {"/dal_collectives_device.h", __extension__
#include "synth/codegen/clang/dal_collectives_device_h.inc"
    },
    {"/dol.h", __extension__
#include "synth/codegen/clang/dol_h.inc"
    },
    {"/dal_unit.h", __extension__
#include "synth/codegen/clang/dal_unit_h.inc"
    },
};

/* The texts that stand in front of a kernel for CUDA. */
static const struct text cuda_prologues[] = {
    {"/dal_nvrtc.h", __extension__ "#pragma GCC system_header\n"
#include "synth/codegen/clang/nvrtc_h.inc"
    },
    {"/dal_opencl_c.h", __extension__ "#pragma GCC system_header\n"
#include "synth/codegen/clang/opencl_c_h.inc"
    },
};

int dal__ast_is_ours(const char *name)
{
    return DAL_NAMED_IN(prologues, name, name) != NULL;
}

/* ---- options --------------------------------------------------------------------------------- */

void dal__ast_add_option(struct dal_ast *tree, const char *option)
{
    if (option && tree->option_count < DAL_AST_OPTIONS)
        tree->options[tree->option_count++] = option;
}

void dal__ast_add_options(struct dal_ast *tree, const char *const *options)
{
    while (*options)
        dal__ast_add_option(tree, *options++);
}

/* Options that count: those of macros, with those of folders, with others that C depends on. */
enum counting { MACROS, PREPROCESSOR, ALL };

/* Does an option change what the text of a source means? The others are for the program's compiler,
 * which may know more of them. *takes_next is set when the argument is the next word. */
static int is_for_reading(const char *word, enum counting counting, int *takes_next)
{
    static const char *const joined[] = {"-D", "-U",      "-include", "-imacros",
                                         "-I", "-iquote", "-isystem", "-idirafter"};
    enum { JOINED = sizeof(joined) / sizeof(joined[0]), OF_MACROS = 4 };
    static const char *const whole[] = {
        "-std=",    "-cl-std=",       "-ansi",           "-m",
        "-O",       "-fsigned-char",  "-funsigned-char", "-fshort-enums",
        "-fopenmp", "-fgnu89-inline", "-pthread"};
    *takes_next = 0;
    for (size_t i = 0; i < (counting == MACROS ? OF_MACROS : JOINED); i++)
        if (strncmp(word, joined[i], strlen(joined[i])) == 0) {
            *takes_next = strcmp(word, joined[i]) == 0;
            return 1;
        }
    for (size_t i = 0; counting == ALL && i < sizeof(whole) / sizeof(whole[0]); i++)
        if (strncmp(word, whole[i], strlen(whole[i])) == 0)
            return 1;
    return dal_text_is_wrapped_define(word);
}

static void add_options(struct dal_ast *tree, const char *options, enum counting counting)
{
    int is_argument = 0, takes_next = 0, more = options != NULL;
    while (more) {
        struct dal_text word = {0};
        more = dal_text_next_word(&options, &word) > 0;
        is_argument = takes_next;
        takes_next = 0;
        if (more && (is_argument || is_for_reading(dal_text_get(&word), counting, &takes_next)))
            dal__ast_add_option(tree, dal_text_take(&word));
    }
}

/* Adds those that the Makefile takes from the environment. The headers in our own folders are known
 * here. */
static void add_given(struct dal_ast *tree)
{
    for (int i = 0; i < DAL_GIVEN; i++)
        add_options(tree, dal_given_options(i, tree->reading->is_cxx),
                    i == DAL_GIVEN_OWN ? MACROS : PREPROCESSOR);
}

void dal__ast_add_defines(struct dal_ast *tree, const char *options)
{
    struct dal_text option = {0};
    while (dal_text_next_define(&options, &option) > 0)
        dal__ast_add_option(tree, dal_text_take(&option));
    dal_text_finish(&option);
}

/* ---- the text -------------------------------------------------------------------------------- */

/* Is a text read that stands for all files? */
int dal__ast_is_text(const struct dal_reading *reading)
{
    return reading->is_opencl && reading->text;
}

/* Returns the closing bracket behind an opening one, or NULL. */
static const char *find_close(const char *at)
{
    int depth = 1;
    for (; *at; at++) {
        depth += (*at == '(') - (*at == ')');
        if (depth == 0)
            return at;
    }
    return NULL;
}

/* Asks with one array for each size, named after the place of its word. */
static void add_questions(struct dal_text *text)
{
    size_t length = text->length, from = 0;
    const char *word;
    while ((word = strstr(dal_text_get(text) + from, DAL_AST_SIZE))) {
        size_t at = (size_t)(word - text->data);
        const char *open = word + strcspn(word, "("), *close = *open ? find_close(open + 1) : NULL;
        char *values = close ? dal_format("%.*s", (int)(close - open - 1), open + 1) : NULL;
        if (at >= length)
            break;
        if (values)
            dal_text_printf(text, "\n# 1 \"<questions>\"\n__constant uint %s%zu[] = {%s};\n",
                            DAL_AST_QUESTION, at, values);
        from = at + strlen(DAL_AST_SIZE);
    }
}

void dal__ast_add_file(struct dal_ast *tree, const char *name, const char *text, size_t length)
{
    struct CXUnsavedFile new = {.Filename = name, .Contents = text, .Length = length};
    size_t i;
    for (i = 0; name && i < tree->file_count; i++)
        if (strcmp(tree->files[i].Filename, name) == 0)
            break;
    if (!name ||
        (i == tree->file_count && dal_grow(&tree->files, i, &tree->file_room, sizeof(new)))) {
        tree->facts->lost = 1;
        return;
    }
    tree->files[i] = new;
    tree->file_count += i == tree->file_count;
}

static void add_texts(struct dal_ast *tree, const struct text *texts, size_t count)
{
    for (size_t i = 0; i < count; i++)
        dal__ast_add_file(tree, texts[i].name, texts[i].text, strlen(texts[i].text));
}

/* Adds what stands in front of the source, and the source. */
static void add_unit(struct dal_text *text, const struct dal_ast *tree)
{
    const struct dal_reading *reading = tree->reading;
    if (dal__ast_is_text(reading)) {
        dal_text_add(text, reading->text);
        if (!reading->is_cuda)
            add_questions(text);
        return;
    }
    if (reading->type) {
        dal_text_printf(text, "#include \"%s\"\ntypedef %s " DAL_AST_ASKED ";\n",
                        dal_path_base(tree->source), reading->type);
        return;
    }
    dal_text_add(text, "#define DAL_UNIT_FRONT\n");
    dal_text_add_each(text, reading->undefined, "#pragma push_macro(\"%.*s\")\n");
    dal_text_add_each(text, reading->undefined, "#undef %.*s\n");
    if (!tree->bare)
        dal_text_add(text, reading->prologue);
    if (!reading->is_opencl)
        dal_text_add(text, "#include \"/dal_unit.h\"\n");
    dal_text_add(text, "#undef DAL_UNIT_FRONT\n");
    dal_text_add_each(text, reading->undefined, "#pragma pop_macro(\"%.*s\")\n");
    dal_text_printf(text, "#include \"%s\"\n", dal_path_base(tree->source));
}

int dal__ast_parse_files(struct dal_ast *tree)
{
    return clang_parseTranslationUnit2(tree->index, tree->unit, tree->options, tree->option_count,
                                       tree->files, (unsigned)tree->file_count,
                                       CXTranslationUnit_DetailedPreprocessingRecord |
                                           CXTranslationUnit_KeepGoing,
                                       &tree->parsed) == CXError_Success
               ? DAL_OK
               : DAL_ERR_SYSTEM;
}

int dal__ast_parse(struct dal_ast *tree)
{
    const struct dal_reading *reading = tree->reading;
    struct dal_text text = {0};
    size_t length = 0;
    const char *source = reading->text ? reading->text : dal_file_replaced(tree->source, &length);
    add_unit(&text, tree);
    tree->facts->lost |= text.lost;
    add_texts(tree, prologues, sizeof(prologues) / sizeof(prologues[0]));
    if (reading->is_cuda)
        add_texts(tree, cuda_prologues, sizeof(cuda_prologues) / sizeof(cuda_prologues[0]));
    dal__ast_add_file(tree, tree->unit, dal_text_get(&text), text.length);
    if (source)
        dal__ast_add_file(tree, tree->source, source, strlen(source));
    return dal__ast_parse_files(tree);
}

/* Adds the folder of libclang's own headers where it was when the library was found. Else libclang
 * looks for them itself. */
void dal__ast_add_resources(struct dal_ast *tree)
{
    if (access(DAL_CLANG_RESOURCES, R_OK))
        return;
    dal__ast_add_option(tree, "-resource-dir");
    dal__ast_add_option(tree, DAL_CLANG_RESOURCES);
}

void dal__ast_choose_options(struct dal_ast *tree)
{
    static const char *const c[] = {"-xc", "-std=gnu11", "-O2", "-idirafter", "/", NULL};
    static const char *const cxx[] = {"-xc++", "-std=gnu++17", "-O2", "-idirafter", "/", NULL};
    static const char *const opencl[] = {"-xcl",
                                         "-Xclang",
                                         "-cl-ext=+all",
                                         "-nostdlibinc",
                                         "-D__OPENCL_VERSION__=300",
                                         "-DDAL_GROUP_ITEMS=1",
                                         "-DDAL_POINTER=__global void *",
                                         "-DDAL_POINTER_TO(what)=(what)",
                                         "-include",
                                         "/dal_collectives_device.h",
                                         "-idirafter",
                                         "/",
                                         NULL};
    static const char *const cuda[] = {"-xc++",
                                       "-std=c++17",
                                       "--target=nvptx64-nvidia-cuda",
                                       "-nostdinc",
                                       "-Wno-c++11-narrowing",
                                       "-include",
                                       "/dal_nvrtc.h",
                                       NULL};
    /* CUDA's compiler has few extensions. */
    static const char *const made[] = {"-pedantic-errors",       "-Wno-gnu-anonymous-struct",
                                       "-Wno-nested-anon-types", "-include",
                                       "/dal_opencl_c.h",        NULL};

    dal__ast_add_options(tree, tree->reading->is_cuda     ? cuda
                               : tree->reading->is_opencl ? opencl
                               : tree->reading->is_cxx    ? cxx
                                                          : c);
    if (tree->reading->is_made)
        dal__ast_add_options(tree, made);
    dal__ast_add_resources(tree);
    dal__ast_add_option(tree, "-ferror-limit=0");
    if (!tree->reading->is_made) /* extensions are warnings, where they are no errors */
        dal__ast_add_option(tree, "-w");
    dal__ast_add_option(tree, "-iquote");
    dal__ast_add_option(tree, tree->folder);
    if (tree->reading->defines)
        add_options(tree, dal_text_get(tree->reading->defines), ALL);
    if (!tree->reading->is_opencl) {
        add_given(tree);
        dal__ast_add_option(tree, tree->reading->openmp ? "-fopenmp" : "-fopenmp-simd");
    }
    if (tree->reading->is_cuda)
        dal__ast_add_defines(tree, tree->reading->options);
    else
        add_options(tree, tree->reading->options, ALL);
}
