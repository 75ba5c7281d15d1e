#include <dal.h>

int Reads_fire(DALProcess *p)
{
    int count, number, sum = 0;
    DAL_read(PORT_first, &count, sizeof(count), p);
    while (count-- > 0) {
        DAL_read(PORT_many, &number, sizeof(number), p);
        sum += number;
    }
    DAL_write(PORT_back, &sum, sizeof(sum), p);
    return 1;
}
