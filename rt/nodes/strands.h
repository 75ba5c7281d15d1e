/*
 * Several links over one: each application of a program has its own, and so has its controller.
 * Every strand has the operations of a transport, as rt/nodes/transport.h says. A message carries
 * the number of its strand in its tag; what is found for another strand waits for that one's next
 * poll.
 *
 * Thread contract: one thread at a time uses a strand, each strand another. `lock` guards the link
 * below and everything of all strands; it is held while that link does what one poll does, which is
 * never to wait for another rank.
 *
 * A strand that is closed while something of it is under way takes the link with it: the bytes that
 * it was about may be gone. So does a message for another strand that there is no memory for. From
 * then on every strand's calls fail.
 */
#ifndef DAL_RT_NODES_STRANDS_H
#define DAL_RT_NODES_STRANDS_H

#include "rt/nodes/transport.h"

struct dal_strands;

/* Joins the other ranks. DAL_OK, or a negative code with the reason in `why`, of as many bytes as
 * dal_link has. */
int dal_strands_open(struct dal_strands **strands, const struct dal_transport *transport, int count,
                     char *why);

/* Strand `number` as a link of its own, to be closed by its transport's close, and then to be
 * opened again: all ranks have closed it before any opens it. */
struct dal_link *dal_strands_link(struct dal_strands *strands, int number);

/* The transport of such links; its `open` is NULL. */
const struct dal_transport *dal_strands_transport(const struct dal_strands *strands);

/* After all strands. DAL_OK or a negative code. Accepts NULL. */
int dal_strands_close(struct dal_strands *strands);

#endif
