/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The name that <alchemy/pipe.h> had in Xenomai 2. */
#ifndef TRANK_NATIVE_PIPE_H
#define TRANK_NATIVE_PIPE_H

#include <alchemy/pipe.h>

#endif
