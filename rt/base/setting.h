/*
 * The environment and the working folder as they were at the program's start. Processes that change
 * them later change neither the runtime's settings nor the places of its files.
 */
#pragma once

/* Keeps a copy of both, first of all in main(). Without it, or without memory, the functions below
 * use the current environment. */
void dal_settings_take(void);

/* Returns all of the environment, for a program that is started as if by the user. */
char *const *dal_settings_all(void);

/* Returns a variable's value, or NULL. */
const char *dal_setting(const char *name);
/* Returns a variable's value; NULL also where it is empty, or the program has rights that its user
 * has not. */
const char *dal_setting_secure(const char *name);

/* Returns the value of a variable that turns something on: NULL if it is unset, empty or 0. */
const char *dal_setting_wanted(const char *name);

/* Returns to the working folder of the start. */
void dal_start_folder_return(void);
