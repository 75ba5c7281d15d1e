#include "synth/source/local_memory.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"

#include <string.h>

static int is_local(const struct dal_token *token)
{
    return dal_token_is(token, "local") || dal_token_is(token, "__local");
}

/* A declarator up to its "," or ";", whichever it returns; 0 at the end of the text. What lies in
 * local memory has *local set: what a pointer to there lies in is said behind its star. */
static char pass_declarator(struct dal_scanner *s, struct dal_token *name, int *local)
{
    int named = 0;

    *name = (struct dal_token){0};
    for (;;) {
        struct dal_token token = dal_scan_code(s);
        if (token.kind == DAL_TOKEN_END)
            return 0;
        if (dal_token_is_mark(&token, ",;"))
            return *token.start;
        if (dal_token_is_mark(&token, "[{") || dal_token_is(&token, "__attribute__")) {
            named |= dal_token_is(&token, "[");
            if (dal_token_is(&token, "__attribute__"))
                dal_scan_code(s);
            if (!dal_scan_close(s))
                return 0;
        } else if (dal_token_is_mark(&token, "=")) {
            named = 1;
        } else if (named && dal_token_is_mark(&token, "(")) {
            if (!dal_scan_close(s))
                return 0;
        } else if (dal_token_is_mark(&token, "*") && !named) {
            *local = 0;
        } else if (is_local(&token)) {
            *local = 1;
        } else if (token.kind == DAL_TOKEN_NAME && !named) {
            *name = token;
        }
    }
}

/* Behind a word for local memory: the variables of this declaration. */
static int pass_declaration(struct dal_locals *locals, struct dal_scanner *s)
{
    size_t first = locals->count;
    char end;

    do {
        struct dal_token name;
        int local = 1;
        end = pass_declarator(s, &name, &local);
        if (!local || !name.length)
            continue;
        if (dal_grow(&locals->list, locals->count, &locals->room, sizeof(*locals->list)))
            return DAL_ERR_NOMEM;
        locals->list[locals->count++].name = name;
    } while (end == ',');
    for (; first < locals->count; first++)
        locals->list[first].behind = s->at;
    return DAL_OK;
}

static int find_variables(struct dal_locals *locals, struct dal_scanner s)
{
    struct dal_token token;
    int error = DAL_OK;

    for (token = dal_scan_code(&s); !error; token = dal_scan_code(&s)) {
        if (token.kind == DAL_TOKEN_END)
            break;
        if (dal_token_is(&token, "}")) {
            locals->end = token.start;
            break;
        }
        if (dal_token_is_mark(&token, "([{"))
            dal_scan_close(&s);
        else if (is_local(&token))
            error = pass_declaration(locals, &s);
    }
    return error;
}

int dal_locals_find(struct dal_locals *locals, const struct dal_text *source, const char *body)
{
    struct dal_scanner s;
    int error;

    *locals = (struct dal_locals){0};
    dal_scan_init(&s, body, (size_t)(source->data + source->length - body));
    s.fresh = 0;
    error = find_variables(locals, s);
    if (!locals->end)
        locals->count = 0;
    return error;
}

void dal_locals_finish(struct dal_locals *locals)
{
    dal_free(locals->list);
    *locals = (struct dal_locals){0};
}

/* A size of 0 is no type: each has one byte more, also where its #if leaves the variable out. */
void dal_locals_add_macros(struct dal_text *text, const struct dal_locals *locals)
{
    size_t i;

    if (!locals->count)
        return;
    dal_text_add(text, "#ifdef DAL_LOCAL_BYTES\n");
    for (i = 0; i < locals->count; i++)
        dal_text_printf(text, "typedef char dal_local_%zu[1];\n", i);
    dal_text_add(text, "#define DAL_LOCAL(number, name) "
                       "typedef char dal_local_##number[1 + sizeof(name)];\n"
                       "#define DAL_LOCAL_END typedef char dal_local[");
    for (i = 0; i < locals->count; i++)
        dal_text_printf(text, "sizeof(dal_local_%zu) - 1 + ", i);
    dal_text_add(text, "0 <= DAL_LOCAL_BYTES ? 1 : -1];\n"
                       "#else\n"
                       "#define DAL_LOCAL(number, name)\n"
                       "#define DAL_LOCAL_END\n"
                       "#endif\n");
}

void dal_locals_add_body(struct dal_text *text, const struct dal_locals *locals,
                         const struct dal_text *source, const char *body)
{
    const char *end = source->data + source->length;
    size_t i;

    for (i = 0; i < locals->count; i++) {
        const struct dal_local *local = &locals->list[i];
        dal_text_add_bytes(text, body, (size_t)(local->behind - body));
        dal_text_printf(text, " DAL_LOCAL(%zu, %.*s)", i, (int)local->name.length,
                        local->name.start);
        body = local->behind;
    }
    if (locals->count) {
        dal_text_add_bytes(text, body, (size_t)(locals->end - body));
        dal_text_add(text, "DAL_LOCAL_END ");
        body = locals->end;
    }
    dal_text_add_bytes(text, body, (size_t)(end - body));
}
