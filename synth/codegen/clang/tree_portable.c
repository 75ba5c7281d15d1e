/*
 * A portable source as a device's compiler sees it: all its files in one text, behind what stands
 * in front of it in a kernel.
 *
 * It is read twice. First for what is to be changed: constants outside of functions, which OpenCL C
 * wants in a memory of their own, and names that OpenCL C has for its own things. Then, with that
 * changed, as the text that a device gets; of that tree are the checks (tree_blocks.c).
 */
#include "synth/codegen/clang/tree_portable.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"

#include <string.h>

struct directive {
    CXFile file, included;
    unsigned start, end, line;
};

struct portable {
    struct dal_ast *tree;
    struct dal_text renamed; /* names of the source that OpenCL C has: a list */
    struct dal_text used;    /* functions of ours that stand for those of C: a list */
    struct dal_edits edits;
    /* The text. */
    struct directive *directives; /* #includes, in the order in which they were met */
    size_t directive_count, directive_room, met;
    CXFile *once; /* files that are not taken in again */
    size_t once_count, once_room;
    struct dal_text text;
};

/* ---- names ----------------------------------------------------------------------------------- */

/* Names of OpenCL C that C has not: words, types and functions. */
static const char names[] =
    "kernel global local constant private generic pipe half read_only write_only read_write "
    "uniform image1d_t image2d_t image3d_t sampler_t event_t queue_t ndrange_t reserve_id_t "
    "clk_event_t char2 char3 char4 char8 char16 uchar2 uchar3 uchar4 uchar8 uchar16 short2 short3 "
    "short4 short8 short16 ushort2 ushort3 ushort4 ushort8 ushort16 int2 int3 int4 int8 int16 "
    "uint2 uint3 uint4 uint8 uint16 long2 long3 long4 long8 long16 ulong2 ulong3 ulong4 ulong8 "
    "ulong16 float2 float3 float4 float8 float16 double2 double3 double4 double8 double16 half2 "
    "half3 half4 half8 half16 abs abs_diff acospi add_sat all any asinpi atan2pi atanpi "
    "atomic_add atomic_and atomic_dec atomic_inc atomic_max atomic_min atomic_or atomic_sub "
    "barrier bitselect clamp clz cospi cross ctz degrees distance dot exp10 fract hadd isequal "
    "isnotequal isordered length mad mad24 mad_hi mad_sat max maxmag mem_fence min minmag mix "
    "mul24 mul_hi nan normalize popcount pown powr prefetch printf radians rhadd rootn rotate "
    "rsqrt select shuffle shuffle2 sign signbit sincos sinpi smoothstep step sub_sat tanpi "
    "true false upsample vec_step";

/* Renames the words of a list. */
static void add_defines(struct dal_text *text, const char *words)
{
    for (; *words; words += strspn(words, " \n")) {
        int length = (int)strcspn(words, " \n");
        dal_text_printf(text, "#undef %.*s\n#define %.*s %s%.*s\n", length, words, length, words,
                        DAL_AST_RENAMED, length, words);
        words += length;
    }
}

/* Renames functions of the source, as C sees it, that OpenCL C has, too. */
static void add_functions(struct dal_text *text, const struct dal_portable *portable)
{
    const struct dal_fact *fact = NULL;
    while ((fact = dal_fact_next(portable->facts, DAL_FACT_FUNCTION, fact)))
        if (dal__ast_is_taken(fact->name))
            add_defines(text, fact->name);
}

/* Notes a name that the source declares, or a member of ours. */
static void take_name(struct portable *p, CXCursor cursor)
{
    const char *name = dal__ast_name(cursor);
    if (strncmp(name, DAL_AST_RENAMED, strlen(DAL_AST_RENAMED)) != 0)
        return;
    name += strlen(DAL_AST_RENAMED);
    dal_text_list_join(&p->renamed, name, strlen(name));
}

/* ---- constants ------------------------------------------------------------------------------- */

static const char word_of_constant[] = "DAL_CONSTANT_VARIABLE ";

/* Puts the word in front of each "const" up to the value; if a macro makes it, in front of the
 * macro. */
