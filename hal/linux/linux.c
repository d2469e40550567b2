/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Plain Linux threads that wait, for the nucleus or for time. */
#define _GNU_SOURCE

#include <errno.h>
#include <limits.h>

#include "arch/context.h"
#include "arch/self.h"
#include "call.h"
#include "port.h"
#include "program.h"

enum word {
	WORD_CLEAR, /* as its owner made it */
	WORD_SET,
	WORD_SLEEPER, /* its waiter sleeps, and must be woken */
};

/* About the cost of sleeping and being woken. If the answer takes longer, sleeping is worth its
 * cost. */
#define SPIN_NS 20000u

/*
 * An idle real-time CPU answers sooner than Linux could put the caller to sleep and wake it. No
 * spinning on the CPU of a real-time CPU: there the caller would keep it from answering, or the
 * answer has come before the caller runs again.
 */
static void spin(struct hal_word *word)
{
	uint64_t until_ns;
	int here = linux_program.other_cpus_differ ? sched_getcpu() : -1;

	if (here < 0 || here >= CPU_SETSIZE || !CPU_ISSET(here, &linux_program.other_cpus))
		return;
	until_ns = hal_now_ns() + SPIN_NS;
	while (!atomic_load_explicit(&word->value, memory_order_relaxed) && hal_now_ns() < until_ns)
		hal_arch_relax();
}

void hal_linux_wait(struct hal_word *word)
{
	uint32_t value = WORD_CLEAR;

	spin(word);
	/* A thread that sets the word after this sees the sleeper. */
	if (atomic_compare_exchange_strong_explicit(&word->value, &value, WORD_SLEEPER,
						    memory_order_acquire, memory_order_acquire))
		value = WORD_SLEEPER;
	while (value != WORD_SET) {
		call_futex_wait(&word->value, WORD_SLEEPER, NULL);
		value = atomic_load_explicit(&word->value, memory_order_acquire);
	}
}

/*
 * After the exchange the waiter may have seen the word, returned, and reused its memory. The
 * wake-up takes only the address, by which the kernel looks up a private futex without reading it.
 * If the address belongs to another futex by then, the waiters of that one see a spurious wake-up,
 * which every waiter must expect.
 */
void hal_linux_wake(struct hal_word *word)
{
	_Atomic uint32_t *address = &word->value;
	struct hal_self *self = hal_arch_self();

	if (atomic_exchange_explicit(address, WORD_SET, memory_order_release) == WORD_SLEEPER)
		call_futex_wake(address, INT_MAX);
	/* A thread that asked once often asks again at once. */
	if (self && self->kind == HAL_SELF_CPU)
		linux_port_of((struct hal_cpu *)self)->linger = true;
}

void hal_linux_wake_shared(_Atomic uint32_t *word)
{
	call_futex_wake_shared(word, INT_MAX);
}

/* A fork's child has the program's memory and none of its real-time CPUs. */
bool hal_linux_caller_ok(void)
{
	return !atomic_load_explicit(&linux_program.forked, memory_order_relaxed);
}

void hal_linux_pause(uint64_t duration_ns)
{
	struct timespec until = call_timespec(hal_now_ns() + duration_ns);

	/* A handler that runs meanwhile does not shorten the pause. */
	while (hal_arch_syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, TIMER_ABSTIME, (long)&until,
				0, 0, 0) == -EINTR)
		;
}
