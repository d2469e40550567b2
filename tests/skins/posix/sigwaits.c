/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Real-time threads that wait for signals: from threads, the program, its timers and others. Each
 * signal comes once, with its value, to a thread for which it was. */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

#define MS     1000000u
#define ROUNDS 200

static sigset_t set;
static pthread_t target;
static pid_t target_tid;
static volatile sig_atomic_t handled;

static void take(const char *what)
{
	siginfo_t info = {0};
	int signal = sigwaitinfo(&set, &info);

	printf("%s: %d code %d value %d own %d\n", what, signal > 0 ? signal - SIGRTMIN : signal,
	       info.si_code, info.si_code == SI_QUEUE ? info.si_value.sival_int : 0,
	       info.si_code > 0 || info.si_code == SI_TIMER || info.si_pid == getpid());
	fflush(stdout);
}

enum way { KILL, QUEUE, PROCESS, PROCESS_QUEUE, RAW, WAYS };

static void *sends(void *way)
{
	const union sigval with = {.sival_int = 41};

	usleep(5000);
	switch ((enum way)(intptr_t)way) {
	case KILL:
		pthread_kill(target, SIGRTMIN);
		break;
	case QUEUE:
		pthread_sigqueue(target, SIGRTMIN + 1, with);
		break;
	case PROCESS:
		kill(getpid(), SIGRTMIN + 2);
		break;
	case PROCESS_QUEUE:
		sigqueue(getpid(), SIGRTMIN + 3, with);
		break;
	default:
		syscall(SYS_tgkill, getpid(), target_tid, SIGRTMIN + 4);
	}
	return NULL;
}

static void from_threads(void)
{
	for (intptr_t way = 0; way < WAYS; way++) {
		pthread_t thread = fifo_thread(60, sends, (void *)way);

		take("late, of a real-time thread");
		joined(thread);
		thread = other_thread(sends, (void *)way);
		take("late, of a Linux thread");
		joined(thread);
		joined(fifo_thread(30, sends, (void *)way));
		take("before");
	}
}

/* Several at once: the lowest number first, and each once. */
static void several(void)
{
	const union sigval with = {.sival_int = 5};

	pthread_kill(target, SIGRTMIN + 2);
	pthread_sigqueue(target, SIGRTMIN, with);
	pthread_sigqueue(target, SIGRTMIN, with);
	for (int i = 0; i < 3; i++)
		take("several");
}

static void from_outside(void)
{
	pid_t child = fork();

	if (!child) {
		usleep(5000);
		_exit(kill(getppid(), SIGRTMIN + 1));
	}
	take("of a child");
	waitpid(child, NULL, 0);
}

static void from_timers(void)
{
	struct itimerspec often = {{.tv_nsec = 2 * MS}, {.tv_nsec = 2 * MS}};
	struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGRTMIN + 3};
	timer_t timer;

	for (int to_thread = 0; to_thread < 2; to_thread++) {
		if (to_thread) {
			event.sigev_notify = SIGEV_THREAD_ID;
			event._sigev_un._tid = gettid();
		}
		SHOW(timer_create(CLOCK_MONOTONIC, &event, &timer));
		SHOW(timer_settime(timer, 0, &often, NULL));
		for (int i = 0; i < 3; i++)
			take("of a timer");
		SHOW(timer_delete(timer));
		while (sigtimedwait(&set, NULL, &(struct timespec){0}) > 0)
			;
	}
}