static void take_constant(struct portable *p, CXCursor variable)
{
    CXSourceRange extent = clang_getCursorExtent(variable);
    struct dal_tokens tokens = dal__ast_tokens(p->tree, extent);
    int depth = 0, found = 0;
    for (unsigned i = 0; i < tokens.count; i++) {
        const char *word = dal__ast_word(&tokens, i);
        depth += (strcmp(word, "{") == 0) - (strcmp(word, "}") == 0);
        if (depth == 0 && strcmp(word, "=") == 0)
            break;
        if (depth > 0 || strcmp(word, "const") != 0)
            continue;
        dal__ast_add_edit(&p->edits, clang_getTokenLocation(tokens.parsed, tokens.list[i]), 0,
                          word_of_constant);
        found = 1;
    }
    if (!found)
        dal__ast_add_edit(&p->edits, clang_getRangeStart(extent), 0, word_of_constant);
}

static int take_changed(void *data, CXCursor cursor, enum CXCursorKind kind)
{
    struct portable *p = data;
    if (clang_isDeclaration(kind) || kind == CXCursor_MemberRefExpr)
        take_name(p, cursor);
    if (kind == CXCursor_VarDecl &&
        clang_getCursorKind(clang_getCursorSemanticParent(cursor)) == CXCursor_TranslationUnit &&
        dal__ast_is_const(clang_getCursorType(cursor)))
        take_constant(p, cursor);
    return 1;
}

/* ---- files ----------------------------------------------------------------------------------- */

/* The words of iso646.h may be names in a source without it. */
static const char iso646[] = "#define and &&\n#define and_eq &=\n#define bitand &\n"
                             "#define bitor |\n#define compl ~\n#define not !\n"
                             "#define not_eq !=\n#define or ||\n#define or_eq |=\n"
                             "#define xor ^\n#define xor_eq ^=\n";
static const char iso646_name[] = "/iso646.h";

/* Adds empty headers of C. The text in front has what a device can have of them. */
static void add_headers(struct dal_ast *tree)
{
    static const char *const headers[] = {
        "/dal_collectives.h", "/dal.h",   "/math.h",   "/stddef.h",   "/stdint.h", "/stdbool.h",
        "/stdlib.h",          "/float.h", "/limits.h", "/inttypes.h", "/stdio.h",  "/string.h",
    };
    const char *at = dal_text_get(tree->reading->portable->missing);
    dal__ast_add_file(tree, iso646_name, iso646, strlen(iso646));
    for (size_t i = 0; i < sizeof(headers) / sizeof(headers[0]); i++)
        dal__ast_add_file(tree, headers[i], "", 0);
    for (; *at; at += strcspn(at, "\n") + 1)
        dal__ast_add_file(tree, dal_format("/%.*s", (int)strcspn(at, "\n"), at), "", 0);
}

/* ---- reading --------------------------------------------------------------------------------- */

/* Parses what stands in front, and the source. */
static int parse_behind(struct dal_ast *tree, struct dal_text *text)
{
    static const char *const options[] = {"-xcl",
                                          "-cl-std=CL1.2",
                                          "-w",
                                          "-ferror-limit=0",
                                          "-Werror=int-conversion",
                                          "-Xclang",
                                          "-cl-ext=+all",
                                          "-D__OPENCL_VERSION__=120",
                                          "-nostdlibinc",
                                          "-isystem",
                                          "/",
                                          "-iquote",
                                          NULL};
    dal_text_printf(text, "#include \"%s\"\n", dal_path_base(tree->source));
    tree->facts->lost |= text->lost;
    dal__ast_add_file(tree, tree->unit, dal_text_get(text), text->length);
    tree->option_count = 0;
    dal__ast_add_options(tree, options);
    dal__ast_add_option(tree, tree->folder);
    dal__ast_add_resources(tree);
    dal__ast_add_defines(tree, tree->reading->options);
    return dal__ast_parse_files(tree);
}

/* ---- one text -------------------------------------------------------------------------------- */

