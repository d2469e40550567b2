/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The name that programs of Xenomai 2 know xenomai/print.h by. */
#ifndef RTDK_H
#define RTDK_H

#include <xenomai/print.h>

#endif
