/*
 * Signals that end a program, and those that its parent ignores.
 */
#pragma once

/* Holds back for good the signals that the program's parent ignores, so that no library takes them.
 * Such are SIGINT in a background job, and SIGHUP under nohup. LLVM's handlers would remove files
 * that are being compiled. First of all in main(). */
void dal_signals_begin(void);
int dal_signal_is_ignored(int number);

/* A handler notes a signal that ends the program. Code that may have failed for that reason asks
 * for it. */
void dal_signal_note(void);
int dal_signal_came(void);
