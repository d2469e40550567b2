/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Attributes and hints for the compiler, under the names that programs of Xenomai use.
 *
 * Source: Xenomai 3, <boilerplate/compiler.h>.
 */
#ifndef BOILERPLATE_COMPILER_H
#define BOILERPLATE_COMPILER_H

#include <stddef.h>

#ifndef container_of
#define container_of(ptr, type, member) \
	((type *)(void *)((char *)(1 ? (ptr) : &((type *)0)->member) - offsetof(type, member)))
#endif

#ifndef __stringify
#define __stringify_1(...) #__VA_ARGS__
#define __stringify(...)   __stringify_1(__VA_ARGS__)
#endif

#ifndef likely
#define likely(x)   __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)
#endif

#ifndef __noreturn
#define __noreturn __attribute__((__noreturn__))
#endif
#ifndef __must_check
#define __must_check __attribute__((__warn_unused_result__))
#endif
#ifndef __weak
#define __weak __attribute__((__weak__))
#endif
#ifndef __maybe_unused
#define __maybe_unused __attribute__((__unused__))
#endif
#ifndef __aligned
#define __aligned(bytes) __attribute__((__aligned__(bytes)))
#endif
#ifndef __deprecated
#define __deprecated __attribute__((__deprecated__))
#endif
#ifndef __packed
#define __packed __attribute__((__packed__))
#endif
#ifndef __alloc_size
#define __alloc_size(args) __attribute__((__alloc_size__(args)))
#endif

/* Round up to the next multiple of a power of two. */
#define __align_to(size, to) (((size) + (to)-1) & ~((to)-1))

#endif
