/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tasks that compute without a pause on the only CPU of their program. Signals still interrupt
 * them, and they are cancelled as soon as the thread that does it has had a turn. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdatomic.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

#define MS 1000u

static _Atomic int computes;
static volatile sig_atomic_t told;

static void note(int signal)
{
	told = signal;
}

static void install(int signal)
{
	const struct sigaction action = {.sa_handler = note};

	sigaction(signal, &action, NULL);
}

/* Until it is told to end; cancelled wherever it is. */
static void *compute(void *argument)
{
	pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
	if (!is_task_if_expected())
		return "no task";
	atomic_store(&computes, 1);
	while (!told)
		;
	return argument;
}

static pthread_t computing(int policy, int priority)
{
	told = 0;
	atomic_store(&computes, 0);
	return thread_with(policy, priority, compute, "told");
}

static void show_end(const char *what, pthread_t thread)
{
	const char *result = joined(thread);

	printf("%s: %s\n", what, result == PTHREAD_CANCELED ? "cancelled" : result);
	fflush(stdout);
}

static void wait_until_it_computes(void)
{
	while (!atomic_load(&computes))
		usleep(MS);
	usleep(20 * MS);
}

static void cancelled(int policy)
{
	pthread_t thread = computing(policy, 50);

	wait_until_it_computes();
	pthread_cancel(thread);
	show_end("a cancellation", thread);
}

static void signalled(void)
{
	pthread_t thread = computing(SCHED_FIFO, 50);

	wait_until_it_computes();
	pthread_kill(thread, SIGUSR1);
	show_end("a signal", thread);
}

/* By a thread that is more urgent, or would be without the effects of its own calls. */
static void *from_above(void *argument)
{
	const struct sched_param higher = {.sched_priority = 55};
	pthread_t thread;

	cancelled(SCHED_FIFO);
	cancelled(SCHED_RR);
	signalled();
	thread = computing(SCHED_FIFO, 20);
	wait_until_it_computes();
	pthread_setschedparam(thread, SCHED_FIFO, &higher);
	pthread_kill(thread, SIGUSR1);
	show_end("a signal to one that was raised", thread);
	return argument;
}

/* Its signal goes to a thread that does not block it: the first thread, which has no turn, or a
 * task. */
static void by_timer(int how, const char *what)
{
	const struct itimerval soon = {.it_value = {.tv_usec = 50 * MS}};
	sigset_t alarms;
	pthread_t thread;

	sigemptyset(&alarms);
	sigaddset(&alarms, SIGALRM);
	thread = computing(SCHED_FIFO, 50);
	pthread_sigmask(how, &alarms, NULL);
	setitimer(ITIMER_REAL, &soon, NULL);
	show_end(what, thread);
	pthread_sigmask(SIG_UNBLOCK, &alarms, NULL);
}

static void *sets_its_own(void *argument)
{
	const struct itimerval soon = {.it_value = {.tv_usec = 50 * MS}};

	told = 0;
	setitimer(ITIMER_REAL, &soon, NULL);
	return compute(argument);
}

/* A process with a thread that computes, when no thread in it has a turn any more. */
static pid_t computing_child(void)
{
	pid_t child = fork();

	if (child)
		return child;
	told = 0;
	joined(fifo_thread(50, compute, "told"));
	_exit(1);
}

static void ended(int signal)
{
	pid_t child = computing_child();
	int status = -1;

	usleep(100 * MS);
	kill(child, signal);
	waitpid(child, &status, 0);
	printf("status %#x\n", status);
	fflush(stdout);
}

int main(void)
{
	stay_on_one_cpu();
	install(SIGUSR1);
	install(SIGALRM);
	/* While this program has no tasks, the children can have some. */
	ended(SIGTERM);
	cancelled(SCHED_FIFO);
	signalled();
	joined(fifo_thread(60, from_above, NULL));
	by_timer(SIG_UNBLOCK, "a timer's signal");
	by_timer(SIG_BLOCK, "a timer's signal, to the task alone");
	show_end("its own timer's signal", fifo_thread(50, sets_its_own, "told"));
	/* And with one that continues to compute. */
	(void)computing(SCHED_FIFO, 50);
	wait_until_it_computes();
	exit(3);
}
