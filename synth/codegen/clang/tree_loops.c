/* Finds the loop over words of a kernel, or over blocks, with the one over the words of a block. */
#include "synth/codegen/clang/tree_steps.h"

#include "spec/base/names.h"

#include <string.h>

enum { MOST_WORDS = 1 << 30 };

/* Does a counter of this type have 32 bits or more? */
static int counts_far(enum CXTypeKind kind)
{
    static const enum CXTypeKind kinds[] = {CXType_Int,  CXType_Long,  CXType_LongLong,
                                            CXType_UInt, CXType_ULong, CXType_ULongLong};
    size_t i = 0;
    while (i < sizeof(kinds) / sizeof(kinds[0]) && kinds[i] != kind)
        i++;
    return i < sizeof(kinds) / sizeof(kinds[0]);
}

/* A loop that is written as one over words, or blocks, may be. */
struct loop {
    CXCursor all, counter, start, more, next, body;
};

/* Parts a loop. Returns 0 where a statement is none that counts. */
static int part_loop(const struct dal_step *s, CXCursor statement, struct loop *loop)
{
    struct dal_list parts = dal__list_of(statement);
    CXCursor first = parts.at[0];
    int is_declared = dal__is_kind(first, CXCursor_DeclStmt);
    if (!dal__is_kind(statement, CXCursor_ForStmt) || parts.count != 4)
        return 0;
    *loop = (struct loop){.all = statement, .more = parts.at[1], .next = parts.at[2]};
    loop->body = parts.at[3];
    loop->counter = dal__parts_of(first).first;
    loop->start = dal__parts_of(is_declared ? loop->counter : first).last;
    if (!is_declared)
        loop->counter = clang_getCursorReferenced(loop->counter);
    return dal__is_variable(loop->counter) && dal__is_pure(s, loop->start) &&
           dal__is_pure(s, loop->more) && dal__is_pure(s, dal__parts_of(loop->next).last) &&
           (is_declared ? dal__parts_of(first).count == 1 : dal__is_operation(s, first, "="));
}

/* Returns the end of a loop's count, and null where it has none. */
static CXCursor end_of(const struct dal_step *s, const struct loop *loop)
{
    struct dal_parts more = dal__parts_of(loop->more);
    return dal__is_operation(s, loop->more, "<") && dal__is_name_of(more.first, loop->counter)
               ? more.last
               : clang_getNullCursor();
}

/* Returns what a loop adds to its count, and null where it does not add. */
static CXCursor step_of(const struct dal_step *s, const struct loop *loop)
{
    struct dal_parts next = dal__parts_of(loop->next);
    return dal__is_operation(s, loop->next, "+=") && dal__is_name_of(next.first, loop->counter)
               ? next.last
               : clang_getNullCursor();
}

/* Is it "i++", or "++i"? */
static int is_by_one(const struct dal_step *s, const struct loop *loop)
{
    CXCursor of = dal__parts_of(loop->next).first;
    struct dal_tokens tokens = dal__ast_tokens(s->tree, clang_getCursorExtent(loop->next));
    return dal__is_kind(loop->next, CXCursor_UnaryOperator) && dal__is_name_of(of, loop->counter) &&
           (dal__ast_is_word(&tokens, 0, "++") || dal__ast_is_word(&tokens, 1, "++"));
}

/* Notes a loop: its count begins with the word's number by `by`, without whole `of`, and ends
 * behind it. */
static struct dal_step_fact fact_of(const struct loop *loop, long long words, long long by,
                                    long long of)
{
    return (struct dal_step_fact){.words = (size_t)words,
                                  .by = (size_t)by,
                                  .of = (size_t)of,
                                  .start = dal__ast_start(loop->start),
                                  .start_end = dal__ast_end(loop->start),
                                  .next = dal__ast_start(loop->next),
                                  .next_end = dal__ast_end(loop->next)};
}

static void enter_loop(struct dal_step *s, const struct loop *loop)
{
    s->loop = loop->all;
    s->inside = loop->body;
    s->counter = loop->counter;
}

/* Notes what a loop over words, or blocks, is made of, whose first number is that of the
 * work-item. */
static void take_loop(struct dal_step *s, const struct loop *loop)
{
    CXCursor by = dal__resolve(s, step_of(s, loop)), end = end_of(s, loop);
    long long words = dal__value_of(end), items = is_by_one(s, loop) ? 1 : dal__value_of(by);
    s->fact = fact_of(loop, words, 1, words);
    s->fact.items = items > 0 ? (size_t)items : 0;
    if (!counts_far(dal__type_of(loop->counter).kind))
        dal__add_in_way(s, "", loop->more, "counts in a small type");
    else if (clang_Cursor_isNull(end))
        dal__add_in_way(s, "", loop->more, "does not compare the loop's variable by '<'");
    else if (words < 1 || words > MOST_WORDS)
        dal__add_in_way(s, "", loop->more, "has no constant end");
    else if (items < 1 && !dal__is_question(by, "get_local_size") &&
             !dal__is_ours(s, by, "dal__step"))
        dal__add_in_way(s, "", loop->next, "does not step by the number of work-items");
}

/* Does a loop begin with the number of the work-item? A small type may cut that. */
static int begins_with_item(struct dal_step *s, const struct loop *loop)
{
    CXCursor start = loop->start;
    while (!counts_far(dal__type_of(loop->counter).kind) && dal__is_wrapper(start))
        start = dal__parts_of(start).last;
    return dal__is_item(s, start);
}

