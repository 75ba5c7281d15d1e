/* Finds types of tokens in the tree of a source: how large they are, and how they lie in memory. */
#include "spec/base/names.h"
#include "synth/codegen/clang/tree.h"

#include "rt/base/alloc.h"

#include <string.h>

enum { MOST_MEMBERS = 1000, MOST_DEPTH = 32 };

/* ---- members --------------------------------------------------------------------------------- */

static enum CXVisitorResult visit_field(CXCursor field, CXClientData data)
{
    *(CXCursor *)data = field;
    return CXVisit_Continue;
}

/* An array without a size, also at the end of a structure. */
static int is_flexible(CXCursor field)
{
    CXType type = clang_getCanonicalType(clang_getCursorType(field));
    if (type.kind == CXType_Record)
        return !clang_Cursor_isNull(dal__ast_flexible(type));
    return type.kind == CXType_IncompleteArray ||
           (type.kind == CXType_ConstantArray && clang_getArraySize(type) == 0);
}

CXCursor dal__ast_flexible(CXType type)
{
    CXCursor last = clang_getNullCursor();
    clang_Type_visitFields(type, visit_field, &last);
    return !clang_Cursor_isNull(last) && is_flexible(last) ? last : clang_getNullCursor();
}

/* ---- how it lies in memory ------------------------------------------------------------------- */

/* A record that is walked over. */
struct layout {
    const struct dal_ast *tree;
    const char *of;
    CXSourceLocation at;
    const char *path; /* up to here */
    size_t offset;    /* likewise, in bytes */
    int depth;
    int *count;
};

static void add_part(struct layout *layout, CXType type, int is_bits);

static const struct kind {
    enum CXTypeKind type;
    enum dal_member_kind kind;
    int is_unsigned;
} kinds[] = {
    {CXType_Bool, DAL_MEMBER_BOOL, 0},
    {CXType_Enum, DAL_MEMBER_INTEGER, 0},
    {CXType_Char_U, DAL_MEMBER_INTEGER, 1},
    {CXType_UChar, DAL_MEMBER_INTEGER, 1},
    {CXType_Char_S, DAL_MEMBER_INTEGER, 0},
    {CXType_SChar, DAL_MEMBER_INTEGER, 0},
    {CXType_Short, DAL_MEMBER_INTEGER, 0},
    {CXType_UShort, DAL_MEMBER_INTEGER, 1},
    {CXType_Int, DAL_MEMBER_INTEGER, 0},
    {CXType_UInt, DAL_MEMBER_INTEGER, 1},
    {CXType_Long, DAL_MEMBER_INTEGER, 0},
    {CXType_ULong, DAL_MEMBER_INTEGER, 1},
    {CXType_LongLong, DAL_MEMBER_INTEGER, 0},
    {CXType_ULongLong, DAL_MEMBER_INTEGER, 1},
    {CXType_Half, DAL_MEMBER_REAL, 0},
    {CXType_Float16, DAL_MEMBER_REAL, 0},
    {CXType_Float, DAL_MEMBER_REAL, 0},
    {CXType_Double, DAL_MEMBER_REAL, 0},
    {CXType_Pointer, DAL_MEMBER_ADDRESS, 0},
    {CXType_LValueReference, DAL_MEMBER_ADDRESS, 0},
    {CXType_BlockPointer, DAL_MEMBER_ADDRESS, 0},
    {CXType_MemberPointer, DAL_MEMBER_ADDRESS, 0},
    {CXType_Invalid, DAL_MEMBER_OTHER, 0},
};

/* Returns the row of a type's kind; that of others, the last one, for a kind that is not there. */
static const struct kind *kind_of(CXType type)
{
    const struct kind *kind = kinds;
    while (kind->type != CXType_Invalid && kind->type != type.kind)
        kind++;
    return kind;
}

