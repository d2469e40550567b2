/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The table of symbols of the system. */
#ifndef VXWORKS_SYSSYMTBL_H
#define VXWORKS_SYSSYMTBL_H

#include <symLib.h>

#endif
