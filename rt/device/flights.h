/* What is in flight on devices, told where a thread of a driver crashes. */
#pragma once

struct dal_handler;

/* Around a run: a fault in a thread of no process names this handler's launches in flight. Any
 * thread may call them. */
void dal_flights_watch(struct dal_handler *handler);
void dal_flights_leave(struct dal_handler *handler);