/* Is it a header of the compiler itself, and none that stands for one? */
static int is_of_core(const struct portable *p, CXFile file)
{
    CXTranslationUnit parsed = p->tree->parsed;
    size_t length = 0;
    return file && clang_getFileContents(parsed, file, &length) && length &&
           strcmp(dal__ast_string(clang_getFileName(file)), iso646_name) != 0 &&
           clang_Location_isInSystemHeader(clang_getLocationForOffset(parsed, file, 0));
}

static enum CXChildVisitResult visit_include(CXCursor cursor, CXCursor parent, CXClientData data)
{
    struct portable *p = data;
    struct directive new = {.included = NULL};
    CXSourceRange extent = clang_getCursorExtent(cursor);
    (void)parent;
    if (clang_getCursorKind(cursor) != CXCursor_InclusionDirective ||
        clang_Location_isInSystemHeader(clang_getRangeStart(extent)))
        return CXChildVisit_Continue;
    clang_getExpansionLocation(clang_getRangeStart(extent), &new.file, NULL, NULL, &new.start);
    clang_getExpansionLocation(clang_getRangeEnd(extent), NULL, &new.line, NULL, &new.end);
    new.included = clang_getIncludedFile(cursor);
    if (!new.file) /* the compiler's own */
        return CXChildVisit_Continue;
    if (is_of_core(p, new.included))
        dal__ast_add_named(
            p->tree, DAL_FACT_REFUSED,
            dal_format("#include of '%s', which a device does not have", dal__ast_name(cursor)),
            clang_getRangeStart(extent));
    if (dal_grow(&p->directives, p->directive_count, &p->directive_room, sizeof(new)) == 0)
        p->directives[p->directive_count++] = new;
    else
        p->text.lost = 1;
    return CXChildVisit_Continue;
}

static const char *base_of(CXFile file)
{
    return dal_path_base(dal__ast_string(clang_getFileName(file)));
}

static void add_line(struct dal_text *text, unsigned line, CXFile file)
{
    dal_text_printf(text, "#line %u ", line);
    dal_text_add_literal(text, base_of(file));
    dal_text_add(text, "\n");
}

/* Is the file there, and not taken in already, if once is enough? */
static int is_taken_in(struct portable *p, CXFile file)
{
    size_t length = 0;
    if (!file || !clang_getFileContents(p->tree->parsed, file, &length) || !length)
        return 0;
    for (size_t i = 0; i < p->once_count; i++)
        if (clang_File_isEqual(p->once[i], file))
            return 0;
    if (!clang_isFileMultipleIncludeGuarded(p->tree->parsed, file))
        return 1;
    if (dal_grow(&p->once, p->once_count, &p->once_room, sizeof(file)) == 0)
        p->once[p->once_count++] = file;
    else
        p->text.lost = 1;
    return 1;
}

static size_t pass_mark(const char *text, size_t length)
{
    return length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
}

/* Adds the file, with those that it includes in their places. */
static void add_text(struct portable *p, CXFile file)
{
    size_t length, at;
    const char *old = clang_getFileContents(p->tree->parsed, file, &length);
    at = pass_mark(old, length);
    while (p->met < p->directive_count && clang_File_isEqual(p->directives[p->met].file, file) &&
           p->directives[p->met].start >= at) {
        struct directive d = p->directives[p->met++];
        dal_text_add_bytes(&p->text, old + at, d.start - at);
        at = d.end;
        if (!is_taken_in(p, d.included))
            continue;
        add_line(&p->text, 1, d.included);
        add_text(p, d.included);
        if (old[at] == '\n') {
            at++;
            d.line++;
        }
        if (at < length)
            add_line(&p->text, d.line, file);
    }
    dal_text_add_bytes(&p->text, old + at, length - at);
    if (length && old[length - 1] != '\n')
        dal_text_add(&p->text, "\n");
}

/* Tells the text, a fact a line, whatever ends the line. */
static void tell_text(struct portable *p)
{
    char *at = dal_text_take(&p->text);
    while (at && *at) {
        char *end = at + strcspn(at, "\r\n"), ended = *end;
        *end = '\0';
        dal__ast_add(p->tree, DAL_FACT_LINE, at);
        at = end + (ended != '\0') + (ended == '\r' && end[1] == '\n');
    }
}

