/* Initial tokens that are files of their own, and the assembler that takes them in. */
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
    return 0;
}

static void add_channel(const struct dal_plan *plan, const struct dal_plan_channel *ch,
                        struct dal_text *text, struct dal_tree *tree)
{
    const struct dal_spec_channel *c = ch->channel;
    uint64_t bytes = c->initial_tokens * c->token_bytes;
    char *name = dal__emit_data_name(plan, ch->symbol);
    if (!name) {
        tree->lost = 1;
        return;
    }
    dal_text_printf(text,
                    "\n\t.balign 64\n"
                    "\t.globl dal.%s\n"
                    "\t.hidden dal.%s\n"
                    "\t.type dal.%s, %%object\n"
                    "\t.size dal.%s, %" PRIu64 "\n"
                    "dal.%s:\n"
                    "\t.incbin \"%s.bin\"\n",
                    name, name, name, name, bytes, name, name);
    dal_tree_add_bytes(tree, c->initial_data, bytes, "%s.bin", name);
    dal_free(name);
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
    dal__emit_banner(plan, text, "Network %s: initial tokens.", plan->spec->network.name);
    dal_text_add(text, "\t.section .rodata.dal,\"a\",%progbits\n");
    for (size_t i = 0; i < plan->channel_count; i++)
        if (dal__emit_is_file(plan->channels[i].channel))
            add_channel(plan, &plan->channels[i], text, tree);
    dal_text_add(text, "\n\t.section .note.GNU-stack,\"\",%progbits\n");
}
