/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Functions of the program that return early: see call_point.h. */
#include "runtime/call_point.h"

void runtime_call_at(struct runtime_call_point *point, void (*body)(void *arg), void *arg)
{
	if (!__builtin_setjmp(point->place))
		body(arg);
	/* So that the call above is no jump, which would give up the frame that belongs to the
	 * point (clang does that, as with any call at the end of a function). */
	__asm__ volatile("" ::: "memory");
}

void runtime_return_to(struct runtime_call_point *point)
{
	__builtin_longjmp(point->place, 1);
}
