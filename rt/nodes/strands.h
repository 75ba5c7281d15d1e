/*
 * Several links over one: each application of a program has its own, and so has its controller.
 * Every strand has the operations of a transport (rt/nodes/transport.h). A message carries the
 * number of its strand in its tag. One that is found for another strand waits for that strand's
 * next poll.
 *
 * Thread contract: one thread at a time uses a strand, but other threads use other strands. `lock`
 * guards the link below and everything of all strands. It is held while that link does what one
 * poll does, which never waits for another rank.
 *
 * A strand that is closed while something of it is under way breaks the link: the bytes may be
 * freed. So does a message for another strand if there is no memory for it. From then on the calls
 * of every strand fail.
 */
#ifndef DAL_RT_NODES_STRANDS_H
#define DAL_RT_NODES_STRANDS_H

#include "rt/nodes/transport.h"

struct dal_strands;

/* Joins the other ranks. Returns DAL_OK, or a negative code with the reason in `why`, which is as
 * large as that of dal_link. */
int dal_strands_open(struct dal_strands **strands, const struct dal_transport *transport, int count,
                     char *why);

/* Returns strand `number` as a link of its own. Its transport's close closes it. It may be opened
 * again once all ranks have closed it. */
struct dal_link *dal_strands_link(struct dal_strands *strands, int number);

/* Returns the transport of such links; its `open` is NULL. */
const struct dal_transport *dal_strands_transport(const struct dal_strands *strands);

/* Closes the link, after all strands. Returns DAL_OK or a negative code. Accepts NULL. */
int dal_strands_close(struct dal_strands *strands);

#endif