/* ---- types of tokens ------------------------------------------------------------------------- */

/* Notes the layout of the type of a port's tokens, if the source declares that type. */
static void take_token(struct dal_ast *tree, const struct dal_spec_port *port)
{
    static const struct {
        const char *word;
        enum CXCursorKind kind;
    } tags[] = {{"struct ", CXCursor_StructDecl}, {"union ", CXCursor_UnionDecl}};
    const char *name = port->channel ? port->channel->token_type : NULL;
    enum CXCursorKind kind = CXCursor_TypedefDecl;
    CXCursor declared;
    CXType type;

    if (!name || !port->channel->header)
        return;
    for (size_t i = 0; i < sizeof(tags) / sizeof(tags[0]); i++)
        if (strncmp(name, tags[i].word, strlen(tags[i].word)) == 0) {
            name += strlen(tags[i].word);
            kind = tags[i].kind;
        }
    declared = dal__ast_find(tree, kind, name);
    type = clang_getCursorType(declared);
    if (!clang_Cursor_isNull(declared))
        dal__ast_add_layout(tree, type, port->name,
                            clang_getCursorLocation(clang_getTypeDeclaration(type)));
}

static void take_tokens(struct dal_ast *tree)
{
    const struct dal_spec_process *process = tree->reading->portable->process;
    for (size_t i = 0; i < process->port_count; i++)
        take_token(tree, &process->ports[i]);
}

static int take_used(void *data, CXCursor cursor, enum CXCursorKind kind)
{
    static const char ours[] = "dal__";
    const char *name = dal__ast_name(cursor);
    if (kind == CXCursor_DeclRefExpr && strncmp(name, ours, strlen(ours)) == 0)
        dal_text_list_join(data, name, strlen(name));
    return 1;
}

/* Reads the source for what is to be changed, and changes it. */
static int change_source(struct portable *p)
{
    struct dal_ast *tree = p->tree;
    const struct dal_reading *reading = tree->reading;
    struct dal_text text = {0};
    add_headers(tree);
    if (reading->text)
        dal__ast_add_file(tree, tree->source, reading->text, strlen(reading->text));
    dal_text_add(&text, reading->prologue);
    dal__ast_add_math(&text, NULL);
    add_defines(&text, names);
    add_functions(&text, reading->portable);
    add_defines(&text, reading->portable->kernel);
    if (parse_behind(tree, &text))
        return DAL_ERR_SYSTEM;
    dal__ast_walk(tree, dal__ast_is_of_source, take_changed, p);
    dal__ast_take_longs(&p->edits);
    dal__ast_change_files(&p->edits);
    return DAL_OK;
}

int dal__ast_read_portable(struct dal_ast *tree)
{
    struct portable p = {.tree = tree, .edits = {.tree = tree}};
    struct dal_text changed = {0};
    CXFile source;
    if (change_source(&p))
        return DAL_ERR_SYSTEM;
    dal_text_add(&changed, tree->reading->prologue);
    dal__ast_add_math(&changed, NULL);
    add_defines(&changed, dal_text_get(&p.renamed));
    if (parse_behind(tree, &changed))
        return DAL_ERR_SYSTEM;
    dal__ast_check_blocks(tree);
    take_tokens(tree);
    clang_visitChildren(clang_getTranslationUnitCursor(tree->parsed), visit_include, &p);
    dal__ast_walk(tree, dal__ast_is_of_source, take_used, &p.used);
    dal__ast_add_math(&p.text, &p.used);
    add_defines(&p.text, dal_text_get(&p.renamed));
    source = p.directive_count ? p.directives[p.met++].included : NULL;
    if (!source)
        return DAL_ERR_SYSTEM;
    add_line(&p.text, 1, source);
    add_text(&p, source);
    tree->facts->lost |= p.text.lost | p.renamed.lost | p.used.lost;
    tell_text(&p);
    return DAL_OK;
}
