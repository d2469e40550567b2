/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Locks of interrupts and spinning locks of programs. What RTAI's programs want of disabled
 * interrupts is that nothing else of their CPU runs: handlers and the scheduler are locked.
 */
#include <tactus/handler_lock.h>

#include <rtai_usi.h>

#include "rtai_internal.h"

/* Not counted: one rtai_sti() undoes it. Returns the locks before. */
static unsigned long disable(void)
{
	const int locks = tact_task_lock_handlers();

	if (locks > 0)
		(void)tact_task_restore_handlers((uint32_t)locks);
	return locks > 0 ? (unsigned long)locks : 0;
}

void rtai_cli(void)
{
	(void)disable();
}

void rtai_sti(void)
{
	(void)tact_task_restore_handlers(0);
}

void rtai_restore_flags(unsigned long flags)
{
	if (flags)
		(void)disable();
	else
		rtai_sti();
}

static _Atomic int *word_of(void *lock)
{
	return lock;
}

static bool try(void *lock)
{
	int free = 0;

	return !lock ||
	       atomic_compare_exchange_strong_explicit(word_of(lock), &free, 1,
						       memory_order_acquire, memory_order_relaxed);
}

/* The owner may be a less urgent task of this CPU, which is to go on. */
static void let_others_run(void)
{
	if (runtime_in_handler() || runtime_nap())
		__builtin_ia32_pause();
}

void rt_spin_lock_init(void *lock)
{
	rt_spin_unlock(lock);
}

void rt_spin_lock(void *lock)
{
	while (!try(lock))
		let_others_run();
}

void rt_spin_unlock(void *lock)
{
	if (lock)
		atomic_store_explicit(word_of(lock), 0, memory_order_release);
}

unsigned long rt_spin_lock_irqsave(void *lock)
{
	unsigned long flags = disable();

	while (!try(lock)) {
		rtai_restore_flags(flags);
		let_others_run();
		flags = disable();
	}
	return flags;
}

void rt_spin_unlock_irqrestore(unsigned long flags, void *lock)
{
	rt_spin_unlock(lock);
	rtai_restore_flags(flags);
}

void rt_spin_lock_irq(void *lock)
{
	(void)rt_spin_lock_irqsave(lock);
}

void rt_spin_unlock_irq(void *lock)
{
	rt_spin_unlock_irqrestore(0, lock);
}
