/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A parked shadow: what it waits for, and how it comes to run a context again. */
#ifndef SHADOW_PARKED_H
#define SHADOW_PARKED_H

#include "shadow/record.h"

/* The next context to go on with; NULL: the shadow ends. Context: the thread itself. */
struct hal_context *shadow_parked(struct hal_shadow *shadow);
/* Make it look at linux_program.is_storm. Context: linux. */
void shadow_notify_storm(struct hal_shadow *shadow);

#endif
