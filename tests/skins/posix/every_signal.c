/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A program that takes every signal: it has handlers for all of them, before its first real-time
 * thread or afterwards. Each signal is raised, sent, queued, waited for, read, ignored. Tactus
 * keeps none for itself. A program that takes all of them on its own stack is a runtime, which
 * tasks cannot serve. usage: every_signal before | after | runtime
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "check.h"

#define RESTORER 0x04000000 /* the flag that the C library adds */

static volatile sig_atomic_t counts[65], last, out_of_order, code, value;
static int null_file;
static atomic_int over;

static void handle(int signal, siginfo_t *info, void *context)
{
	(void)context;
	out_of_order += signal <= last;
	last = signal;
	code = info->si_code;
	value = info->si_value.sival_int;
	/* It may call Linux. */
	if (write(null_file, "handled", 7) == 7)
		counts[signal]++;
}

/* May programs handle it? */
static int is_theirs(int signal)
{
	return signal != SIGKILL && signal != SIGSTOP && (signal < 32 || signal >= SIGRTMIN);
}

static void install(int flags)
{
	struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO | flags}, now;
	int refused = 0, others = 0;

	sigfillset(&action.sa_mask);
	for (int signal = 1; signal <= 64; signal++) {
		if (!is_theirs(signal))
			continue;
		refused += sigaction(signal, &action, NULL) != 0;
		sigaction(signal, NULL, &now);
		others +=
			now.sa_sigaction != handle || now.sa_flags != (action.sa_flags | RESTORER);
	}
	SHOW(refused);
	SHOW(others);
}

/* How many were handled exactly once since then. */
static int handled(void)
{
	int count = 0;

	for (int signal = 1; signal <= 64; signal++) {
		count += counts[signal] == 1;
		counts[signal] = 0;
	}
	last = 0;
	return count;
}

static void raise_all(void)
{
	for (int signal = 1; signal <= 64; signal++)
		if (is_theirs(signal))
			raise(signal);
	SHOW(handled());
}

static void *send_all(void *thread)
{
	for (int signal = 1; signal <= 64; signal++)
		if (is_theirs(signal))
			for (pthread_kill(*(pthread_t *)thread, signal); !counts[signal];)
				usleep(100);
	atomic_store(&over, 1);
	return NULL;
}

/* While it computes, from a more urgent thread, or waits. */
static void receive_all(unsigned wait_us)
{
	pthread_t self = pthread_self(), sender;

	atomic_store(&over, 0);
	sender = wait_us ? other_thread(send_all, &self) : fifo_thread(60, send_all, &self);
	while (!atomic_load(&over))
		if (wait_us)
			usleep(wait_us);
	joined(sender);
	SHOW(out_of_order);
	SHOW(handled());
}

static sigset_t real_time_signals(void)
{
	sigset_t set;

	sigemptyset(&set);
	for (int signal = SIGRTMIN; signal <= SIGRTMAX; signal++)
		sigaddset(&set, signal);
	return set;
}

/* The real-time signals, sent to the program: they come by their numbers, in whatever way. */
static void queue_all(void)
{
	const sigset_t set = real_time_signals();
	const struct timespec none = {0};
	struct signalfd_siginfo read_of;
	int file = signalfd(-1, &set, SFD_NONBLOCK), count = 0;
	sigset_t pending;
	siginfo_t info;

	for (int signal = SIGRTMAX; signal >= SIGRTMIN; signal--)
		sigqueue(getpid(), signal, (union sigval){.sival_int = signal});
	sigpending(&pending);
	for (int signal = SIGRTMIN; signal <= SIGRTMAX; signal++)
		count += sigismember(&pending, signal);
	SHOW(count);
	SHOW(sigwaitinfo(&set, &info) == SIGRTMIN);
	SHOW(info.si_value.sival_int == SIGRTMIN);
	SHOW(read(file, &read_of, sizeof(read_of)) == sizeof(read_of));
	SHOW(read_of.ssi_signo == (unsigned)SIGRTMIN + 1);
	pthread_sigmask(SIG_UNBLOCK, &set, NULL);
	SHOW(out_of_order);
	SHOW(code == SI_QUEUE);
	SHOW(value == SIGRTMAX);
	SHOW(handled());
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	SHOW(sigtimedwait(&set, &info, &none));
	SHOW(errno == EAGAIN);
	close(file);
}

static void ignore_all(void)
{
	const sigset_t set = real_time_signals();
	sigset_t pending;

	for (int number = SIGRTMIN; number <= SIGRTMAX; number++) {
		signal(number, SIG_IGN);
		kill(getpid(), number);
	}
	pthread_sigmask(SIG_UNBLOCK, &set, NULL);
	sigpending(&pending);
	SHOW(sigismember(&pending, SIGRTMAX));
	SHOW(handled());
	for (int number = SIGRTMIN; number <= SIGRTMAX; number++)
		signal(number, SIG_DFL);
}

/* Only the task lets them in, which is not visible while it is in primary mode. */
static void send_to_program(void)
{
	static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS};

	for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++) {
		kill(getpid(), faults[i]);
		while (!counts[faults[i]])
			usleep(100);
	}
}

static void *send_from_beside(void *argument)
{
	sigset_t all;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, NULL);
	send_to_program();
	atomic_store(&over, 1);
	return argument;
}

static void *run(void *when)
{
	sigset_t set = real_time_signals();
	pthread_t sender;

	SHOW(strcmp(when, "runtime") == 0 || is_task_if_expected());
	if (!strcmp(when, "after"))
		install(0);
	raise_all();
	receive_all(0);
	receive_all(300);
	atomic_store(&over, 0);
	sender = other_thread(send_from_beside, NULL);
	while (!atomic_load(&over))
		usleep(300);
	joined(sender);
	SHOW(handled());
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	queue_all();
	ignore_all();
	return NULL;
}

int main(int count, char **arguments)
{
	static char stack[65536];
	const stack_t own = {.ss_sp = stack, .ss_size = sizeof(stack)};
	pthread_t task;
	sigset_t all;

	if (count != 2)
		return 2;
	null_file = open("/dev/null", O_WRONLY);
	if (!strcmp(arguments[1], "before"))
		install(0);
	if (!strcmp(arguments[1], "runtime")) {
		SHOW(sigaltstack(&own, NULL));
		install(SA_ONSTACK);
	}
	task = fifo_thread(50, run, arguments[1]);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, NULL);
	joined(task);
	SHOW(is_no_task());
	return 0;
}
