/* A program with the library `watch`: a tick every 200 us, and what it is answered. */
#include "watch.h"

#include <stdio.h>
#include <unistd.h>

int main(void)
{
    struct dal_run *run;
    if (watch_open(&run, NULL) < 0)
        return puts(dal_run_message(NULL)), 1;
    for (int32_t tick = 0; tick < 100; tick++) {
        int32_t seen = -1;
        watch_write_ticks(run, &tick, 1, DAL_FOREVER);
        if (watch_read_seen(run, &seen, 1, DAL_FOREVER) != 1)
            return puts(dal_run_message(run)), 1;
        printf("%d\n", (int)seen);
        usleep(200);
    }
    return dal_run_close(run) < 0;
}