/* Returns the type as it is written, without qualifiers. */
static const char *unqualified_name(CXType type)
{
    static const char *const words[] = {"const ", "volatile ", "__global ", "const "};
    const char *name = dal__ast_string(clang_getTypeSpelling(type));
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]) && !strchr(name, '*'); i++)
        if (strncmp(name, words[i], strlen(words[i])) == 0)
            name += strlen(words[i]);
    return name;
}

static int is_address_name(const char *name)
{
    static const char *const names[] = {"size_t", "ssize_t", "ptrdiff_t", "intptr_t", "uintptr_t"};
    return DAL_IS_ONE_OF(names, strncmp(name, "std::", 5) == 0 ? name + 5 : name);
}

/* Is it a number of an address's size, by its name or one that this stands for? The type behind it
 * does not tell. */
static int is_address_number(CXType type)
{
    for (int depth = 0; depth < MOST_DEPTH; depth++) {
        if (is_address_name(unqualified_name(type)))
            return 1;
        if (type.kind == CXType_Elaborated)
            type = clang_Type_getNamedType(type);
        else if (type.kind == CXType_Typedef)
            type = clang_getTypedefDeclUnderlyingType(clang_getTypeDeclaration(type));
        else
            return 0;
    }
    return 0;
}

/* Returns the element of an array as it is written, behind names of arrays. */
static CXType written_element(CXType type)
{
    CXType canonical = clang_getCanonicalType(type);
    while (canonical.kind == CXType_ConstantArray) {
        CXType inner = clang_getArrayElementType(type);
        if (inner.kind == CXType_Invalid)
            inner = clang_getArrayElementType(canonical);
        type = inner;
        canonical = clang_getCanonicalType(type);
    }
    return type;
}

static void add_member(const struct layout *layout, CXType type, enum dal_member_kind kind,
                       size_t bytes, size_t element)
{
    CXType one = clang_getCanonicalType(written_element(type));
    dal__ast_add_at(layout->tree,
                    (struct dal_fact){.kind = DAL_FACT_MEMBER,
                                      .name = layout->path,
                                      .member = {.of = layout->of,
                                                 .type = unqualified_name(type),
                                                 .offset = layout->offset,
                                                 .bytes = bytes,
                                                 .element = element,
                                                 .kind = kind,
                                                 .is_unsigned = (size_t)kind_of(one)->is_unsigned}},
                    layout->at);
}

static enum CXVisitorResult visit_member(CXCursor field, CXClientData data)
{
    const struct layout *whole = data;
    long long bits = clang_Cursor_getOffsetOfField(field);
    const char *name = dal__ast_name(field);
    struct layout part = *whole;
    if (clang_Cursor_isAnonymous(field) || strchr(name, '('))
        name = "";
    part.path = dal_format("%s%s%s", whole->path, *whole->path && *name ? "." : "", name);
    part.offset += bits > 0 ? (size_t)bits / 8 : 0;
    part.depth++;
    add_part(&part, clang_getCursorType(field), clang_Cursor_isBitField(field) != 0);
    return *whole->count < MOST_MEMBERS ? CXVisit_Continue : CXVisit_Break;
}

/* Adds a part of any type: what has no parts of its own is a member. */
static void add_part(struct layout *layout, CXType type, int is_bits)
{
    CXType written = written_element(type), element = clang_getCanonicalType(written);
    long long bytes = clang_Type_getSizeOf(type), one = clang_Type_getSizeOf(element);
    size_t all = bytes > 0 ? (size_t)bytes : 0, each = one > 0 ? (size_t)one : 0;
    if (++*layout->count > MOST_MEMBERS || layout->depth > MOST_DEPTH) {
        add_member(layout, type, DAL_MEMBER_OTHER, all, each);
        return;
    }
    if (element.kind == CXType_Record) {
        if (each < all)
            add_member(layout, type, DAL_MEMBER_RECORDS, all, each);
        clang_Type_visitFields(element, visit_member, layout);
        return;
    }
    if (element.kind == CXType_Vector || element.kind == CXType_ExtVector) {
        written = clang_getElementType(element);
        element = clang_getCanonicalType(written);
        one = clang_Type_getSizeOf(element);
        each = one > 0 ? (size_t)one : 0;
    }
    add_member(layout, type,
               is_bits                      ? DAL_MEMBER_BITS
               : is_address_number(written) ? DAL_MEMBER_ADDRESS
                                            : kind_of(element)->kind,
               all, each);
}

