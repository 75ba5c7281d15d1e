/*
 * Chooses the kind of a channel on the devices that are there.
 */
#ifndef DAL_CHANNELS_KIND_H
#define DAL_CHANNELS_KIND_H

#include "channels/channel.h"
#include "include/kinds.h"

/* Are the firings of the process at this end dealt to several queues? */
int dal__is_dealt(const struct dal_end_config *config);

/* Are both ends dealt alike, so that each block of tokens is written and read on one queue? */
int dal__is_dealt_alike(const struct dal_channel_desc *desc, const struct dal_end_config *producer,
                        const struct dal_end_config *consumer);

/* Returns the margin: the reader's initial tokens, where both ends are dealt alike but for these,
 * and these lie in one block. Otherwise returns 0. */
uint64_t dal__find_margin(const struct dal_channel_desc *desc,
                          const struct dal_end_config *producer,
                          const struct dal_end_config *consumer);

/* Sets *kind to the description's, or to another that fits these ends, with a note. Returns DAL_OK,
 * or DAL_ERR_UNSUPPORTED, logged, where kind and ends do not fit. Main thread. */
int dal__kind_choose(enum dal_channel_kind *kind, const struct dal_channel_desc *desc,
                     const struct dal_end_config *producer, const struct dal_end_config *consumer);

#endif
