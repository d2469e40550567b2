/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Our signal handlers, which run before the program's. */
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

/* mask: the signals that it blocks. */
void linux_handler_install(struct linux_handler *handler, uint64_t mask);
void linux_handler_restore(struct linux_handler *handler);
/* Has the program a handler, too? */
bool linux_handler_has_next(const struct linux_handler *handler);
/* Pass a signal on to the program's handler, or to Linux's default. */
void linux_handler_chain(struct linux_handler *handler, siginfo_t *info, void *ucontext);
/*
 * The same, but without a Linux call, for a thread that gets its Linux calls handed back. The
 * handler returns by the C library's way_back (NULL: by ours). It must set its own signal mask
 * (skins/posix/signal/dispatch.c).
 */
void linux_handler_pass(struct linux_handler *handler, void (*way_back)(void), siginfo_t *info,
			void *ucontext);

#endif
