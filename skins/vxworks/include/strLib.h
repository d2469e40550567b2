/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Texts are the C library's. */
#ifndef VXWORKS_STRLIB_H
#define VXWORKS_STRLIB_H

#include <string.h>
#include <strings.h>

#include <vxWorks.h>

#endif
