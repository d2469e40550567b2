/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The three names of a function f. __real_f() is the function of the C library; __cobalt_f() is the
 * real-time function; __wrap_f() is the function that a program calls as f() if it is linked with
 * the skin's options. In a program that is not linked with them (--skin=cobalt, or alchemy alone),
 * f() is the function of the C library.
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

/* Declare all three names of a function that a header has declared. */
#define COBALT_SAME(f) extern __typeof__(f) __cobalt_##f, __real_##f, __wrap_##f

#endif
