#include <dol.h>
#include <stdio.h>

int consumer_fire(DOLProcess *p)
{
    float sample;
    DOL_read((void *)"in", &sample, sizeof(sample), p);
    printf("%g\n", sample);
    return 0;
}
