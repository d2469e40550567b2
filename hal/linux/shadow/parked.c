/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A parked shadow: what it waits for, and what ends the wait. */
#define _GNU_SOURCE

#include "shadow/parked.h"

#include <sys/epoll.h>

#include "arch/context.h"
#include "arch/self.h"
#include "call.h"
#include "port.h"
#include "program.h"
#include "shadow/notify.h"
#include "shadow/record.h"
#include "shadow/wait.h"

/* Messages through the eventfd, which adds them up. */
#define MESSAGE_RUN 1ull
#define MESSAGE_END (1ull << 62)

#define LOOK_MS      10u
#define LOOKS_OF_ALL 8u /* a millisecond: some 8 us each */

#define EVENTS 8 /* taken by one call; others come with the next */

/* Two switches and a short Linux call take some 5 us; a wake-up of a sleeping CPU 5 to 30. */
#define SPIN_NS       10000u
#define SHORT_STAY_NS 50000u

uint64_t hal_shadow_mask(const struct hal_shadow *shadow)
{
	return shadow->mask;
}

/* How often a shadow that does not watch looks for signals. The looks of all shadows together take
 * only a share of the time. */
static unsigned poll_ms(void)
{
	const unsigned all = atomic_load_explicit(&linux_program.asleep, memory_order_relaxed);

	return all / LOOKS_OF_ALL > LOOK_MS ? all / LOOKS_OF_ALL : LOOK_MS;
}

static struct hal_context *take(struct hal_shadow *shadow)
{
	return atomic_exchange(&shadow->park.run, NULL);
}

/* A task that changes its mode often is here again within microseconds. If its shadow stays awake
 * for that time, the task is spared the wake-up. Only if the real-time CPU is another CPU, and the
 * last stay was short. */
static struct hal_context *spin(struct hal_shadow *shadow, uint64_t until_ns)
{
	if (!shadow->park.short_stay || !linux_program.other_cpus_differ)
		return NULL;
	do {
		if (atomic_load_explicit(&shadow->park.run, memory_order_relaxed))
			return take(shadow);
		hal_arch_relax();
	} while (hal_now_ns() < until_ns);
	return NULL;
}

/* Is this message the end, or did its context already come without it? Only the end comes as a
 * message alone, because its sender may not touch the record any more after it. */
static bool end_told(const struct hal_shadow *shadow)
{
	uint64_t messages;

	return call_read(shadow->wait.event_fd, &messages, sizeof(messages)) == sizeof(messages) &&
	       messages >= MESSAGE_END;
}

/* Does the program ignore the signal, or Linux by default? */
static bool is_ignored(int signal)
{
	static const uint64_t by_default =
		LINUX_BIT(SIGCHLD) | LINUX_BIT(SIGCONT) | LINUX_BIT(SIGURG) | LINUX_BIT(SIGWINCH);
	struct kernel_sigaction now;

	if (call_sigaction(signal, NULL, &now))
		return false;
	return now.handler == (void *)SIG_IGN ||
	       (now.handler == (void *)SIG_DFL && by_default & LINUX_BIT(signal));
}

/*
 * Linux discards ignored signals, but keeps them for a thread that blocks them, as this one does.
 * They would end the waits of a task whose child exits. True: no other signal is pending.
 */
static bool discard_ignored(const struct hal_shadow *shadow)
{
	uint64_t ignored = 0, pending = 0;

	(void)call_sigpending(&pending);
	pending &= shadow->wait.watched;
	for (int signal = 1; signal <= 64; signal++)
		if (pending & LINUX_BIT(signal) && is_ignored(signal))
			ignored |= LINUX_BIT(signal);
	while (ignored && call_sigtake(&ignored) > 0)
		;
	return !(pending & ~ignored);
}

/*
 * Sleep until there is a context to go on with; NULL: the shadow ends.
 *
 * Messages are edge-triggered, so that one Linux call takes them; a mode switch waits for it.
 * Signals are reported once in a stay: the task comes when it can.
 */
static struct hal_context *sleep_for_context(struct hal_shadow *shadow)
{
	for (;;) {
		struct hal_context *context = take(shadow); /* Dekker: with hal_shadow_run() */
		struct epoll_event events[EVENTS];
		bool message = false;
		bool told = false;
		bool is_watched;
		long count;

		if (context)
			return context;
		/* In a storm of signals this shadow is not one of those that each signal wakes. */
		is_watched = shadow_signals_watch(shadow, !atomic_load(&linux_program.is_storm));
		count = hal_arch_syscall(SYS_epoll_wait, shadow->wait.epoll_fd, (long)events,
					 EVENTS, is_watched ? -1 : (long)poll_ms(), 0, 0);
		for (long i = 0; i < count; i++)
			if (events[i].data.ptr == &shadow_message_key)
				message = true;
			else if (events[i].data.ptr == &shadow_signals_key)
				told = true;
			else
				shadow_notify_watched(shadow, events[i].data.ptr);
		/* A signal that comes meanwhile is seen when the shadow watches again. */
		if (told && discard_ignored(shadow)) {
			shadow_signals_watch_again(shadow);
			told = false;
		}
		if (!is_watched && !shadow->park.notified)
			told = !discard_ignored(shadow);
		shadow->park.notified |= told;
		if (message) {
			context = take(shadow);
			if (context || end_told(shadow))
				return context;
		}
		if (told)
			shadow_notify_signal(shadow);
	}
}

struct hal_context *shadow_parked(struct hal_shadow *shadow)
{
	uint64_t begin_ns = hal_now_ns();
	struct hal_context *context;

	if (shadow->park.notified && shadow->wait.watches)
		shadow_signals_watch_again(shadow);
	shadow->park.notified = false;
	context = spin(shadow, begin_ns + SPIN_NS);
	if (context)
		return context;
	atomic_store(&shadow->park.asleep, true);
	atomic_fetch_add_explicit(&linux_program.asleep, 1, memory_order_relaxed);
	context = sleep_for_context(shadow);
	atomic_fetch_sub_explicit(&linux_program.asleep, 1, memory_order_relaxed);
	/* At the end nothing is told, because the record may not be used any more. */
	if (context) {
		atomic_store_explicit(&shadow->park.asleep, false, memory_order_relaxed);
		shadow->park.short_stay = hal_now_ns() - begin_ns < SHORT_STAY_NS;
		if (shadow->park.notified)
			shadow_notify_handlers(shadow);
	}
	return context;
}

static void send_message(const struct hal_shadow *shadow, uint64_t message)
{
	call_write(shadow->wait.event_fd, &message, sizeof(message));
}

void shadow_notify_storm(struct hal_shadow *shadow)
{
	send_message(shadow, MESSAGE_RUN);
}

void hal_shadow_destroy(struct hal_shadow *shadow, const struct hal_context *context)
{
	shadow->attached.end = *context;
	atomic_store(&shadow->notify.ended, true); /* Dekker: with shadow_notify_signal() */
	send_message(shadow, MESSAGE_END);
}

void hal_shadow_run(struct hal_shadow *shadow, struct hal_context *context, unsigned priority)
{
	struct hal_self *self = hal_arch_self();

	atomic_store(&shadow->parked, false);
	hal_shadow_set_priority(shadow, priority);
	if (self && self->kind == HAL_SELF_CPU)
		linux_port_of((struct hal_cpu *)self)->linger = true;
	/* Dekker: with sleep_for_context(). */
	atomic_store(&shadow->park.run, context);
	if (atomic_load(&shadow->park.asleep))
		send_message(shadow, MESSAGE_RUN);
}