static enum CXChildVisitResult visit_loop(CXCursor cursor, CXCursor parent, CXClientData data)
{
    struct dal_step *s = data;
    struct loop loop;
    (void)parent;
    if (!part_loop(s, cursor, &loop) || !begins_with_item(s, &loop))
        return CXChildVisit_Continue;
    s->item = dal__resolve(s, loop.start);
    s->outer = loop.all;
    s->around = loop.body;
    enter_loop(s, &loop);
    take_loop(s, &loop);
    return CXChildVisit_Break;
}

struct block {
    const struct dal_step *s;
    struct dal_parts parts;
};

/* A block's statements, but for declarations, and for the end of its window. */
static enum CXChildVisitResult visit_block(CXCursor cursor, CXCursor parent, CXClientData data)
{
    struct block *block = data;
    (void)parent;
    if (dal__is_kind(cursor, CXCursor_DeclStmt) || dal__is_ours(block->s, cursor, "dal__write_end"))
        return CXChildVisit_Continue;
    block->parts.count++;
    block->parts.last = cursor;
    return CXChildVisit_Continue;
}

/* Takes a loop over the words of a block. A block has the words from its number on by the number of
 * blocks, or as many as the others in a row. */
static void take_block(struct dal_step *s)
{
    struct block block = {.s = s};
    struct dal_sum start, end;
    struct loop loop;
    long long blocks = (long long)s->fact.words, row, step;
    if (dal__is_kind(s->around, CXCursor_CompoundStmt))
        clang_visitChildren(s->around, visit_block, &block);
    else
        block.parts = (struct dal_parts){.count = 1, .last = s->around};
    if (block.parts.count != 1 || !part_loop(s, block.parts.last, &loop) ||
        !counts_far(dal__type_of(loop.counter).kind))
        return;
    s->block = s->counter;
    s->counter = loop.counter;
    start = dal__sum_of(s, loop.start);
    end = dal__sum_of(s, end_of(s, &loop));
    step = is_by_one(s, &loop) ? 1 : dal__value_of(dal__resolve(s, step_of(s, &loop)));
    row = end.number;
    if (step == blocks && dal__is_sum(start, 0, 1, 0) && dal__is_sum(end, row, 0, 0) &&
        row >= blocks && row <= MOST_WORDS) {
        s->rows = fact_of(&loop, row, 1, row);
        s->fact.of = s->fact.words;
    } else if (step == 1 && row >= 1 && row <= MOST_WORDS / blocks &&
               (dal__is_sum(start, 0, 0, 0) || dal__is_sum(start, 0, row, 0)) &&
               dal__is_sum(end, row, start.block, 0)) {
        s->rows = fact_of(&loop, row * blocks, 1, start.block ? row * blocks : row);
        s->own.block = row - start.block;
        s->fact.by = (size_t)row;
        s->fact.of = s->rows.words;
    } else {
        s->counter = s->block;
        s->block = clang_getNullCursor();
        return;
    }
    s->fact.words = s->rows.words;
    enter_loop(s, &loop);
}

/* ---- the number of the work-item ------------------------------------------------------------- */

/* Is it a function that answers each work-item in another way, or may do so? */
static int tells_apart(CXCursor function)
{
    static const char *const alike[] = {
        "get_group_id",      "get_num_groups", "get_local_size", "get_enqueued_local_size",
        "get_global_offset", "get_work_dim",   "get_global_size"};
    const char *name = dal__ast_name(function);
    return dal__is_kind(function, CXCursor_FunctionDecl) && strncmp(name, "get_", 4) == 0 &&
           clang_Cursor_isNull(clang_getCursorDefinition(function)) && !DAL_IS_ONE_OF(alike, name);
}

static enum CXChildVisitResult visit_number(CXCursor cursor, CXCursor parent, CXClientData data);

/* Looks once into a function of the source that is called. */
static void follow_function(struct dal_step *s, CXCursor function)
{
    int i = 0;
    while (i < s->followed_count && !clang_equalCursors(s->followed[i], function))
        i++;
    if (i == DAL_STEP_NAMES)
        dal__add_in_way(s, "", function, "is one function too many");
    if (i < s->followed_count || i == DAL_STEP_NAMES)
        return;
    s->followed[s->followed_count++] = function;
    clang_visitChildren(function, visit_number, s);
}

/* A block belongs to a work-item, and its words go to others. So nothing in it may depend on which
 * one has it: in the kernel, and in what that calls. */
static enum CXChildVisitResult visit_number(CXCursor cursor, CXCursor parent, CXClientData data)
{
    struct dal_step *s = data;
    CXCursor of = clang_getCursorReferenced(cursor), called = clang_getCursorDefinition(of);
    int is_head = dal__is_in(cursor, s->outer) && !dal__is_in(cursor, s->around);
    (void)parent;
    if (!dal__is_kind(cursor, CXCursor_DeclRefExpr))
        return CXChildVisit_Recurse;
    if (is_head || dal__is_in(cursor, s->item) || dal__is_ours(s, cursor, NULL))
        return CXChildVisit_Continue;
    if (tells_apart(of) || dal__is_item(s, cursor))
        dal__add_in_way(s, s->is_fire ? "" : DAL_IN_WAY_OF_ITEMS, cursor,
                        "tells which work-item has a block");
    if (dal__is_kind(called, CXCursor_FunctionDecl))
        follow_function(s, called);
    return CXChildVisit_Continue;
}

void dal__find_loops(struct dal_step *s)
{
    clang_visitChildren(s->body, visit_loop, s);
    if (s->fact.words && s->fact.words <= MOST_WORDS)
        take_block(s);
    if (!clang_Cursor_isNull(s->block))
        clang_visitChildren(s->body, visit_number, s);
}
