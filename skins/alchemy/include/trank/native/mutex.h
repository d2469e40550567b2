/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The name that <alchemy/mutex.h> had in Xenomai 2. */
#ifndef TRANK_NATIVE_MUTEX_H
#define TRANK_NATIVE_MUTEX_H

#include <alchemy/mutex.h>

#endif
