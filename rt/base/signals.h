/*
 * Signals that end a program, and those that its parent ignores.
 */
#ifndef DAL_RT_BASE_SIGNALS_H
#define DAL_RT_BASE_SIGNALS_H

/* First of all in main(): what the program's parent ignores (SIGINT of a job in the background,
 * SIGHUP behind nohup) is held back for good, so that no library takes it. LLVM's handlers remove
 * what is being compiled. */
void dal_signals_begin(void);
int dal_signal_is_ignored(int number);

/* There was a signal that ends the program: noted by its handler, and asked by what may have failed
 * for that reason. */
void dal_signal_note(void);
int dal_signal_came(void);

#endif
