/*
 * What making one channel and making the channels of a port have in common. Main thread.
 */
#ifndef DAL_CHANNELS_CREATE_H
#define DAL_CHANNELS_CREATE_H

#include "channels/channel.h"
#include "channels/storage.h"

/* A zeroed channel with its description and an empty storage; NULL without memory. */
struct dal_channel *dal__channel_new(const struct dal_channel_desc *desc);

/* Sets the kind: what the description's becomes on the devices that are there, with a note where
 * that is another. DAL_OK, or DAL_ERR_UNSUPPORTED, logged, where kind and ends do not fit. */
int dal__channel_resolve(struct dal_channel *channel, const struct dal_end_config *producer,
                         const struct dal_end_config *consumer);

/* Counters and rates of an end, its peer being the channel's other end. */
void dal__end_init(struct dal_channel *channel, struct dal_end *end, int output,
                   const struct dal_end_config *config, const struct dal_end_config *peer);

/* Where windows start, and how far they run: to the ring's end, or anywhere if the ring is doubly
 * mapped; `doubly` is then its bytes, otherwise 0. After the shape is known. */
void dal__end_limits(const struct dal_channel *channel, struct dal_end *end, size_t doubly);

/* Puts the initial tokens into a storage of the channel's shape. After dal__end_limits(). */
int dal__initial_tokens(const struct dal_channel *channel, const struct dal_storage *storage);

#endif
