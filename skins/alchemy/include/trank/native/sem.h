/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The name that <alchemy/sem.h> had in Xenomai 2. */
#ifndef TRANK_NATIVE_SEM_H
#define TRANK_NATIVE_SEM_H

#include <alchemy/sem.h>

#endif
