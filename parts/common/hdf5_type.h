/* The type of HDF5 that VAR_type is in memory. */
#ifndef HDF5_TYPE_H
#define HDF5_TYPE_H

#include <hdf5.h>
#include <stdint.h>

/* A name as text. */
#define HDF5_TEXT(name)    #name
#define HDF5_TEXT_OF(name) HDF5_TEXT(name)

static inline hid_t hdf5_type(void)
{
    return _Generic((VAR_type)0, float
                    : H5T_NATIVE_FLOAT, double
                    : H5T_NATIVE_DOUBLE, int8_t
                    : H5T_NATIVE_INT8, int16_t
                    : H5T_NATIVE_INT16, int32_t
                    : H5T_NATIVE_INT32, int64_t
                    : H5T_NATIVE_INT64, uint8_t
                    : H5T_NATIVE_UINT8, uint16_t
                    : H5T_NATIVE_UINT16, uint32_t
                    : H5T_NATIVE_UINT32, uint64_t
                    : H5T_NATIVE_UINT64);
}

/* The library's own messages, on several lines, are not shown. Each thread has to say so. At the
 * end of the program it does nothing: there it would crash over a file that the disk has no room
 * for. So the first call comes before any other of the library. */
static inline void silence_hdf5(void)
{
    H5dont_atexit();
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
}

/* With a thread that ends, its stack of errors is lost, and so would be the texts on it. So what
 * had an error clears the stack. */
static inline void forget_hdf5_errors(void)
{
    H5Eclear2(H5E_DEFAULT);
}

#endif
