/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The name that programs of Xenomai 3 that come from 2 know alchemy/print.h by. */
#ifndef TRANK_RTDK_H
#define TRANK_RTDK_H

#include <alchemy/print.h>

#endif
