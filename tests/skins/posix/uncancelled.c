/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A thread that has been cancelled continues up to the next cancellation point, and calls that are
 * no cancellation points do their whole work: others find nothing half done. Source: POSIX.1-2017,
 * 2.9.5.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <semaphore.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static sem_t sem;

/* When it is the first, its policy makes it the program's first task. */
static long set_deadline(void)
{
	const struct attributes given = {.size = sizeof(given),
					 .policy = 6, /* SCHED_DEADLINE */
					 .runtime = 1000000,
					 .deadline = 100000000,
					 .period = 100000000};

	return syscall(SYS_sched_setattr, 0, &given, 0);
}

static long set_policy(int policy, int priority)
{
	const struct sched_param parameter = {.sched_priority = priority};

	return pthread_setschedparam(pthread_self(), policy, &parameter);
}

static long be_plain(void)
{
	return set_policy(SCHED_OTHER, 0);
}

static long be_plain_and_back(void)
{
	return be_plain() + set_policy(SCHED_RR, 20);
}

static long spawn(void)
{
	char *const arguments[] = {"true", NULL};
	pid_t child;

	return posix_spawnp(&child, "true", NULL, NULL, arguments, NULL);
}

static long fork_child(void)
{
	pid_t child = fork();

	if (!child)
		_exit(3);
	return child > 0;
}

static long execute_nothing(void)
{
	return execl("/nowhere/nothing", "nothing", NULL) + errno;
}

static void *nothing(void *unused)
{
	return unused;
}

static long make_thread(void)
{
	pthread_t thread;

	return pthread_create(&thread, NULL, nothing, NULL) + pthread_detach(thread);
}

static long lock(void)
{
	const struct timespec then = later(CLOCK_REALTIME, 1000000000);

	return pthread_mutex_lock(&mutex) + pthread_cond_signal(&condition) +
	       pthread_mutex_unlock(&mutex) + pthread_mutex_timedlock(&mutex, &then) +
	       pthread_mutex_unlock(&mutex);
}

static long post(void)
{
	int count;

	return sem_post(&sem) + sem_trywait(&sem) + sem_getvalue(&sem, &count) + count;
}

static void handle(int signal)
{
	(void)signal;
}

static long signal_itself(void)
{
	const struct sigaction action = {.sa_handler = handle};
	sigset_t set;

	return sigaction(SIGUSR1, &action, NULL) + raise(SIGUSR1) +
	       pthread_kill(pthread_self(), SIGUSR1) + sigpending(&set) +
	       pthread_sigmask(SIG_BLOCK, &set, NULL);
}

static long set_timer(void)
{
	const struct itimerspec far = {.it_value = {1000, 0}};
	struct sigevent silent = {.sigev_notify = SIGEV_NONE};
	timer_t timer;

	return timer_create(CLOCK_MONOTONIC, &silent, &timer) +
	       timer_settime(timer, 0, &far, NULL) + timer_delete(timer);
}

static long make_files(void)
{
	const struct itimerspec far = {.it_value = {1000, 0}};
	const int timer = timerfd_create(CLOCK_MONOTONIC, 0), event = eventfd(1, EFD_NONBLOCK);
	const int set = epoll_create1(0);
	struct epoll_event in = {.events = EPOLLIN};

	return timerfd_settime(timer, 0, &far, NULL) + epoll_ctl(set, EPOLL_CTL_ADD, event, &in) +
	       (dup2(event, timer) != timer);
}

static long move(void)
{
	cpu_set_t cpus;

	return sched_getaffinity(0, sizeof(cpus), &cpus) +
	       sched_setaffinity(0, sizeof(cpus), &cpus) + sched_yield();
}

static long lock_memory(void)
{
	static _Alignas(4096) char memory[8192];

	return mlockall(MCL_CURRENT) + munlockall() + madvise(memory, 0, MADV_DONTNEED);
}

static long by_number(void)
{
	const struct timespec moment = {.tv_nsec = 1000000};
	const int file = dup(0);

	return syscall(SYS_nanosleep, &moment, NULL) +
	       syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, &moment, NULL) +
	       syscall(SYS_sched_yield) + syscall(SYS_close, file);
}

struct step {
	const char *name;
	long (*call)(void);
	long result;
	bool is_first;
	int is_right, went_on;
};

static void *run(void *argument)
{
	struct step *step = argument;

	step->is_right = step->is_first ? is_no_task() : is_task_if_expected();
	pthread_cancel(pthread_self());
	step->result = step->call();
	step->went_on = 1;
	pthread_testcancel();
	step->went_on = 2;
	return NULL;
}

static void tell(struct step *step, pthread_t thread)
{
	const int cancelled = joined(thread) == PTHREAD_CANCELED;

	printf("%s: %ld, %d, %d, %d\n", step->name, step->result, step->is_right, step->went_on,
	       cancelled);
	fflush(stdout);
}

int main(void)
{
	static struct step first = {
		.name = "a first deadline", .call = set_deadline, .is_first = true};
	int status, statuses = 0;
	static struct step steps[] = {
		{.name = "deadline", .call = set_deadline},
		{.name = "policy", .call = be_plain},
		{.name = "policies", .call = be_plain_and_back},
		{.name = "posix_spawnp()", .call = spawn},
		{.name = "fork()", .call = fork_child},
		{.name = "execl()", .call = execute_nothing},
		{.name = "pthread_create()", .call = make_thread},
		{.name = "locks", .call = lock},
		{.name = "semaphores", .call = post},
		{.name = "signals", .call = signal_itself},
		{.name = "timers", .call = set_timer},
		{.name = "files", .call = make_files},
		{.name = "affinity", .call = move},
		{.name = "memory", .call = lock_memory},
		{.name = "syscall()", .call = by_number},
	};

	sem_init(&sem, 0, 0);
	tell(&first, other_thread(run, &first));
	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++)
		tell(&steps[i], fifo_thread(30, run, &steps[i]));
	while (wait(&status) > 0)
		statuses += WEXITSTATUS(status);
	SHOW(statuses);
	return 0;
}
