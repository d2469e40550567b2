/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The helper of a dispatcher: a thread beside it, one priority above. It sleeps until the armed
 * instant and then sends the event signal. A futex wait with an absolute timeout is a
 * clock_nanosleep that an earlier shot can break off; its timer expires in hard interrupt context
 * for real-time threads on PREEMPT_RT too.
 */
#define _GNU_SOURCE

#include <errno.h>
#include <pthread.h>

#include "arch/self.h"
#include "call.h"
#include "cpu.h"
#include "follow.h"
#include "options.h"
#include "program.h"
#include "sanitized.h"
#include "shot.h"
#include "thread.h"
#include "tls.h"

/*
 * helper_until_ns says until when the helper sleeps, HAL_NO_DEADLINE that it may miss an arming and
 * must be woken. Arming writes armed_ns and reads helper_until_ns, the helper writes that and reads
 * armed_ns: Dekker's pattern again, sequentially consistent. A later shot, or none, needs no
 * wake-up: the helper then finds at the old instant that it is not the armed one.
 */
static void send_shot(struct thread_port *port)
{
	if (atomic_load(&port->follows))
		thread_follow_raise(port);
	thread_signal_send(port);
}

static void pass_kick(struct thread_port *port)
{
	uint32_t asked = BELL_KICK_ASKED;

	if (!atomic_compare_exchange_strong(&port->bell->kick, &asked, BELL_KICK_PASSED))
		return;
	thread_follow_raise(port);
	/*
	 * Raising sleeps where the dispatcher lowers itself at that moment, and it may see the word
	 * meanwhile and be back in its idle spin, which raised would starve everybody else: so it
	 * looks once more, and lowers itself.
	 */
	atomic_store(&port->bell->kick, BELL_KICK_PASSED);
	thread_kick_pass(port);
}

/* Where priorities follow only while others share the CPU, the timer has the shots at other times.
 */
static bool is_in_use(const struct thread_port *port)
{
	return thread_program.shot == LINUX_SHOT_HELPER || atomic_load(&port->follows);
}

static void *helper(void *argument)
{
	struct thread_port *port = argument;

	if (linux_program.fifo && linux_is_sanitized())
		call_scheduler(0, linux_program.priority + 1);
	while (!atomic_load_explicit(&port->helper_stop, memory_order_acquire)) {
		struct timespec until;
		uint64_t instant_ns;
		uint32_t word;
		long result;

		atomic_store(&port->helper_until_ns, HAL_NO_DEADLINE);
		word = atomic_load(&port->helper_word);
		/* Whoever called it for a kick found the CPU following; it may do so no more. */
		if (linux_program.may_follow)
			pass_kick(port);
		instant_ns =
			is_in_use(port) ? atomic_load(&port->common.armed_ns) : HAL_NO_DEADLINE;
		if (instant_ns == HAL_NO_DEADLINE) {
			call_futex_wait(&port->helper_word, word, NULL);
			continue;
		}
		atomic_store(&port->helper_until_ns, instant_ns);
		until = call_timespec(instant_ns);
		result = call_futex_wait(&port->helper_word, word, &until);
		/* Taken back by compare: the dispatcher may have armed another one meanwhile. */
		if (result == -ETIMEDOUT &&
		    atomic_compare_exchange_strong(&port->common.armed_ns, &instant_ns,
						   HAL_NO_DEADLINE))
			send_shot(port);
	}
	linux_ends();
	return NULL;
}

/*
 * Context: the dispatcher, before it serves; the helper inherits its CPU. And its GS base, with
 * which it would take setuid()'s signal for the dispatcher's: so that is away meanwhile. To block
 * the signal would not do: who waits for the C library's lock of threads, which setuid() has while
 * it waits for all of them, has to answer it.
 */
int thread_helper_open(struct thread_port *port)
{
	pthread_attr_t attributes;
	uint64_t all = ~LINUX_BIT(LINUX_SIGNAL_SETXID), former;
	int error;

	atomic_store(&port->helper_until_ns, HAL_NO_DEADLINE);
	atomic_store(&port->helper_stop, false);
	pthread_attr_init(&attributes);
	linux_set_stack(&attributes, 65536);
	call_sigmask(SIG_SETMASK, &all, &former);
	hal_arch_self_set(NULL);
	error = pthread_create(&port->helper, &attributes, helper, port);
	hal_arch_self_set(&port->common.cpu->self);
	call_sigmask(SIG_SETMASK, &former, NULL);
	pthread_attr_destroy(&attributes);
	if (error)
		return -error;
	port->helper_runs = true;
	if (linux_program.fifo && !linux_is_sanitized()) {
		struct sched_param parameter = {.sched_priority = (int)linux_program.priority + 1};

		pthread_setschedparam(port->helper, SCHED_FIFO, &parameter);
	}
	pthread_setname_np(port->helper, "tactus-shot");
	return 0;
}

void thread_helper_close(struct thread_port *port)
{
	if (!port->helper_runs)
		return;
	atomic_store_explicit(&port->helper_stop, true, memory_order_release);
	atomic_fetch_add(&port->helper_word, 1);
	call_futex_wake(&port->helper_word, 1);
	pthread_join(port->helper, NULL);
	port->helper_runs = false;
}
