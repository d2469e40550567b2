/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* pREPC+, the C library of pSOSystem: that of the host has the same functions. */
#ifndef TACTUS_PREPC_H
#define TACTUS_PREPC_H

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#endif
