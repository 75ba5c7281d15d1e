/* What a test leaves behind in its process: files and threads. */
#pragma once

#include <dirent.h>
#include <poll.h>
#include <stddef.h>

static inline int count_entries(const char *folder)
{
    DIR *entries = opendir(folder);
    int count = 0;
    while (entries && readdir(entries))
        count++;
    if (entries)
        closedir(entries);
    return count;
}

static inline int count_threads(void)
{
    return count_entries("/proc/self/task");
}

/* A thread that was joined is in the folder for a moment still. So this looks for up to a minute,
   and the count to begin with may have been one too many. */
static inline int has_threads(int wanted)
{
    for (int looks = 0; looks < 60000; looks++) {
        if (count_threads() <= wanted)
            return 1;
        poll(NULL, 0, 1);
    }
    return 0;
}
