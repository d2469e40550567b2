/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The name that <alchemy/buffer.h> had in Xenomai 2. */
#ifndef TRANK_NATIVE_BUFFER_H
#define TRANK_NATIVE_BUFFER_H

#include <alchemy/buffer.h>

#endif
