/* DAL_foreach in C: a unit takes the source in as it is, but for this word's spelling. */
#include "synth/codegen/c/unit.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"

#include <ctype.h>
#include <string.h>

static const char foreach_word[] = "DAL_foreach";

/* Skips white space, comments and the ends of continued lines. */
static char *pass_space(char *at)
{
    for (;;) {
        char *end = NULL;
        if (at[0] == '/' && at[1] == '*')
            end = strstr(at + 2, "*/");
        if (end)
            at = end + 2;
        else if (at[0] == '\\' && (at[1] == '\n' || at[1] == '\r'))
            at += 2;
        else if (isspace((unsigned char)*at))
            at++;
        else
            return at;
    }
}

static char *pass_name(char *at)
{
    return pass_space(at + strspn(at, DAL_IDENTIFIER));
}

/* Finds the colon of "(NAME : PORT)"; NULL where it is not there. */
static char *find_colon(char *at)
{
    char *colon;
    at = pass_space(at);
    if (*at != '(')
        return NULL;
    colon = pass_name(pass_space(at + 1));
    return *colon == ':' && *pass_name(pass_space(colon + 1)) == ')' ? colon : NULL;
}

int dal_unit_rewrite_foreach(struct dal_diags *diags, const struct dal_plan_unit *unit,
                             struct dal_text *text)
{
    int is_pasted = strpbrk(dal_path_base(unit->source->path), "\"\\") != NULL;
    size_t length;
    char *data, *at;
    int status = dal_unit_read(diags, unit->source, unit->source->path, &data, &length);
    if (status)
        return status;
    for (at = data; (at = strstr(at, foreach_word)); at += strlen(foreach_word)) {
        char *colon = at == data || !strchr(DAL_IDENTIFIER, at[-1])
                          ? find_colon(at + strlen(foreach_word))
                          : NULL;
        if (colon)
            *colon = ',';
        is_pasted |= colon != NULL;
    }
    if (is_pasted) {
        size_t mark = strncmp(data, "\xef\xbb\xbf", 3) == 0 ? 3 : 0; /* of the file's beginning */
        dal_text_add_bytes(text, data + mark, length - mark);
        if (length && data[length - 1] != '\n')
            dal_text_add(text, "\n");
    }
    dal_free(data);
    return text->lost ? DAL_ERR_NOMEM : DAL_OK;
}
