/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Signal handlers of ours, before the program's. */
#ifndef THREAD_HANDLERS_H
#define THREAD_HANDLERS_H

#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "call.h"
#include "thread.h"

struct thread_handler {
	int signal;
	void *handler;
	unsigned long flags;
	void (*way_back)(void);
	struct kernel_sigaction former; /* what the program does with it */
	_Atomic bool stands;
};

/* mask: what it blocks. */
void thread_handler_install(struct thread_handler *handler, uint64_t mask);
void thread_handler_restore(struct thread_handler *handler);
/* Has the program a handler, too? */
bool thread_handler_has_next(const struct thread_handler *handler);
/* Hand a signal on to it, or to Linux's default. */
void thread_handler_chain(struct thread_handler *handler, siginfo_t *info, void *ucontext);
/*
 * The same without a call of Linux's, which the thread has asked to be handed back: the handler
 * returns by the C library's way_back (NULL: by ours), and has the mask that it is to have only if
 * it sees to that itself (skins/posix/dispatch.c).
 */
void thread_handler_pass(struct thread_handler *handler, void (*way_back)(void), siginfo_t *info,
			 void *ucontext);

/* The back end's own, of faults or of calls that Linux refuses, which the program may have
 * handlers for, too; NULL for any other. */
struct thread_handler *thread_handler_of(int signal);

#endif