static void limits(void)
{
	struct timespec moment = {.tv_nsec = 3 * MS}, none = {0}, wrong = {.tv_nsec = -1};
	uint64_t begin = now_ns(CLOCK_MONOTONIC);
	siginfo_t info;
	sigset_t empty;

	SHOW(sigtimedwait(&set, &info, &moment));
	SHOW(errno);
	SHOW(now_ns(CLOCK_MONOTONIC) - begin >= 3 * MS);
	SHOW(sigtimedwait(&set, NULL, &none));
	SHOW(errno);
	SHOW(sigtimedwait(&set, NULL, &wrong));
	SHOW(errno);
	sigemptyset(&empty);
	SHOW(sigtimedwait(&empty, NULL, &moment));
	SHOW(errno);
	SHOW(pthread_kill(pthread_self(), 0));
	SHOW(pthread_kill(pthread_self(), 65));
	SHOW(kill(getpid(), 65));
	SHOW(errno);
	pthread_kill(pthread_self(), SIGRTMIN);
	SHOW(sigtimedwait(&set, NULL, &none) == SIGRTMIN);
}

static void handler(int signal)
{
	(void)signal;
	handled++;
}

static void *interrupts(void *argument)
{
	usleep(5000);
	pthread_kill(target, SIGUSR1);
	usleep(5000);
	pthread_kill(target, SIGRTMIN);
	return argument;
}

/* A handler ends sigwaitinfo(), but sigwait() continues. */
static void interrupted(void)
{
	struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
	int signal = 0;
	pthread_t thread;

	sigaction(SIGUSR1, &action, NULL);
	thread = other_thread(interrupts, NULL);
	SHOW(sigwaitinfo(&set, NULL));
	SHOW(errno);
	SHOW(handled);
	SHOW(sigwait(&set, &signal));
	SHOW(signal == SIGRTMIN);
	joined(thread);
	thread = other_thread(interrupts, NULL);
	SHOW(sigwait(&set, &signal));
	SHOW(handled);
	joined(thread);
}

static void masks(void)
{
	sigset_t one, former;

	sigemptyset(&one);
	sigaddset(&one, SIGRTMIN);
	SHOW(pthread_sigmask(SIG_BLOCK, &one, &former));
	SHOW(sigismember(&former, SIGRTMIN));
	SHOW(sigismember(&former, SIGUSR2));
	sigaddset(&one, SIGUSR2);
	SHOW(pthread_sigmask(SIG_BLOCK, &one, NULL));
	SHOW(sigprocmask(SIG_BLOCK, NULL, &former));
	SHOW(sigismember(&former, SIGUSR2));
	SHOW(pthread_sigmask(SIG_SETMASK, &set, &former));
	SHOW(pthread_sigmask(99, &set, NULL));
	SHOW(pthread_sigmask(SIG_SETMASK, NULL, &former));
	SHOW(sigismember(&former, SIGUSR2));
}

static void *answers(void *other)
{
	int signal;

	for (int i = 0; i < ROUNDS; i++) {
		if (sigwait(&set, &signal) || signal != SIGRTMIN)
			return (void *)-1;
		if (pthread_kill(*(pthread_t *)other, SIGRTMIN + 1))
			return (void *)-1;
	}
	return NULL;
}

/* Each waits for the other's, whichever runs first. */
static void to_and_fro(int real_time)
{
	pthread_t self = pthread_self();
	pthread_t thread =
		real_time ? fifo_thread(real_time, answers, &self) : other_thread(answers, &self);
	long good = 0;
	int signal;

	for (int i = 0; i < ROUNDS; i++) {
		pthread_kill(thread, SIGRTMIN);
		good += !sigwait(&set, &signal) && signal == SIGRTMIN + 1;
	}
	SHOW(good);
	SHOW(joined(thread) == NULL);
}

static void *run(void *argument)
{
	target = pthread_self();
	target_tid = gettid();
	SHOW(is_task_if_expected());
	from_threads();
	several();
	from_outside();
	from_timers();
	limits();
	interrupted();
	masks();
	to_and_fro(60);
	to_and_fro(40);
	to_and_fro(0);
	SHOW(is_task_if_expected());
	return argument;
}

int main(void)
{
	sigemptyset(&set);
	for (int i = 0; i < 5; i++)
		sigaddset(&set, SIGRTMIN + i);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	joined(fifo_thread(50, run, NULL));
	return 0;
}
