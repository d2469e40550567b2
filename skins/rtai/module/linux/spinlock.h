/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Spinning locks of Linux's kernel: as RTAI's, because all of a module runs beside real-time tasks.
 */
#ifndef TACTUS_RTAI_LINUX_SPINLOCK_H
#define TACTUS_RTAI_LINUX_SPINLOCK_H

#include <rtai.h>

#define spin_lock(lock)                     rt_spin_lock(lock)
#define spin_unlock(lock)                   rt_spin_unlock(lock)
#define spin_lock_irq(lock)                 rt_spin_lock_irq(lock)
#define spin_unlock_irq(lock)               rt_spin_unlock_irq(lock)
#define spin_lock_irqsave(lock, flags)      ((flags) = rt_spin_lock_irqsave(lock))
#define spin_unlock_irqrestore(lock, flags) rt_spin_unlock_irqrestore(flags, lock)

#endif
