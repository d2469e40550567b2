/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * setuid() and similar calls make every thread of the program change its user, by a signal whose
 * handler is the C library's and makes a system call. Events use the same signal; si_code tells the
 * sender. A program that gives up root in this way keeps the priorities that its threads have then
 * (rights.c). Source: setuid(2), nptl(7).
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
 * On a dispatcher the handler must find the dispatcher's own thread-local storage, and the trap
 * off. The trap stays off afterwards on a dispatcher that does not serve yet, or no longer, because
 * such a dispatcher makes calls of its own.
 */
int thread_setxid(siginfo_t *info, void *ucontext, uint32_t was_stalled)
{
	struct hal_self *self = hal_arch_self();
	struct thread_port *port = thread_port_of((struct hal_cpu *)self);
	const uint64_t tls = hal_arch_tls();

	hal_arch_tls_set(port->tls);
	call_trap_off();
	thread_follow_keep(port);
	/* The C library's handler releases the caller of setuid(), which may ask for the rights
	 * before they are read here. */
	atomic_fetch_add(&linux_program.rights_change, 1);
	thread_signal_chain(LINUX_SIGNAL_SETXID, info, ucontext);
	linux_rights_update();
	atomic_fetch_sub(&linux_program.rights_change, 1);
	if (atomic_load(&port->traps))
		call_trap_on();
	hal_arch_tls_set(tls);
	return !was_stalled;
}

/*
 * Called by restorer.S on all other threads. An event here was sent by some other program, or came
 * too late for a thread that is no dispatcher any more. A shadow may trap, and must not end by this
 * call, for which another thread waits. Its record is read only to learn whether it must trap
 * afterwards: while the trap is being switched, the record does not say whether the shadow traps.
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
	if (shadow && atomic_load(&shadow->trap.traps))
		call_trap_on();
	return 0;
}
