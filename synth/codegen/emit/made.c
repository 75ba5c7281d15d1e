#include "synth/codegen/emit/made.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "rt/base/sha256.h"
#include "spec/base/file.h"
#include "spec/model/key.h"
#include "spec/model/libs.h"
#include "synth/codegen/emit/fields.h"
#include "synth/codegen/emit/parts.h"

#include <string.h>

/* Takes `what` over. */
static int add_digest(struct dal_made_list *made, char *what, const char *file,
                      const unsigned char digest[DAL_SHA256_BYTES])
{
    struct dal_made *part;
    if (!what || dal_grow(&made->list, made->count, &made->room, sizeof(*made->list))) {
        dal_free(what);
        return DAL_ERR_NOMEM;
    }
    part = &made->list[made->count++];
    *part = (struct dal_made){.what = what, .file = file};
    dal_sha256_hex(digest, DAL_MADE_DIGEST - 1, part->digest);
    return DAL_OK;
}

static int add_part(struct dal_made_list *made, char *what, struct dal_sha256 *sha)
{
    unsigned char digest[DAL_SHA256_BYTES];
    dal_sha256_end(sha, digest);
    return add_digest(made, what, "", digest);
}

static char *name_part(const char *what, const char *application)
{
    return application ? dal_format("%s of %s", what, application) : dal_strdup(what);
}

static int add_file(struct dal_made_list *made, char *what, const char *path,
                    const unsigned char digest[DAL_SHA256_BYTES])
{
    return add_digest(made, what, dal_path_base(path), digest);
}

/* Libraries and headers above that are not looked at. */
enum { MOST_BYTES = 1 << 28 };

/* Adds the variables, with the values of the command line, where it has any. */
static int add_variables(struct dal_made_list *made, const struct dal_plan *plan)
{
    const struct dal_spec_network *network = &plan->spec->network;
    struct dal_text text = {0};
    struct dal_sha256 sha;
    int lost;
    if (network->variable_count == 0)
        return DAL_OK;
    for (size_t i = 0; i < network->variable_count; i++) {
        dal_text_printf(&text, "%s=", network->variables[i].name);
        dal_variable_print(&text, &network->variables[i]);
        dal_text_add(&text, "\n");
    }
    dal_sha256_begin(&sha);
    dal_sha256_add(&sha, dal_text_get(&text), text.length);
    lost = text.lost;
    dal_text_finish(&text);
    return lost ? DAL_ERR_NOMEM : add_part(made, name_part("variables", plan->application), &sha);
}

static int add_key(struct dal_key_maker *keys, struct dal_sha256 *sha, const struct dal_plan *plan,
                   const struct dal_plan_process *p)
{
    char key[DAL_KEY_TEXT];
    int status = dal_key_make(keys, &plan->spec->network, p->process, p->source, key);
    if (!status)
        dal_sha256_add(sha, key, sizeof(key));
    return status ? status : p->fallback ? add_key(keys, sha, plan, p->fallback) : DAL_OK;
}

static int join_path(void *of, const char *path, const char *word)
{
    (void)word;
    dal_text_list_join(of, path, strlen(path));
    return DAL_OK;
}

static int join_libs(struct dal_text *paths, const struct dal_plan_process *p, const char *folder)
{
    int status = DAL_OK;
    for (; p && !status; p = p->fallback)
        if (p->source && p->source->libs)
            status = dal_libs_find(p->source->libs, folder, join_path, paths);
    return status;
}

/* Joins the headers of the tokens' types. */
static int join_headers(struct dal_text *paths, const struct dal_plan *plan)
{
    const struct dal_spec_network *network = &plan->spec->network;
    int status = DAL_OK;
    for (size_t i = 0; i < network->channel_count && !status; i++) {
        const char *header = network->channels[i].header;
        char *path = header ? dal__beside(network->file, header) : NULL;
        status = header && !path ? DAL_ERR_NOMEM : DAL_OK;
        if (path)
            dal_text_list_join(paths, path, strlen(path));
        dal_free(path);
    }
    return status;
}

/* Adds a file, if it is there: the compiler tells if not. */
static int add_bytes(struct dal_sha256 *sha, const char *path)
{
    char *data;
    size_t length;
    const char *why;
    int status = dal_file_read(path, MOST_BYTES, &data, &length, &why);
    if (!status)
        dal_sha256_add(sha, data, length);
    dal_free(data);
    return status == DAL_ERR_NOMEM ? status : DAL_OK;
}

