/* Emits the nodes of a program by rank, for a network's table and for a state machine's. */
#include "synth/codegen/emit/parts.h"

void dal__emit_node_names(const struct dal_spec_mapping *mapping, struct dal_text *text)
{
    if (mapping->node_count < 2)
        return;
    dal_text_add(text, "static const char *const nodes[] = {\n");
    for (size_t i = 0; i < mapping->node_count; i++) {
        dal_text_add(text, "    ");
        dal_text_add_literal(text, mapping->nodes[i]);
        dal_text_add(text, ",\n");
    }
    dal_text_add(text, "};\n\n");
}

void dal__emit_nodes(const struct dal_spec_mapping *mapping, struct dal_text *text)
{
    if (mapping->node_count < 2)
        return;
    dal_text_printf(text,
                    "    .nodes = nodes,\n"
                    "    .node_count = %zu,\n"
                    "    .transport = &dal_transport_mpi,\n",
                    mapping->node_count);
}
