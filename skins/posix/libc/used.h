/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How far the places of an array have ever been taken, so that who looks at all need not go on. */
#ifndef POSIX_USED_H
#define POSIX_USED_H

#include <stdatomic.h>
#include <stdint.h>

/* This place is taken. Another thread may take one before or behind it just now. */
static inline void posix_mark_used(_Atomic uint32_t *used, uint32_t place)
{
	uint32_t now = atomic_load(used);

	while (now <= place && !atomic_compare_exchange_weak(used, &now, place + 1))
		;
}

#endif
