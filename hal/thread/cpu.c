/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Kicks. No kick is lost, whatever its target does at that moment; thread_kick_pass() explains
 * why. */

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
 * At the user's limit (RLIMIT_SIGPENDING) Linux refuses to queue a signal. The place of a timer's
 * signal is reserved, so a timer then expires at once.
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
 *  - The kicker reads RUNNING: it signals. The handler delivers the event, or logs it if the CPU is
 *    stalled. A futex wait that has just begun ends by the signal.
 *  - The kicker reads SLEEPING: it wakes the futex, which is the kick word. A wait that has not
 *    begun finds the word changed.
 *  - The kicker reads POLLING: the dispatcher reads the word again after it has left that state.
 * If the word was set already, the dispatcher has not seen it yet. If a CPU set it, that kick
 * serves for this one, too. Another kicker may have been delayed before it passed its kick on:
 * preempted, perhaps for long, or interrupted by the signal handler that kicks now.
 */
void thread_kick_pass(struct thread_port *port)
{
	switch (atomic_load(&port->doorbell->state)) {
	case DOORBELL_RUNNING:
		thread_signal_send(port);
		break;
	case DOORBELL_SLEEPING:
		call_futex_wake_shared(&port->doorbell->kick, 1);
		break;
	case DOORBELL_POLLING:
		break;
	}
}

static void kick_as(struct thread_port *port, enum doorbell_kick how)
{
	if (atomic_exchange(&port->doorbell->kick, how) != DOORBELL_KICK_SENT)
		thread_kick_pass(port);
}

/*
 * If priorities follow, CPUs can be preempted, too. So the helper passes the kick, and each kicker
 * calls the helper. The kicker reads `follows` once more after it has set the word: a CPU that has
 * begun to follow meanwhile may be low. If such a CPU did not see the word when it lowered itself,
 * the kicker sees here that it follows.
 */
void hal_kick(struct hal_cpu *cpu)
{
	struct thread_port *port = thread_port_of(cpu);
	const bool follows = atomic_load(&port->follows);

	if (!follows)
		kick_as(port, hal_stalled() ? DOORBELL_KICK_SENT : DOORBELL_KICK_ASKED);
	if (follows || __builtin_expect(atomic_load(&port->follows), 0)) {
		atomic_store(&port->doorbell->kick, DOORBELL_KICK_ASKED);
		/* A sleeping dispatcher has its full priority, and keeps it if it sees the word. */
		if (atomic_load(&port->doorbell->state) == DOORBELL_SLEEPING)
			call_futex_wake_shared(&port->doorbell->kick, 1);
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