void dal__ast_add_layout(const struct dal_ast *tree, CXType type, const char *of,
                         CXSourceLocation at)
{
    long long bytes = clang_Type_getSizeOf(type);
    int count = 0;
    struct layout layout = {.tree = tree, .of = of, .at = at, .path = "", .count = &count};
    if (bytes <= 0)
        return;
    dal__ast_add_at(tree,
                    (struct dal_fact){.kind = DAL_FACT_LAYOUT,
                                      .name = unqualified_name(type),
                                      .layout = {.of = of,
                                                 .bytes = (size_t)bytes,
                                                 .alignment = (size_t)clang_Type_getAlignOf(type)}},
                    at);
    add_part(&layout, type, 0);
}

/* ---- of a header ----------------------------------------------------------------------------- */

/* Is the question itself wrong? Then the name means nothing there. */
static int is_asked_wrongly(const struct dal_ast *tree)
{
    CXDiagnostic diagnostic;
    unsigned i = 0;
    while ((diagnostic = dal__ast_next_error(tree, &i))) {
        CXFile file = NULL;
        clang_getExpansionLocation(clang_getDiagnosticLocation(diagnostic), &file, NULL, NULL,
                                   NULL);
        if (file && strcmp(dal__ast_string(clang_getFileName(file)), tree->unit) == 0)
            return 1;
    }
    return 0;
}

/* Is it "struct frame", which nothing but the question declares? */
static int is_first_named(const struct dal_ast *tree, CXType type)
{
    CXCursor declaration = clang_getTypeDeclaration(type);
    return !clang_Cursor_isNull(declaration) &&
           dal__ast_owner(tree, clang_getCanonicalCursor(declaration)) == DAL_OWNER_PROLOGUE;
}

/* Returns why tokens cannot be of a type; NULL where they can. */
static const char *find_obstacle(const struct dal_ast *tree, CXCursor asked)
{
    CXType type = clang_getCanonicalType(clang_getTypedefDeclUnderlyingType(asked));
    long long bytes = clang_Type_getSizeOf(type);
    CXCursor flexible;
    if (is_asked_wrongly(tree) || clang_Cursor_isNull(asked) || type.kind == CXType_Invalid ||
        (type.kind == CXType_Record && bytes < 0 && is_first_named(tree, type)))
        return "is not in its header";
    if (type.kind == CXType_FunctionProto || type.kind == CXType_FunctionNoProto)
        return "is a function's";
    if (type.kind == CXType_Void || bytes == CXTypeLayoutError_Incomplete)
        return "is incomplete: its header declares it, and does not say what is in it";
    if (bytes < 0)
        return "has no size that is known when the program is made";
    if (bytes == 0)
        return "has no bytes";
    if (type.kind != CXType_Record)
        return NULL;
    flexible = dal__ast_flexible(type);
    return clang_Cursor_isNull(flexible)
               ? NULL
               : dal_format("ends in an array without a size, '%s', which no token can carry",
                            dal__ast_name(flexible));
}

void dal__ast_visit_type(struct dal_ast *tree)
{
    CXCursor asked = dal__ast_find(tree, CXCursor_TypedefDecl, DAL_AST_ASKED);
    const char *obstacle = find_obstacle(tree, asked);
    if (obstacle)
        dal__ast_add(tree, DAL_FACT_UNUSABLE, obstacle);
    else
        dal__ast_add_layout(tree, clang_getTypedefDeclUnderlyingType(asked), "",
                            clang_getCursorLocation(asked));
}
