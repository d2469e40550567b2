/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The types of Linux's kernel, and what its headers share: no header of the C library is behind
 * them, because modules use the names of its functions. */
#ifndef TACTUS_RTAI_LINUX_TYPES_H
#define TACTUS_RTAI_LINUX_TYPES_H

#ifndef __KERNEL__
#include_next <linux/types.h>
#else
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <linux/errno.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef unsigned long long u64;
typedef int8_t s8;
typedef int16_t s16;
typedef int32_t s32;
typedef long long s64;
typedef uint8_t __u8;
typedef uint16_t __u16;
typedef uint32_t __u32;
typedef unsigned long long __u64;
typedef int8_t __s8;
typedef int16_t __s16;
typedef int32_t __s32;
typedef long long __s64;
typedef unsigned char u_char;
typedef unsigned short u_short;
typedef unsigned int u_int;
typedef unsigned long u_long;
typedef unsigned int uint;
typedef unsigned long ulong;
typedef uint8_t u_int8_t;
typedef uint16_t u_int16_t;
typedef uint32_t u_int32_t;
typedef long ssize_t;
typedef int pid_t;
typedef unsigned int uid_t;
typedef unsigned int gid_t;
typedef long off_t;
typedef long loff_t;
typedef unsigned int mode_t;
typedef unsigned int gfp_t;
typedef unsigned long dma_addr_t;

typedef struct {
	_Atomic int taken; /* as rt_spin_lock() has it */
} spinlock_t;

#define DEFINE_SPINLOCK(name) spinlock_t name = {0}
#define SPIN_LOCK_UNLOCKED    ((spinlock_t){0})
#define spin_lock_init(lock)  ((lock)->taken = 0)

#define __user
#define __iomem
#define __force
#define __must_check              __attribute__((warn_unused_result))

/* What a module cannot have here: its compiler says what to use instead. */
#define TACTUS_RTAI_REFUSED(text) __attribute__((error(text)))
#endif

#endif
