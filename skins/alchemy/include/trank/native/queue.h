/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The name that <alchemy/queue.h> had in Xenomai 2. */
#ifndef TRANK_NATIVE_QUEUE_H
#define TRANK_NATIVE_QUEUE_H

#include <alchemy/queue.h>

#endif
