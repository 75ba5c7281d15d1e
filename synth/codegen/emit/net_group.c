/* The tables of the groups that a network's kernels are launched in. */
#include "synth/codegen/emit/fields.h"
#include "synth/codegen/emit/net.h"

#include "rt/base/alloc.h"

#include <inttypes.h>

static void add_group_members(struct dal__net *w, const struct dal_plan_group *group)
{
    dal_text_printf(w->text, "static const struct dal_group_member members_%s[] = {\n",
                    group->symbol);
    for (size_t i = 0; i < group->member_count; i++)
        dal_text_printf(w->text,
                        "    {\n"
                        "        .process = PROCESS_%s,\n"
                        "        .firings = %" PRIu64 ",\n"
                        "    },\n",
                        group->members[i]->symbol, group->members[i]->round);
    dal_text_add(w->text, "};\n\n");
}

/* Adds the ports that lead out of the group, as its kernel's arguments
 * (synth/codegen/kernel/group.c). Returns their number. */
static size_t add_group_ports(struct dal__net *w, const struct dal_plan_group *group)
{
    size_t count = 0;
    for (size_t i = 0; i < group->member_count; i++)
        for (size_t k = 0; k < group->members[i]->process->port_count; k++) {
            const struct dal_spec_port *port = &group->members[i]->process->ports[k];
            if (!dal_plan_is_outside(w->plan, port))
                continue;
            if (count++ == 0)
                dal_text_printf(w->text, "static const struct dal_group_port outside_%s[] = {\n",
                                group->symbol);
            dal_text_printf(w->text,
                            "    {\n"
                            "        .member = %zu,\n"
                            "        .port = %zu,\n"
                            "    },\n",
                            i, k);
        }
    dal_text_add(w->text, count ? "};\n\n" : "");
    return count;
}

static size_t count_kept(const struct dal_plan *plan, const struct dal_plan_group *group)
{
    size_t count = 0;
    for (size_t i = 0; i < plan->channel_count; i++)
        count += dal_plan_keeper(plan, &plan->channels[i]) == group;
    return count;
}

static void add_kept(struct dal__net *w, const struct dal_plan_group *group)
{
    if (!group->in_order)
        return;
    dal_text_printf(w->text, "static const struct dal_group_kept kept_%s[] = {\n", group->symbol);
    for (size_t i = 0; i < w->plan->channel_count; i++)
        if (dal_plan_keeper(w->plan, &w->plan->channels[i]) == group)
            dal_text_printf(w->text,
                            "    {\n"
                            "        .channel = CHANNEL_%s,\n"
                            "        .offset = %" PRIu64 ",\n"
                            "    },\n",
                            w->plan->channels[i].symbol, w->plan->channels[i].kept_at);
    dal_text_add(w->text, "};\n\n");
}

static void add_group(struct dal__net *w, const struct dal_plan_group *group, size_t ports)
{
    dal_text_add(w->text, "    {\n");
    dal__field_string(w->text, 8, "name", group->unit->name);
    dal__field_symbol(w->text, 8, "members", "members_", group->symbol);
    dal__field_number(w->text, 8, "member_count", group->member_count);
    if (ports)
        dal__field_symbol(w->text, 8, "ports", "outside_", group->symbol);
    dal__field_number(w->text, 8, "port_count", ports);
    dal__field_symbol(w->text, 8, "kernel", "&dal_kernel_", group->unit->name);
    dal__field_number(w->text, 8, "work_items", group->work_items);
    dal_text_add_comment(w->text, 8, "%s", group->rounds_reason);
    dal__field_number(w->text, 8, "rounds", group->rounds);
    dal__field_shape(w->text, 8, group->members[0]->work_shape);
    if (group->in_order) {
        dal__field_symbol(w->text, 8, "kept", "kept_", group->symbol);
        dal__field_number(w->text, 8, "kept_count", count_kept(w->plan, group));
    }
    dal__field_given(w->text, 8, "one_round", group->one_round != 0);
    dal__field_number(w->text, 8, "scratch_bytes", group->slot_bytes);
    dal_text_add(w->text, "    },\n");
}

void dal__net_groups(struct dal__net *w)
{
    const struct dal_plan *plan = w->plan;
    size_t *ports;
    if (!plan->device_group_count)
        return;
    ports = dal_calloc(plan->device_group_count, sizeof(*ports));
    w->text->lost |= !ports;
    for (size_t i = 0; ports && i < plan->device_group_count; i++) {
        add_group_members(w, &plan->device_groups[i]);
        ports[i] = add_group_ports(w, &plan->device_groups[i]);
        add_kept(w, &plan->device_groups[i]);
    }
    dal_text_add(w->text, "static const struct dal_group_desc groups[] = {\n");
    for (size_t i = 0; ports && i < plan->device_group_count; i++)
        add_group(w, &plan->device_groups[i], ports[i]);
    dal_text_add(w->text, "};\n\n");
    dal_free(ports);
}
