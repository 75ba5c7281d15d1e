/*
 * SIGINT and SIGTERM in a program: the first one ends its sources, the second one all that runs,
 * and the third has its usual effect. Once the run has ended, the first one leaves its report two
 * seconds, and the second one ends it. One thread calls these; signals come to any. A child that a
 * process has made by fork() ends by the first one.
 */
#pragma once

#include "rt/app/controller.h"
#include "rt/control/control.h"

/* Until then, and of other signals at any time, one that ends the program leaves no temporary
 * files. Before any is made. */
void dal_interrupt_begin(void);

/* Catches signals, and sends them on to a network or to several applications. NULL: it has ended,
 * and from now on it is told. */
void dal_interrupt_control(struct dal_control *control);
void dal_interrupt_controller(struct dal_controller *controller);

/* The report is told, and files get their places: the run has succeeded, and signals change nothing
 * until that is done. Does not return if a signal has ended the program. */
void dal_interrupt_places(void);

/* All has been told. What is left is to give back what the program has: a signal ends that. */
void dal_interrupt_told(void);
