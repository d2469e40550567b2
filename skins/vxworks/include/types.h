/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The types of VxWorks. */
#ifndef VXWORKS_TYPES_H
#define VXWORKS_TYPES_H

#include <vxWorks.h>

#endif
