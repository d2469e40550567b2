/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Functions of the program that return early: ret_int(), as_return() and ext_tsk() end the handler,
 * the ASR or the task in which they are called. The skin calls such a function at a call point, and
 * the service returns to this point.
 *
 * The points are those of the compiler (__builtin_setjmp()), because those of the C library need
 * thread-local storage, which a handler does not have. Context of both calls: any.
 */
#ifndef RUNTIME_CALL_POINT_H
#define RUNTIME_CALL_POINT_H

struct runtime_call_point {
	void *place[5]; /* as the compiler wants it */
};

/* Call body(arg). Returns when it has returned, or when it has called runtime_return_to() with this
 * point. point: not used by another call meanwhile. */
void runtime_call_at(struct runtime_call_point *point, void (*body)(void *arg), void *arg);

/* Leave everything that runtime_call_at() has called, on whose stack this is. */
__attribute__((noreturn)) void runtime_return_to(struct runtime_call_point *point);

#endif
