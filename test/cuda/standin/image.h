/* What the stand-in compiler makes: an object of the host, as it is or as text. */
#pragma once

/* In front of the hexadecimal digits of an object that stands for PTX. */
#define STANDIN_PTX "// PTX of the stand-in for CUDA\n"

/* Its shared variables; the linker names the section's begin and end. */
#define STANDIN_SHARED "dal_shared"

/* Of kernel NAME: how it is called, the sizes of its arguments, the most threads of its block. */
#define STANDIN_CALL       "dal_standin_call_"
#define STANDIN_SIZES      "dal_standin_sizes_"
#define STANDIN_THREADS_OF "dal_standin_threads_"
