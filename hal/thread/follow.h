/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The dispatcher's Linux priority follows that of the running task, if linux_program.may_follow. */
#ifndef THREAD_FOLLOW_H
#define THREAD_FOLLOW_H

#include "thread.h"

/* On the dispatcher: adopt thread_program.follows. Context: stalled. */
void thread_follow_change(struct thread_port *port);
static inline void thread_follow_check(struct thread_port *port)
{
	if (__builtin_expect(
		    atomic_load_explicit(&port->follows, memory_order_relaxed) !=
			    atomic_load_explicit(&thread_program.follows, memory_order_relaxed),
		    0))
		thread_follow_change(port);
}
void thread_follow_idle(struct thread_port *port, uint64_t target_ns);
void thread_follow_raise(struct thread_port *port);
void thread_follow_keep(struct thread_port *port);

#endif
