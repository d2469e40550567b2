/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The name that <alchemy/event.h> had in Xenomai 2. */
#ifndef TRANK_NATIVE_EVENT_H
#define TRANK_NATIVE_EVENT_H

#include <alchemy/event.h>

#endif
