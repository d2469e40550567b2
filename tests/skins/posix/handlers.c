/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Two handlers of one signal alternate while it is sent all the time: each is called as it was
 * installed, and the one with SA_SIGINFO gets the information of each signal. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdatomic.h>

#include "check.h"

#define SENT 20000

static atomic_int over;
static atomic_int handled, stale;

static void handle(int signal)
{
	(void)signal;
	atomic_fetch_add(&handled, 1);
}

static void handle_told(int signal, siginfo_t *info, void *context)
{
	static int last;

	(void)context;
	atomic_fetch_add(&handled, 1);
	if (info->si_signo != signal || info->si_code != SI_QUEUE ||
	    info->si_value.sival_int <= last)
		atomic_fetch_add(&stale, 1);
	last = info->si_value.sival_int;
}

static void *send(void *receiver)
{
	for (int i = 1; i <= SENT; i++) {
		while (pthread_sigqueue(*(pthread_t *)receiver, SIGRTMIN,
					(union sigval){.sival_int = i}))
			sched_yield();
		/* At another place each time. */
		for (const uint64_t until = now_ns(CLOCK_MONOTONIC) + 2000 + (uint64_t)i * 7 % 3000;
		     now_ns(CLOCK_MONOTONIC) < until;)
			;
	}
	atomic_store(&over, 1);
	return NULL;
}

int main(void)
{
	struct sigaction plain = {.sa_handler = handle};
	struct sigaction told = {.sa_sigaction = handle_told, .sa_flags = SA_SIGINFO}, now;
	int others = 0;
	pthread_t self = pthread_self(), sender;

	sigfillset(&plain.sa_mask);
	sigfillset(&told.sa_mask);
	sigaction(SIGRTMIN, &told, NULL);
	sender = other_thread(send, &self);
	while (!atomic_load(&over)) {
		sigaction(SIGRTMIN, &plain, &now);
		others += now.sa_sigaction != handle_told;
		sigaction(SIGRTMIN, &told, &now);
		others += now.sa_handler != handle;
	}
	joined(sender);
	SHOW(atomic_load(&handled));
	SHOW(atomic_load(&stale));
	SHOW(others);
	return 0;
}
