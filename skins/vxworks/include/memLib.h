/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Memory of the system: the C library's. */
#ifndef VXWORKS_MEMLIB_H
#define VXWORKS_MEMLIB_H

#include <stdlib.h>

#include <memPartLib.h>

#endif
