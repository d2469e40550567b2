/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The name that <alchemy/task.h> had in Xenomai 2. */
#ifndef TRANK_NATIVE_TASK_H
#define TRANK_NATIVE_TASK_H

#include <alchemy/task.h>

#endif
