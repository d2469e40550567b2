/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The end of the places of an array that have ever been taken, so that a search stops there. */
#ifndef POSIX_USED_H
#define POSIX_USED_H

#include <stdatomic.h>
#include <stdint.h>

/* This place is taken. At the same time another thread may take one before or behind it. */
static inline void posix_mark_used(_Atomic uint32_t *used, uint32_t place)
{
	uint32_t now = atomic_load(used);

	while (now <= place && !atomic_compare_exchange_weak(used, &now, place + 1))
		;
}

#endif
