/* Answers each tick with the number of the newest frame. */
#include <dal.h>
#include <stdint.h>

int look_fire(DALProcess *p)
{
    int32_t number;
    const int32_t *frame = DAL_read_begin("in", sizeof(*frame), 4096, p);
    DAL_read("ticks", &number, sizeof(number), p);
    number = frame[0];
    DAL_read_end("in", frame, p);
    DAL_write("out", &number, sizeof(number), p);
    return 0;
}
