/* Reads what a source is built with beside its own text. One thread. */
#pragma once

#include "spec/read/network.h"

/*
 * Reads the <file> children of a source, and turns its attributes `include` and `pkgs` into
 * options. The folders stand in front of its cflags; options of packages stand behind the folders
 * and behind its libs. pkg-config is run for the packages; it may fail for a network that is only
 * analysed (raw.unchecked). Returns DAL_OK, also after errors in diags, or what ends the reading.
 */
int dal__read_libraries(struct dal__reader *reader, struct dal__network_state *state,
                        const xmlNode *element, struct dal_spec_source *source);

/* Asks pkg-config for the packages that a network says it needs, in its <needs> elements. Returns
 * as dal__read_libraries(). */
int dal__read_needs(struct dal__reader *reader, struct dal__network_state *state,
                    const xmlNode *root);

/*
 * Makes a part's options such that their paths are seen from the network's folder, where the
 * compiler and the linker run. Options of the network itself, and NULL, stay. With `files`, words
 * without a dash are paths, too. Returns DAL_OK or DAL_ERR_NOMEM.
 */
int dal__place_options(struct dal__reader *reader, const struct dal__network_state *state,
                       char **options, int files);

/* Is a file of this name C++? */
int dal__is_cxx(const char *location);

void dal__packages_finish(struct dal__packages *packages);
