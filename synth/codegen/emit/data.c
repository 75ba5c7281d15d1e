/* Initial tokens and constants that are files of their own, and the assembler that takes them in.
 */
#include "synth/codegen/emit/parts.h"

#include "rt/base/alloc.h"

#include <inttypes.h>
#include <string.h>

int dal__emit_is_file(const struct dal_spec_channel *channel)
{
    return channel->initial_data &&
           channel->initial_tokens * channel->token_bytes > DAL_EMIT_DATA_BYTES;
}

char *dal__emit_data_name(const struct dal_plan *plan, const char *what)
{
    return dal_format("%.*s.%s", (int)strlen(plan->file) - 2, plan->file, what);
}

int dal__emit_has_data(const struct dal_plan *plan)
{
    for (size_t i = 0; i < plan->channel_count; i++)
        if (dal__emit_is_file(plan->channels[i].channel))
            return 1;
    for (size_t i = 0; i < plan->spec->network.data_count; i++)
        if (plan->spec->network.data[i].bytes > DAL_EMIT_DATA_BYTES)
            return 1;
    return 0;
}

static void add_file(const struct dal_plan *plan, const char *symbol, const void *data,
                     uint64_t bytes, struct dal_text *text, struct dal_tree *tree)
{
    char *name = symbol ? dal__emit_data_name(plan, symbol) : NULL;
    if (!name) {
        tree->lost = 1;
        return;
    }
    dal_text_printf(text,
                    "\n\t.balign 128\n"
                    "\t.globl dal.%s\n"
                    "\t.hidden dal.%s\n"
                    "\t.type dal.%s, %%object\n"
                    "\t.size dal.%s, %" PRIu64 "\n"
                    "dal.%s:\n"
                    "\t.incbin \"%s.bin\"\n",
                    name, name, name, name, bytes, name, name);
    dal_tree_add_bytes(tree, data, bytes, "%s.bin", name);
    dal_free(name);
}

static void add_constant(const struct dal_plan *plan, size_t number, struct dal_text *text,
                         struct dal_tree *tree)
{
    const struct dal_spec_data *data = &plan->spec->network.data[number];
    char *symbol = dal_format("constant.%zu", number);
    if (data->bytes > DAL_EMIT_DATA_BYTES)
        add_file(plan, symbol, data->whole + data->at, data->bytes, text, tree);
    dal_free(symbol);
}

/* Section types with %, which all assemblers take: to some of them @ begins a comment. */
void dal__emit_data(const struct dal_plan *plan, struct dal_tree *tree)
{
    char *file = dal__emit_has_data(plan) ? dal__emit_data_name(plan, "data") : NULL;
    struct dal_text *text;
    if (!dal__emit_has_data(plan))
        return;
    text = dal_tree_add(tree, "%s.s", file ? file : "");
    tree->lost |= !file;
    dal_free(file);
    dal__emit_banner(plan, text, "Network %s: initial tokens and constants.",
                     plan->spec->network.name);
    dal_text_add(text, "\t.section .rodata.dal,\"a\",%progbits\n");
    for (size_t i = 0; i < plan->channel_count; i++)
        if (dal__emit_is_file(plan->channels[i].channel))
            add_file(plan, plan->channels[i].symbol, plan->channels[i].channel->initial_data,
                     plan->channels[i].channel->initial_tokens *
                         plan->channels[i].channel->token_bytes,
                     text, tree);
    for (size_t i = 0; i < plan->spec->network.data_count; i++)
        add_constant(plan, i, text, tree);
    dal_text_add(text, "\n\t.section .note.GNU-stack,\"\",%progbits\n");
}
