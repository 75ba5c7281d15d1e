/* A function that keeps no p; with MACRO, a macro that keeps it. */
#ifndef HELP_H
#define HELP_H

static void help(DALProcess *q)
{
    (void)q;
}

#ifdef MACRO
#define help(q) kept = q
#endif

#endif
