/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* select() is the C library's. */
#ifndef VXWORKS_SELECTLIB_H
#define VXWORKS_SELECTLIB_H

#include <sys/select.h>

#include <vxWorks.h>

#endif
