/* See seekwell_libc.h. */
#include "seekwell_libc.h"
