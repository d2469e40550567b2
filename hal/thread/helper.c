/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The helper of a dispatcher: a thread on the same CPU, one priority above. It sleeps until the
 * armed instant, and then sends the event signal. A futex wait with an absolute timeout acts as a
 * clock_nanosleep that an earlier shot can interrupt. Its timer expires in hard interrupt context
 * for real-time threads, also on PREEMPT_RT.
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
 * helper_until_ns says until when the helper sleeps. HAL_NO_DEADLINE: it may miss an arming and
 * must be woken. Arming writes armed_ns and reads helper_until_ns; the helper writes
 * helper_until_ns and reads armed_ns. This is Dekker's pattern again, sequentially consistent. A
 * later shot, or none, needs no wake-up: at the old instant the helper finds that this is not the
 * armed one.
 */
static void send_shot(struct thread_port *port)
{
	if (atomic_load(&port->follows))
		thread_follow_raise(port);
	thread_signal_send(port);
}

static void pass_kick(struct thread_port *port)
{
	uint32_t asked = DOORBELL_KICK_ASKED;

	if (!atomic_compare_exchange_strong(&port->doorbell->kick, &asked, DOORBELL_KICK_PASSED))
		return;
	thread_follow_raise(port);
	/*
	 * thread_follow_raise() sleeps if the dispatcher is just lowering itself. Meanwhile the
	 * dispatcher may see the word and return to its idle spin, in which it would starve all
	 * other threads once it is raised. So the word is set again: the dispatcher looks once
	 * more, and lowers itself.
	 */
	atomic_store(&port->doorbell->kick, DOORBELL_KICK_PASSED);
	thread_kick_pass(port);
}

/* If priorities follow only while others share the CPU, the timer delivers the shots at other
 * times. */
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
		/* A kicker that called the helper found the CPU following. It may not follow any
		 * more. */
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
		/* Reset by a compare: the dispatcher may have armed another shot meanwhile. */
		if (result == -ETIMEDOUT &&
		    atomic_compare_exchange_strong(&port->common.armed_ns, &instant_ns,
						   HAL_NO_DEADLINE))
			send_shot(port);
	}
	linux_ends();
	return NULL;
}

/*
 * Context: the dispatcher, before it serves. The helper inherits its CPU. It would also inherit its
 * GS base, and take setuid()'s signal for the dispatcher's. So the base is cleared meanwhile. To
 * block the signal would not do: setuid() holds the C library's lock of threads while it waits for
 * all threads, and a thread that waits for this lock must answer the signal.
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
