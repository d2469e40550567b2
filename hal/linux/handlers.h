/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Signal handlers of ours, before the program's. */
#ifndef LINUX_HANDLERS_H
#define LINUX_HANDLERS_H

#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "call.h"

struct linux_handler {
	int signal;
	void *handler;
	unsigned long flags;
	void (*way_back)(void);
	struct kernel_sigaction former; /* what the program does with it */
	_Atomic bool stands;
};

/* mask: what it blocks. */
void linux_handler_install(struct linux_handler *handler, uint64_t mask);
void linux_handler_restore(struct linux_handler *handler);
/* Has the program a handler, too? */
bool linux_handler_has_next(const struct linux_handler *handler);
/* Hand a signal on to it, or to Linux's default. */
void linux_handler_chain(struct linux_handler *handler, siginfo_t *info, void *ucontext);
/*
 * The same without a call of Linux's, which the thread has asked to be handed back: the handler
 * returns by the C library's way_back (NULL: by ours), and has the mask that it is to have only if
 * it sees to that itself (skins/posix/signal/dispatch.c).
 */
void linux_handler_pass(struct linux_handler *handler, void (*way_back)(void), siginfo_t *info,
			void *ucontext);

#endif
