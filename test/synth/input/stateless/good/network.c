#include "dal.h"
#include <arpa/inet.h>
#include <endian.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif
int network_fire(DALProcess *p)
{
    int x = 0;
    DAL_read(PORT_in, &x, sizeof(x), p);
    x = (int)ntohl((uint32_t)x) + ntohs((uint16_t)x) + (int)le64toh((uint64_t)x);
#ifdef __SSE2__
    x = _mm_cvtsi128_si32(_mm_add_epi32(_mm_set1_epi32(x), _mm_set1_epi32(1)));
#endif
    DAL_write(PORT_out, &x, sizeof(x), p);
    return 0;
}
