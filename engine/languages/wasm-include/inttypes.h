/* See seekwell_libc.h. */
#include "seekwell_libc.h"
#define PRId32 "d"
#define PRIu32 "u"
