/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The name of alchemy/print.h for programs that were ported from Xenomai 2 to Xenomai 3. */
#ifndef TRANK_RTDK_H
#define TRANK_RTDK_H

#include <alchemy/print.h>

#endif
