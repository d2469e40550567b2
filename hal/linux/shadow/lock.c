/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The lock between the housekeeper and threads that are ending. Threads that are half a task cannot
 * use the C library's locks. Source: futex(2), FUTEX_LOCK_PI. */

#include "shadow/lock.h"

#include <stdatomic.h>
#include <stdint.h>

#include "call.h"
#include "program.h"

static _Atomic uint32_t with_shadows; /* 0, or the thread that holds it */

bool shadow_lock_try(void)
{
	uint32_t nobody = 0;

	return atomic_compare_exchange_strong(&with_shadows, &nobody, call_gettid());
}

void shadow_lock_release(void)
{
	uint32_t own = call_gettid();

	if (!atomic_compare_exchange_strong(&with_shadows, &own, 0))
		(void)call3(SYS_futex, (long)&with_shadows, FUTEX_UNLOCK_PI_PRIVATE, 0);
}

void shadow_lock(void)
{
	/* The child of a fork has no housekeeper. The fork may have happened while the housekeeper
	 * held the lock. */
	if (atomic_load(&linux_program.forked) || shadow_lock_try())
		return;
	while (call3(SYS_futex, (long)&with_shadows, FUTEX_LOCK_PI_PRIVATE, 0))
		;
}

void shadow_unlock(void)
{
	if (!atomic_load(&linux_program.forked))
		shadow_lock_release();
}
