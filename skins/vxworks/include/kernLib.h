/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The name that Xenomai has for kernelLib.h. */
#ifndef VXWORKS_KERNLIB_H
#define VXWORKS_KERNLIB_H

#include <kernelLib.h>

#endif
