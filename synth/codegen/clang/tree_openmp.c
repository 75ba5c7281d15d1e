/*
 * Finds the directives of OpenMP in a source. libclang has no words for clauses, and does not go
 * into the statement of a directive. So this looks at the tokens of both; they include those of
 * directives further in.
 */
#include "spec/base/names.h"
#include "synth/codegen/clang/tree.h"

#include <string.h>

/* A directive with the statement that it is for. */
struct region {
    struct dal_ast *tree;
    CXCursor directive;
    struct dal_tokens tokens;
    int is_parallel;   /* a team runs what it is for */
    const char *lanes; /* of the directive at hand: "simd", "both" for threads too, or "" */
};

static const char *word_at(const struct region *r, unsigned i)
{
    return dal__ast_word(&r->tokens, i);
}

static int is_word(const struct region *r, unsigned i, const char *word)
{
    return dal__ast_is_word(&r->tokens, i, word);
}

static CXSourceLocation place_at(const struct region *r, unsigned i)
{
    return clang_getTokenLocation(r->tokens.parsed, r->tokens.list[i]);
}

static unsigned line_of(const struct region *r, unsigned i)
{
    unsigned line;
    clang_getSpellingLocation(place_at(r, i), NULL, &line, NULL, NULL);
    return line;
}

/* ---- reductions ------------------------------------------------------------------------------ */

/* A variable that is sought by its name. */
struct sought {
    const char *name;
    CXType type;
    int found;
};

static enum CXChildVisitResult visit_name(CXCursor cursor, CXCursor parent, CXClientData data)
{
    struct sought *sought = data;
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    (void)parent;
    if ((kind != CXCursor_DeclRefExpr && kind != CXCursor_VarDecl) ||
        strcmp(dal__ast_name(cursor), sought->name) != 0)
        return kind == CXCursor_FunctionDecl ? CXChildVisit_Continue : CXChildVisit_Recurse;
    sought->type = clang_getCursorType(cursor);
    sought->found = 1;
    return CXChildVisit_Break;
}

/* Is the variable, which the directive uses or which is outside of all functions, of floating
 * point? */
static int is_real(const struct region *r, const char *name)
{
    struct sought sought = {.name = name};
    CXType type;
    clang_visitChildren(r->directive, visit_name, &sought);
    if (!sought.found)
        clang_visitChildren(clang_getTranslationUnitCursor(r->tree->parsed), visit_name, &sought);
    if (!sought.found)
        return 0;
    type = clang_getCanonicalType(dal__ast_element(sought.type));
    if (type.kind == CXType_Pointer)
        type = clang_getCanonicalType(clang_getPointeeType(type));
    return type.kind == CXType_Float || type.kind == CXType_Double ||
           type.kind == CXType_LongDouble || type.kind == CXType_Half ||
           type.kind == CXType_Float16 || type.kind == CXType_Float128 ||
           type.kind == CXType_Complex;
}

/* The order does not change which of several numbers is the largest. */
static int depends_on_order(const char *operation)
{
    static const char *const words[] = {"min", "max", "&", "|", "^", "&&", "||"};
    return !DAL_IS_ONE_OF(words, operation);
}

/* reduction ([modifier ,] operation : name [part], ...): `i` is at the word. */
static void take_reduction(const struct region *r, unsigned i)
{
    const char *operation;
    unsigned depth = 1;
    if (!is_word(r, i + 1, "("))
        return;
    for (i += 2; i < r->tokens.count && !is_word(r, i, ":"); i++)
        ;
    operation = word_at(r, i - 1);
    if (!depends_on_order(operation))
        return;
    for (i++; i < r->tokens.count && depth > 0; i++) {
        const char *word = word_at(r, i);
        depth += strcmp(word, "(") == 0 || strcmp(word, "[") == 0;
        depth -= strcmp(word, ")") == 0 || strcmp(word, "]") == 0;
        if (depth == 1 && clang_getTokenKind(r->tokens.list[i]) == CXToken_Identifier &&
            is_real(r, word))
            dal__ast_add_at(
                r->tree,
                (struct dal_fact){.kind = DAL_FACT_REDUCTION,
                                  .name = word,
                                  .reduction = {.operation = operation, .lanes = r->lanes}},
                place_at(r, i));
    }
}

/* ---- ports ----------------------------------------------------------------------------------- */

