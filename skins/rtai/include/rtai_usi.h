/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Locks of interrupts and spinning locks. A driver uses <tactus/device.h>. */
#ifndef TACTUS_RTAI_USI_H
#define TACTUS_RTAI_USI_H

#ifdef __KERNEL__
#include <rtai_types.h>
#else
#include <rtai_lxrt.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/**
 * Nothing else of this CPU runs: handlers and the scheduler are locked. It is not counted.
 * Context: any.
 */
void rtai_cli(void);

/**
 * End this, and let run what is due.
 * Context: any.
 */
void rtai_sti(void);

/**
 * As it was then.
 * Context: any.
 */
void rtai_restore_flags(unsigned long flags);

/**
 * Begin with a lock, which is an int of the program.
 * Context: any.
 */
void rt_spin_lock_init(void *lock);

/**
 * Wait until the lock is 0, and set it to 1.
 * Context: any.
 */
void rt_spin_lock(void *lock);

/**
 * Set the lock to 0.
 * Context: any.
 */
void rt_spin_unlock(void *lock);

/**
 * rtai_cli() and rt_spin_lock().
 * Context: any.
 */
void rt_spin_lock_irq(void *lock);

/**
 * rt_spin_unlock() and rtai_sti().
 * Context: any.
 */
void rt_spin_unlock_irq(void *lock);

/**
 * rtai_save_flags_and_cli() and rt_spin_lock(). Returns the flags. lock: NULL for none.
 * Context: any.
 */
unsigned long rt_spin_lock_irqsave(void *lock);

/**
 * rt_spin_unlock() and rtai_restore_flags().
 * Context: any.
 */
void rt_spin_unlock_irqrestore(unsigned long flags, void *lock);

/* rtai_cli(); flags receives what it was before. */
#define rtai_save_flags_and_cli(flags) ((flags) = rt_spin_lock_irqsave(NULL))

void rt_shutdown_irq(unsigned int irq)
	__attribute__((error("use the services of <tactus/device.h>")));
void rt_enable_irq(unsigned int irq)
	__attribute__((error("use the services of <tactus/device.h>")));
void rt_disable_irq(unsigned int irq)
	__attribute__((error("use the services of <tactus/device.h>")));
void rt_mask_and_ack_irq(unsigned int irq)
	__attribute__((error("use the services of <tactus/device.h>")));
void rt_ack_irq(unsigned int irq) __attribute__((error("use the services of <tactus/device.h>")));
void rt_unmask_irq(unsigned int irq)
	__attribute__((error("use the services of <tactus/device.h>")));

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
