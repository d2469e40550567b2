/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The name that <alchemy/cond.h> had in Xenomai 2. */
#ifndef TRANK_NATIVE_COND_H
#define TRANK_NATIVE_COND_H

#include <alchemy/cond.h>

#endif
