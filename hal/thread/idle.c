/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What a dispatcher does when no task can run: sleep in a futex wait on its own kick word, spin
 * until the deadline, or both. The time of spinning is counted.
 */
#include "arch/self.h"
#include "calibrate.h"
#include "call.h"
#include "follow.h"
#include "port.h"
#include "program.h"
#include "secondary/housekeeper.h"
#include "shot.h"
#include "spin.h"
#include "thread.h"

#define LINGER_NS 10000u
#define QUIET_NS  100000u /* longer than the housekeeper's round */

#define SHORT_NS 20000u /* less than a wake-up takes: it is not slept */

#define LEARN_PART    8u
#define LEARN_IN_TIME 96u

static bool kicked(const struct linux_port *common)
{
	const struct thread_port *port = (const struct thread_port *)common;

	return atomic_load_explicit(&port->doorbell->kick, memory_order_relaxed) ||
	       port->common.cpu->self.pending;
}

/* The wait ends at a kick, at a signal, or at the instant; the caller finds out which. */
static void sleep_until(struct thread_port *port, uint64_t instant_ns)
{
	struct timespec until = call_timespec(instant_ns);

	atomic_store(&port->doorbell->state, DOORBELL_SLEEPING); /* Dekker: with hal_kick() */
	if (!atomic_load(&port->doorbell->kick) && !port->common.cpu->self.pending)
		call_futex_wait_shared(&port->doorbell->kick, 0,
				       instant_ns > INT64_MAX ? NULL : &until);
}

static void spin_until(struct thread_port *port, uint64_t instant_ns)
{
	atomic_store(&port->doorbell->state, DOORBELL_POLLING);
	linux_spin_until(&port->common, instant_ns, kicked);
}

/*
 * A task that went to its shadow is often back within microseconds, and a Linux thread that got an
 * answer often makes its next call as soon. If the CPU stays awake for them, they are spared the
 * wake-up. Only if they have another CPU to run on.
 */
static void linger(struct thread_port *port, uint64_t target_ns)
{
	uint64_t until_ns = hal_now_ns() + LINGER_NS;

	port->common.linger = false;
	if (linux_program.idle == HAL_IDLE_HYBRID && linux_program.other_cpus_differ)
		spin_until(port, until_ns < target_ns ? until_ns : target_ns);
}

/*
 * The lead that was stored, or measured at the start, adapts to the machine: wake-ups take longer
 * when other programs come, or when a hypervisor has more to do. One late wake-up lengthens the
 * lead at once, by the same amount for a millisecond as for a microsecond. 96 wake-ups in time undo
 * what one late one has added. So some 96 of 97 are in time. With 24 in place of 96, while a
 * hypervisor made every tenth wake-up late, the lead was back too soon for the next late one.
 */
static void learn(struct thread_port *port, uint64_t late_ns)
{
	uint32_t lead_ns = port->common.gravity.idle_ns;

	if (lead_ns < THREAD_LEAD_LEAST_NS)
		lead_ns = THREAD_LEAD_LEAST_NS;
	if (late_ns > lead_ns)
		lead_ns += lead_ns / LEARN_PART;
	else
		lead_ns -= lead_ns / (LEARN_PART * LEARN_IN_TIME);
	port->common.gravity.idle_ns =
		lead_ns < THREAD_LEAD_MOST_NS ? lead_ns : THREAD_LEAD_MOST_NS;
}

/*
 * Of an interval between releases a part is slept, however long wake-ups take: RT throttling and
 * the fair server stop a dispatcher that only spins, for 50 ms in every second.
 */
static uint64_t at_most(uint64_t early_ns, uint64_t interval_ns)
{
	const uint64_t most_ns = interval_ns / 4 * 3;

	return interval_ns > SHORT_NS && early_ns > most_ns ? most_ns : early_ns;
}

static void sleep_or_go_on(struct thread_port *port, uint64_t target_ns, uint64_t early_ns)
{
	uint64_t now_ns = hal_now_ns();

	if (now_ns < target_ns)
		early_ns = at_most(early_ns, target_ns - now_ns);
	if (now_ns + early_ns >= target_ns)
		return;
	if (!linux_program.other_cpus_differ && now_ns + early_ns + QUIET_NS < target_ns)
		linux_housekeeper_invite(now_ns);
	/* After a signal that brings nothing the CPU sleeps on, and does not spin for the rest. */
	do {
		sleep_until(port, target_ns - early_ns);
		if (kicked(&port->common))
			return;
		now_ns = hal_now_ns();
	} while (now_ns + early_ns < target_ns);
	linux_woken(&port->common, now_ns + early_ns - target_ns);
	if (port->learns)
		learn(port, now_ns + early_ns - target_ns);
}

void hal_idle(struct hal_cpu *cpu, uint64_t deadline_ns, uint32_t lead_ns)
{
	struct thread_port *port = thread_port_of(cpu);
	uint64_t target_ns = deadline_ns;

	if (deadline_ns != HAL_NO_DEADLINE)
		target_ns = deadline_ns > lead_ns ? deadline_ns - lead_ns : 0;

	thread_follow_check(port);
	if (cpu->follows)
		thread_follow_idle(port, target_ns);
	if (!cpu->follows || linux_program.idle != HAL_IDLE_SPIN)
		thread_shot_predict(port, target_ns);
	if (port->common.linger)
		linger(port, target_ns);
	if (!kicked(&port->common) && linux_program.idle != HAL_IDLE_SPIN) {
		uint64_t early_ns =
			linux_program.idle == HAL_IDLE_HYBRID ? port->common.gravity.idle_ns : 0;

		if (target_ns == HAL_NO_DEADLINE)
			sleep_until(port, HAL_NO_DEADLINE);
		else
			sleep_or_go_on(port, target_ns, early_ns);
	}
	if (linux_program.idle == HAL_IDLE_SPIN ||
	    (linux_program.idle == HAL_IDLE_HYBRID && target_ns != HAL_NO_DEADLINE))
		spin_until(port, target_ns);

	/*
	 * Dekker: a kicker that still read SLEEPING or POLLING has set the word before this. The
	 * exchange acquires what the kicker published; the nucleus reads its inbox after the
	 * return. `pending` is cleared before the exchange: the signal of a kick that comes after
	 * the exchange sets it again, and that must stay, or the word would stay set with no event
	 * under way.
	 */
	atomic_store(&port->doorbell->state, DOORBELL_RUNNING);
	cpu->self.pending = 0;
	atomic_exchange(&port->doorbell->kick, DOORBELL_KICK_NONE);
	thread_bells_take(port);
	port->busy_since_ns = target_ns == HAL_NO_DEADLINE ? hal_now_ns() : target_ns;
	port->requested_ns = HAL_NO_DEADLINE;
}
