/*
 * The environment and the working folder as they were at the program's start: what processes make
 * of them later changes nothing of where files are, or of what is wanted.
 */
#ifndef DAL_RT_BASE_SETTING_H
#define DAL_RT_BASE_SETTING_H

/* First of all in main(). Before, and where there is no memory for it, all that follows goes by the
 * environment as it is. */
void dal_settings_take(void);

/* A variable's value, or NULL. */
const char *dal_setting(const char *name);
/* The same; NULL as well where it is empty, or the program has rights that its user has not. */
const char *dal_setting_secure(const char *name);

/* Back to the working folder of the start. */
void dal_start_folder_return(void);

#endif
