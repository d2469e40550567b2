/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Kicks. None is lost, whatever the target does at that moment; see hal_kick() for why. */

#include "cpu.h"

#include <errno.h>

#include "arch/context.h"
#include "arch/self.h"
#include "back_end.h"
#include "call.h"
#include "program.h"
#include "shot.h"
#include "thread.h"

/*
 * A queued signal is refused at the user's limit (RLIMIT_SIGPENDING). A timer's signal has its
 * place reserved: let one expire at once then.
 */
void thread_signal_send(struct thread_port *port)
{
	static const siginfo_t event = {.si_signo = THREAD_SIGNAL_EVENT, .si_code = SI_QUEUE};

	if (hal_arch_syscall(SYS_rt_tgsigqueueinfo, linux_program.pid, port->common.tid,
			     THREAD_SIGNAL_EVENT, (long)&event, 0, 0) == -EAGAIN)
		thread_posix_kick(port);
}

/*
 * The kick word and the state form Dekker's pattern, all sequentially consistent: the kicker writes
 * the word and reads the state, the dispatcher writes the state and reads the word (idle.c). So at
 * least one sees the other:
 *  - the kicker reads RUNNING: it signals. The handler delivers, or logs the event when stalled; in
 *    a futex wait that has just begun the signal ends the wait.
 *  - it reads SLEEPING: it wakes the futex, which is the kick word: a wait that has not begun finds
 *    the word changed.
 *  - it reads POLLING: the dispatcher reads the word again after it has left that state.
 * A word that is set already was seen by nobody yet: that kick serves for this one too, if it is a
 * CPU's. Others may have been held up before they passed it: preempted, perhaps for long, or
 * interrupted by the signal's handler that kicks now.
 */
void thread_kick_pass(struct thread_port *port)
{
	switch (atomic_load(&port->bell->state)) {
	case BELL_RUNNING:
		thread_signal_send(port);
		break;
	case BELL_SLEEPING:
		call_futex_wake_shared(&port->bell->kick, 1);
		break;
	case BELL_POLLING:
		break;
	}
}

static void kick_as(struct thread_port *port, enum bell_kick how)
{
	if (atomic_exchange(&port->bell->kick, how) != BELL_KICK_SENT)
		thread_kick_pass(port);
}

/*
 * Where priorities follow, CPUs are preempted, too: the helper passes it, and each kicker calls it.
 * It looks once more after it has set the word: a CPU that has come to follow meanwhile may be low,
 * and one that did not see the word when it lowered itself is seen to follow here.
 */
void hal_kick(struct hal_cpu *cpu)
{
	struct thread_port *port = thread_port_of(cpu);
	const bool follows = atomic_load(&port->follows);

	if (!follows)
		kick_as(port, hal_stalled() ? BELL_KICK_SENT : BELL_KICK_ASKED);
	if (follows || __builtin_expect(atomic_load(&port->follows), 0)) {
		atomic_store(&port->bell->kick, BELL_KICK_ASKED);
		/* Asleep it has its full priority, and keeps that if it sees the word. */
		if (atomic_load(&port->bell->state) == BELL_SLEEPING)
			call_futex_wake_shared(&port->bell->kick, 1);
		else
			thread_helper_call(port);
	}
}

/* A dispatcher makes its calls itself. */
void backend_calls_await(void)
{
}

void hal_relax_processor(void)
{
	hal_arch_relax();
}
