/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The three names of a function f: __real_f() is the C library's, __cobalt_f() the real-time one,
 * and
 * __wrap_f() what a call of f() in a program becomes that was linked with the skin's options. Where
 * a program is not (--skin=cobalt, or alchemy alone) f() itself is the C library's.
 */
#ifndef COBALT_WRAPPERS_H
#define COBALT_WRAPPERS_H

#define __WRAP(call) __wrap_##call
#ifdef __COBALT_WRAP__
#define __STD(call) __real_##call
#else
#define __STD(call) call
#endif
#define __COBALT(call) __cobalt_##call
#define __RT(call)     __COBALT(call)

#define COBALT_DECL(T, FN, I)          \
	__typeof__(T) __cobalt_##FN I; \
	__typeof__(T) __real_##FN I;   \
	__typeof__(T) __wrap_##FN I

/* All three, for a function that a header has declared. */
#define COBALT_SAME(f) extern __typeof__(f) __cobalt_##f, __real_##f, __wrap_##f

#endif
