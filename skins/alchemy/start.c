/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Start of the nucleus by the first service that needs it, and who calls. A program that has
 * started it by itself is left as it is.
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

/* Libraries are initialised by the thread that will run main(), and a fork's child is its own. */
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
	return tact_task_self() || pthread_equal(pthread_self(), main_thread);
}

bool alchemy_is_main(void)
{
	return main_task && tact_task_self() == main_task;
}

/*
 * main() becomes the weakest task, as it is under Xenomai: a task that it starts or wakes has run
 * until it waits when the call returns, and it may own mutexes. It runs in Linux between calls.
 * Where it cannot be one (virtual time) it goes on as the plain thread that it is.
 */
static void adopt_main(void)
{
	struct tact_task_attr attr = {.name = "alchemy:main",
				      .priority = TACT_PRIO_MIN,
				      .sched = {.sched_class = TACT_SCHED_WEAK}};

	if (!tact_task_adopt(&attr, &main_task))
		(void)tact_task_relax();
}

/*
 * A signal to the program goes to a thread that does not block it. A program of this API waits for
 * it in main(), in pause() for instance, while tasks are as a rule quicker to take it: so they
 * begin with these blocked. What is sent to one thread, by faults for instance, is not among them.
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
	/* A task begins with the mask of its creator. */
	pthread_sigmask(SIG_BLOCK, &set, &before);
	error = tact_task_create(attr, task);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return error;
}

int alchemy_adopt(const struct tact_task_attr *attr, tact_task_t *task)
{
	bool was_main = alchemy_is_main();
	int error = was_main ? tact_task_let_go() : 0;

	if (error)
		return error;
	error = tact_task_adopt(attr, task);
	/* Of its stack. */
	if (error == -TACT_ENOSPC)
		error = -TACT_ENOMEM;
	if (was_main) {
		main_task = 0;
		if (error)
			adopt_main();
	}
	return error;
}

tact_sem_t alchemy_never(void)
{
	static _Atomic tact_sem_t never;
	tact_sem_t made = atomic_load(&never);
	tact_sem_t none = 0;

	if (made || tact_sem_create(NULL, 0, 1, TACT_FIFO, &made))
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

	/* By Linux, before there is a task that would have to go there for it. */
	print_pool_start();
	error = tact_start(&config, reason);

	if (reason[0] && (error || !skin_options.quiet))
		fprintf(stderr, "%s: %s\n", program_invocation_short_name, reason);
	if (!error && pthread_equal(pthread_self(), main_thread))
		adopt_main();
	/* What the services document for a context that they cannot work in. */
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
