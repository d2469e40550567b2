/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The first service that needs the nucleus starts it; and the kinds of callers. If the program has
 * started the nucleus itself, nothing is changed.
 */
#define _GNU_SOURCE /* program_invocation_short_name */
#include "alchemy_internal.h"
#include "remote.h"
#include "skin_options.h"
#include "print_pool.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_t main_thread;
static tact_task_t main_task; /* 0: a plain thread */
static pthread_mutex_t starting = PTHREAD_MUTEX_INITIALIZER;

/* Libraries are initialised by the thread that will run main(). In a fork's child, main() is the
 * thread that forked. */
static void remember_main(void)
{
	main_thread = pthread_self();
}

__attribute__((constructor)) static void load(void)
{
	remember_main();
	(void)pthread_atfork(NULL, NULL, remember_main);
}

bool alchemy_in_handler(void)
{
	return tact_mode() == TACT_MODE_HANDLER || alchemy_is_alarm_server(tact_task_self());
}

bool alchemy_may_wait(void)
{
	if (alchemy_in_handler())
		return false;
	return tact_task_self().id || pthread_equal(pthread_self(), main_thread);
}

bool alchemy_is_main(void)
{
	return main_task.id && tact_task_self().id == main_task.id;
}

/*
 * main() becomes the weakest task, as it is under Xenomai: when a call of main() that starts or
 * wakes a task returns, the task has run until it waits; and main() may own mutexes. Between calls,
 * main() runs in Linux. If main() cannot be a task (in virtual time), it remains a plain thread.
 */
static void attach_main(void)
{
	static const struct tact_sched_param weak = {.sched_class = TACT_SCHED_WEAK};
	struct tact_task_attr attr = {
		.name = "alchemy:main", .priority = TACT_PRIO_MIN, .sched = &weak};

	if (!tact_task_attach(&attr, &main_task))
		(void)tact_task_relax();
}

/*
 * Linux delivers a signal to the program to a thread that does not block it. Programs of this API
 * wait for signals in main(), in pause() for instance, while a task would usually get the signal
 * first. So tasks start with these signals blocked. Signals that are sent to one thread, by a fault
 * for instance, are not among them.
 */
int alchemy_task_make(const struct tact_task_attr *attr, tact_task_t *task)
{
	static const int for_main[] = {SIGHUP,  SIGINT,    SIGQUIT, SIGUSR1, SIGUSR2,
				       SIGALRM, SIGTERM,   SIGCHLD, SIGTSTP, SIGCONT,
				       SIGURG,  SIGVTALRM, SIGPROF, SIGIO,   SIGWINCH};
	sigset_t set;
	sigset_t before;
	int error;

	sigemptyset(&set);
	for (unsigned int i = 0; i < sizeof(for_main) / sizeof(for_main[0]); i++)
		sigaddset(&set, for_main[i]);
	/* A task inherits the mask of its creator. */
	pthread_sigmask(SIG_BLOCK, &set, &before);
	error = tact_task_create(attr, task);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return error;
}

int alchemy_attach(const struct tact_task_attr *attr, tact_task_t *task)
{
	bool was_main = alchemy_is_main();
	int error = was_main ? tact_task_detach() : 0;

	if (error)
		return error;
	error = tact_task_attach(attr, task);
	/* No memory for the stack. */
	if (error == -TACT_ENOSPC)
		error = -TACT_ENOMEM;
	if (was_main) {
		main_task.id = 0;
		if (error)
			attach_main();
	}
	return error;
}

tact_sem_t alchemy_never(void)
{
	static _Atomic tact_sem_t never;
	tact_sem_t made = atomic_load(&never);
	tact_sem_t none = {0};

	if (made.id || tact_sem_create(NULL, 0, 1, TACT_FIFO, &made))
		return made;
	if (atomic_compare_exchange_strong(&never, &none, made))
		return made;
	(void)tact_sem_delete(made);
	return none;
}

const char skin_version[] = "Alchemy skin of Tactus " ALCHEMY_VERSION;

void skin_options_taken(void)
{
	if (skin_options.tick_ns)
		atomic_store_explicit(&alchemy_tick, skin_options.tick_ns, memory_order_relaxed);
}

const char *alchemy_session_label(void)
{
	const char *label = skin_options.session ? skin_options.session : getenv("TACTUS_SESSION");

	return label && *label ? label : NULL;
}

static int start(void)
{
	struct tact_config config = {
		.name = program_invocation_short_name,
		.cpus = skin_options.cpus,
		.linux_cpu = skin_options.cpus ? skin_options.cpu : NULL,
		.pool_bytes = skin_options.pool_bytes,
		.share = 1,
	};
	char reason[TACT_REASON_BYTES];
	int error;

	/* This makes Linux calls, so it is done before there is a task that would have to leave
	 * primary mode for them. */
	print_pool_start();
	error = tact_start(&config, reason);

	if (reason[0] && (error || !skin_options.quiet))
		fprintf(stderr, "%s: %s\n", program_invocation_short_name, reason);
	if (!error && pthread_equal(pthread_self(), main_thread))
		attach_main();
	/* -EPERM is documented for a context in which a service cannot work. */
	return error == -TACT_ENOMEM ? -ENOMEM : error ? -EPERM : 0;
}

int alchemy_begin(void)
{
	int error = 0;

	if (alchemy_in_handler())
		return -EPERM;
	if (tact_cpus())
		return 0;
	pthread_mutex_lock(&starting);
	if (!tact_cpus())
		error = start();
	pthread_mutex_unlock(&starting);
	return error;
}