/* Adds what is neither a source nor found by one: libraries, and headers of tokens. */
static int add_others(struct dal_sha256 *sha, const struct dal_plan *plan)
{
    char *folder = dal_path_folder(plan->spec->network.file), *at, *rest = NULL;
    struct dal_text paths = {0};
    int status = folder ? join_headers(&paths, plan) : DAL_ERR_NOMEM;
    for (size_t i = 0; i < plan->process_count && !status; i++)
        status = join_libs(&paths, &plan->processes[i], folder);
    at = paths.data ? strtok_r(paths.data, "\n", &rest) : NULL;
    for (; at && !status; at = strtok_r(NULL, "\n", &rest))
        status = add_bytes(sha, at);
    if (!status && paths.lost)
        status = DAL_ERR_NOMEM;
    dal_text_finish(&paths);
    dal_free(folder);
    return status;
}

static int add_sources(struct dal_made_list *made, const struct dal_plan *plan)
{
    struct dal_key_maker keys = {.of = DAL_KEY_OF_SOURCES};
    struct dal_sha256 sha;
    int status = DAL_OK;
    dal_sha256_begin(&sha);
    for (size_t i = 0; i < plan->process_count && !status; i++)
        status = add_key(&keys, &sha, plan, &plan->processes[i]);
    for (size_t i = 0; i < plan->channel_count; i++) {
        const struct dal_spec_channel *c = plan->channels[i].channel;
        if (c->initial_data)
            dal_sha256_add(&sha, c->initial_data, c->initial_tokens * c->token_bytes);
    }
    for (size_t i = 0; i < plan->spec->network.data_count; i++)
        dal_sha256_add(&sha, plan->spec->network.data[i].whole + plan->spec->network.data[i].at,
                       plan->spec->network.data[i].bytes);
    dal_key_maker_finish(&keys);
    if (!status)
        status = add_others(&sha, plan);
    return status ? status : add_part(made, name_part("sources", plan->application), &sha);
}

static int add_plan(struct dal_made_list *made, const struct dal_plan *plan)
{
    const struct dal_spec *spec = plan->spec;
    int status = add_file(made, name_part("network", plan->application), spec->network.file,
                          spec->network.digest);
    if (!status)
        status = add_file(made, name_part("mapping", plan->application), spec->mapping.file,
                          spec->mapping.digest);
    if (!status)
        status = add_variables(made, plan);
    return status ? status : add_sources(made, plan);
}

int dal_made_find(const struct dal_emit *emit, struct dal_made_list *made)
{
    const struct dal_spec_architecture *architecture = &emit->plan->spec->architecture;
    const struct dal_plan *plan;
    int status = DAL_OK;
    *made = (struct dal_made_list){0};
    if (emit->fsm)
        status = add_file(made, dal_strdup("state machine"), emit->fsm->file, emit->fsm->digest);
    if (!status)
        status =
            add_file(made, dal_strdup("architecture"), architecture->file, architecture->digest);
    for (size_t i = 0; !status && (plan = dal_plan_peer(emit->plan, i)); i++)
        status = add_plan(made, plan);
    return status;
}

void dal_made_finish(struct dal_made_list *made)
{
    for (size_t i = 0; i < made->count; i++)
        dal_free(made->list[i].what);
    dal_free(made->list);
    *made = (struct dal_made_list){0};
}

void dal__emit_made(const struct dal_emit *emit, struct dal_text *text)
{
    struct dal_made_list made;
    text->lost |= dal_made_find(emit, &made) != DAL_OK;
    dal_text_add(text, "/* What `--version` says and `dalsynth --verify` compares. */\n"
                       "static const struct dal_made_desc made[] = {\n");
    for (size_t i = 0; i < made.count; i++) {
        dal_text_add(text, "    {\n");
        dal__field_string(text, 8, "what", made.list[i].what);
        dal__field_string(text, 8, "file", made.list[i].file);
        dal__field_string(text, 8, "digest", made.list[i].digest);
        dal_text_add(text, "    },\n");
    }
    dal_text_printf(text, "};\n\n");
    dal_made_finish(&made);
}

void dal__emit_made_fields(struct dal_text *text)
{
    dal_text_add(text, "    .made = made,\n"
                       "    .made_count = sizeof(made) / sizeof(made[0]),\n");
}