static int is_of_ports(const char *name)
{
    static const char *const names[] = {
        "DAL_read",         "DAL_write",      "DAL_read_begin",  "DAL_read_end", "DAL_write_begin",
        "DAL_write_end",    "DAL_at_end",     "DAL_rtest",       "DAL_wtest",    "DAL_READ_TOKENS",
        "DAL_WRITE_TOKENS", "DAL_READ_TOKEN", "DAL_WRITE_TOKEN", "DAL_foreach",  "DAL_setLength",
        "DAL_setClock",     "createPort",     "DAL_read_some",   "DAL_read_line"};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (strcmp(names[i], name) == 0)
            return 1;
    return 0;
}

/* Skips the statement of a master directive: the first thread of a team is the one that fires. */
static unsigned skip_master(const struct region *r, unsigned i)
{
    unsigned depth = 0, line = line_of(r, i);
    while (i < r->tokens.count && line_of(r, i) == line)
        i++;
    for (; i < r->tokens.count; i++) {
        depth += is_word(r, i, "{") || is_word(r, i, "(");
        depth -= is_word(r, i, "}") || is_word(r, i, ")");
        if (depth == 0 && (is_word(r, i, "}") || is_word(r, i, ";")))
            break;
    }
    return i;
}

static void refuse_port(const struct region *r, unsigned i)
{
    struct dal_text why = {0};
    dal_text_printf(
        &why,
        "'%s' in a parallel region of OpenMP: ports are for the thread that fires; call "
        "it outside of the region, or behind '#pragma omp master'",
        word_at(r, i));
    dal__ast_add_named(r->tree, DAL_FACT_REFUSED, dal_text_take(&why), place_at(r, i));
}

/* ---- regions --------------------------------------------------------------------------------- */

/* Has the directive a word, behind "# pragma omp" and in front of its clauses? */
static int has_word(const struct region *r, unsigned at, const char *word)
{
    for (unsigned i = at;
         i < r->tokens.count && line_of(r, i) == line_of(r, at) && !is_word(r, i, "("); i++)
        if (is_word(r, i, word))
            return 1;
    return 0;
}

static int is_pragma(const struct region *r, unsigned i)
{
    return is_word(r, i, "#") && is_word(r, i + 1, "pragma") && is_word(r, i + 2, "omp");
}

static void enter_directive(struct region *r, unsigned i)
{
    int threads = has_word(r, i, "parallel") || has_word(r, i, "for");
    r->is_parallel |= has_word(r, i, "parallel");
    r->lanes = !has_word(r, i, "simd") ? "" : threads ? "both" : "simd";
    dal__ast_add(r->tree, DAL_FACT_OPENMP, "");
}

static void look_at(struct region *r)
{
    for (unsigned i = 0; i < r->tokens.count; i++) {
        if (is_pragma(r, i)) {
            enter_directive(r, i);
            if (has_word(r, i, "master") || has_word(r, i, "masked"))
                i = skip_master(r, i);
        } else if (is_word(r, i, "reduction") || is_word(r, i, "in_reduction")) {
            take_reduction(r, i);
        } else if (r->is_parallel && is_of_ports(word_at(r, i))) {
            refuse_port(r, i);
            return;
        }
    }
}

/* Extends the range to the end of the statement behind the directive, which is its last child. */
static enum CXChildVisitResult visit_statement(CXCursor cursor, CXCursor parent, CXClientData data)
{
    CXSourceRange *range = data;
    (void)parent;
    if (clang_isStatement(clang_getCursorKind(cursor)))
        *range = clang_getRange(clang_getRangeStart(*range),
                                clang_getRangeEnd(clang_getCursorExtent(cursor)));
    return CXChildVisit_Continue;
}

static int is_directive(enum CXCursorKind kind)
{
    return clang_isStatement(kind) &&
           strncmp(dal__ast_string(clang_getCursorKindSpelling(kind)), "OMP", 3) == 0;
}

static int take_directive(void *data, CXCursor cursor, enum CXCursorKind kind)
{
    struct region r = {.tree = data, .directive = cursor, .lanes = ""};
    CXSourceRange range = clang_getCursorExtent(cursor);
    if (!is_directive(kind))
        return 1;
    clang_visitChildren(cursor, visit_statement, &range);
    r.tokens = dal__ast_tokens(r.tree, range);
    look_at(&r);
    return 0;
}

void dal__ast_visit_openmp(struct dal_ast *tree)
{
    dal__ast_walk(tree, dal__ast_is_of_source, take_directive, tree);
}
