/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * setuid() and its like make every thread of the program change, by a signal whose handler is the C
 * library's and makes a call. It is the signal of events, too; who sent it, its code tells. Who
 * gives up root so keeps the priorities that its threads have then (rights.c).
 * Source: setuid(2), nptl(7).
 */
#define _GNU_SOURCE
#include "setxid.h"

#include "arch/context.h"
#include "arch/self.h"
#include "call.h"
#include "follow.h"
#include "program.h"
#include "rights.h"
#include "secondary/priority.h"
#include "shadow/record.h"
#include "shadow/shadow.h"
#include "signals.h"
#include "thread.h"

/*
 * On a dispatcher it must find the dispatcher's own thread-local storage and the trap off; which is
 * off afterwards, too, on one that does not serve yet, or no more: it makes calls of its own.
 */
int thread_setxid(siginfo_t *info, void *ucontext, uint32_t was_stalled)
{
	struct hal_self *self = hal_arch_self();
	struct thread_port *port = thread_port_of((struct hal_cpu *)self);
	const uint64_t tls = hal_arch_tls();

	hal_arch_tls_set(port->tls);
	call_trap_off();
	thread_follow_keep(port);
	/* The C library's handler lets the caller go on, which may come before this look. */
	atomic_fetch_add(&linux_program.rights_change, 1);
	thread_signal_chain(LINUX_SIGNAL_SETXID, info, ucontext);
	linux_rights_look();
	atomic_fetch_sub(&linux_program.rights_change, 1);
	if (atomic_load(&port->traps))
		call_trap_on();
	hal_arch_tls_set(tls);
	return !was_stalled;
}

/*
 * Called by restorer.S on all other threads. An event is somebody's idea of a signal, or came too
 * late for a thread that is no dispatcher any more. A shadow may trap, and is not to end by this
 * call, for which another thread waits. Its record is asked only whether it is to trap afterwards:
 * while that is being changed, it does not say whether it does.
 */
int thread_event_elsewhere(int signal, siginfo_t *info, void *ucontext)
{
	struct hal_shadow *shadow;

	hal_arch_flags_clean();
	if (info->si_code != SI_TKILL)
		return 0;
	shadow = linux_shadow_self();
	if (shadow) {
		call_trap_off();
		shadow_priority_keep(shadow);
	}
	thread_signal_chain(signal, info, ucontext);
	if (shadow && atomic_load(&shadow->traps))
		call_trap_on();
	return 0;
}
