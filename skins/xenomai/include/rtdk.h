/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The name that xenomai/print.h had in Xenomai 2. */
#ifndef RTDK_H
#define RTDK_H

#include <xenomai/print.h>

#endif
