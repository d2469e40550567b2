/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Calls that the nucleus serves alone, between two real-time threads: under --deny-switch, any call
 * of Linux would end the program. usage: deny WHAT; prints how often it succeeded. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <mqueue.h>
#include <poll.h>
#include <semaphore.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <threads.h>
#include <unistd.h>

#include "check.h"
#include "deny.h"

#define ROUNDS 50
#define BIRTHS 10

static pthread_barrier_t barrier;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static sem_t turns[2];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static pthread_mutex_t protected, robust;
static mqd_t queues[2];
static pthread_t threads[2], waiters[2];
static timer_t timers[2];
static int clocks[2], counters[2], sets[2];
static int turn;
static int good;

static void count(int well)
{
	__atomic_fetch_add(&good, well, __ATOMIC_RELAXED);
}

static void meet(int me)
{
	(void)me;
	pthread_barrier_wait(&barrier);
	count(1);
}

/* One sleeps while it holds the lock, so that the other must wait. */
static void lock(int me)
{
	if (me)
		pthread_rwlock_wrlock(&rwlock);
	else
		pthread_rwlock_rdlock(&rwlock);
	usleep(50);
	count(!pthread_rwlock_unlock(&rwlock));
}

static void alternate(int me)
{
	sem_wait(&turns[me]);
	count(!sem_post(&turns[!me]));
}

static sem_t asked[2], answered[2];
static timer_t calling[2];

static void call(union sigval me)
{
	sem_post(&answered[me.sival_int]);
}

/* The function of a timer posts, in a thread of Linux. */
static void be_called(int me)
{
	struct itimerspec soon = {.it_value = {.tv_nsec = 50000}};

	count(!timer_settime(calling[me], 0, &soon, NULL));
	sem_wait(&answered[me]);
}

static void *answer(void *me)
{
	for (int i = 0; i < ROUNDS; i++) {
		sem_wait(&asked[(intptr_t)me]);
		sem_post(&answered[(intptr_t)me]);
	}
	return NULL;
}

/* A Linux thread waits. */
static void wake(int me)
{
	count(!sem_post(&asked[me]));
	sem_wait(&answered[me]);
}

/* Objects that other programs may also use, while no thread must wait. */
static void use_all_shared(int me)
{
	count(use_shared(me));
}

static void pass(int me)
{
	count(pass_named(me));
}

static void pass_by_shared(int me)
{
	count(pass_shared(me));
}

static void lock_shared(int me)
{
	(void)me;
	count(contend_shared());
}

static void condition(int me)
{
	pthread_mutex_lock(&mutex);
	while (turn != me)
		pthread_cond_wait(&cond, &mutex);
	turn = !me;
	pthread_cond_signal(&cond);
	count(!pthread_mutex_unlock(&mutex));
}

static void lock_robust(int me)
{
	(void)me;
	pthread_mutex_lock(&robust);
	usleep(50);
	count(!pthread_mutex_unlock(&robust));
}

/* Like runtimes that build their own locks: a waiter announces itself, and only then is it
 * woken. */
static void futex(int me)
{
	static int word, waits;
	int now;

	while ((now = __atomic_load_n(&word, __ATOMIC_SEQ_CST)) != me) {
		__atomic_store_n(&waits, 1, __ATOMIC_SEQ_CST);
		syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, now, NULL, NULL, 0);
	}
	__atomic_store_n(&word, !me, __ATOMIC_SEQ_CST);
	count(!__atomic_exchange_n(&waits, 0, __ATOMIC_SEQ_CST) ||
	      syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0) == 1);
}

/* Each passes the other a message and waits for one; the receiver already waits. */
static void queue(int me)
{
	char text[16];

	if (me) {
		count(mq_receive(queues[0], text, sizeof(text), NULL) == 3 &&
		      !mq_send(queues[1], "fro", 4, 0));
		return;
	}
	count(!mq_send(queues[0], "to", 3, 0) &&
	      mq_receive(queues[1], text, sizeof(text), NULL) == 4);
}

static void signal_each_other(int me)
{
	sigset_t mine;
	int signal;

	sigemptyset(&mine);
	sigaddset(&mine, SIGRTMIN + me);
	pthread_sigmask(SIG_BLOCK, &mine, NULL);
	if (!me)
		pthread_kill(threads[1], SIGRTMIN + 1);
	count(!sigwait(&mine, &signal));
	if (me)
		pthread_kill(threads[0], SIGRTMIN);
}

static void ceiling(int me)
{
	(void)me;
	pthread_mutex_lock(&protected);
	usleep(50);
	count(!pthread_mutex_unlock(&protected));
}

static void pause_in(int me)
{
	struct timespec short_time = {.tv_nsec = 20000};
	struct timeval as_short = {.tv_usec = 20};

	if (me) {
		count(!select(0, NULL, NULL, NULL, &as_short) && !poll(NULL, 0, 0));
		return;
	}
	count(!pselect(0, NULL, NULL, NULL, &short_time, NULL) &&
	      !ppoll(NULL, 0, &short_time, NULL) && !thrd_sleep(&short_time, NULL));
}

/* Each waits for its own timer, and sets it anew. */
static void timer(int me)
{
	struct itimerspec times = {.it_value = {0, 100000}}, told;
	sigset_t mine;
	int signal;

	sigemptyset(&mine);
	sigaddset(&mine, SIGRTMIN + 2 + me);
	count(!timer_settime(timers[me], 0, &times, NULL) && !sigwait(&mine, &signal) &&
	      signal == SIGRTMIN + 2 + me && !timer_gettime(timers[me], &told) &&
	      !timer_getoverrun(timers[me]));
}

/* The first thread makes others meanwhile. */
static void timer_amid_births(int me)
{
	timer(me);
}

/* There is only one, which one thread sets and waits for. */
static void interval(int me)
{
	const struct itimerval soon = {.it_value = {0, 100}};
	struct itimerval told;
	sigset_t set;
	int signal;

	sigemptyset(&set);
	sigaddset(&set, SIGALRM);
	if (me)
		usleep(100);
	count(me || (!setitimer(ITIMER_REAL, &soon, &told) && !sigwait(&set, &signal) &&
		     signal == SIGALRM && !getitimer(ITIMER_REAL, &told) && !alarm(0)));
}

/* It grows. */
static void look_at_own_time(int me)
{
	const uint64_t before = now_ns(CLOCK_THREAD_CPUTIME_ID);

	(void)me;
	usleep(10);
	count(now_ns(CLOCK_THREAD_CPUTIME_ID) > before);
}

static void timerfd(int me)
{
	struct itimerspec times = {.it_value = {0, 100000}}, told;
	uint64_t expiries;

	count(!timerfd_settime(clocks[me], 0, &times, NULL) &&
	      read(clocks[me], &expiries, sizeof(expiries)) == sizeof(expiries) && expiries == 1 &&
	      !timerfd_gettime(clocks[me], &told));
}

static void count_up(int me)
{
	uint64_t value;

	if (!me)
		count(!eventfd_write(counters[1], 2) && !eventfd_read(counters[0], &value) &&
		      value == 3);
	else
		count(!eventfd_read(counters[1], &value) && value == 2 &&
		      !eventfd_write(counters[0], 3));
}

/* For a timer, and for a counter that the other one changes, in the three ways to wait for both. */
static void wait_for_both(int me)
{
	struct itimerspec times = {.it_value = {0, 50000}};
	struct pollfd both[] = {{clocks[me], POLLIN, 0}, {counters[me], POLLIN, 0}};
	struct epoll_event told[2];
	uint64_t value;
	fd_set read_set;
	bool well;

	FD_ZERO(&read_set);
	FD_SET(clocks[me], &read_set);
	timerfd_settime(clocks[me], 0, &times, NULL);
	well = select(clocks[me] + 1, &read_set, NULL, NULL, NULL) == 1 &&
	       read(clocks[me], &value, sizeof(value)) == sizeof(value);
	eventfd_write(counters[!me], 1);
	well = well && poll(both, 2, -1) == 1 && both[1].revents == POLLIN &&
	       epoll_wait(sets[me], told, 2, -1) == 1 && told[0].data.fd == counters[me];
	count(well && !eventfd_read(counters[me], &value) && value == 1);
}

static const struct {
	const char *name;
	void (*step)(int me);
} cases[] = {
	{"barrier", meet},
	{"ceiling", ceiling},
	{"condition", condition},
	{"cputime", look_at_own_time},
	{"eventfd", count_up},
	{"files", wait_for_both},
	{"futex", futex},
	{"itimer", interval},
	{"named", pass},
	{"pause", pause_in},
	{"queue", queue},
	{"robust", lock_robust},
	{"rwlock", lock},
	{"semaphore", alternate},
	{"shared", use_all_shared},
	{"shared_lock", lock_shared},
	{"shared_semaphore", pass_by_shared},
	{"signal", signal_each_other},
	{"timer", timer},
	{"timer_births", timer_amid_births},
	{"timerfd", timerfd},
	{"timer_thread", be_called},
	{"wake", wake},
};

static void (*step)(int me);

/* The first wait of each kind checks the side of Linux, which is allowed, and lets others run. */
static void look_first(int me)
{
	struct timespec moment = {.tv_nsec = 1000000}, soon = later(CLOCK_REALTIME, 1000000);
	struct pollfd both[] = {{clocks[me], POLLIN, 0}, {counters[me], POLLIN, 0}};
	sigset_t mine;
	char text[16];

	sigemptyset(&mine);
	sigaddset(&mine, SIGRTMIN + me);
	sigaddset(&mine, SIGRTMIN + 2 + me);
	sigaddset(&mine, SIGALRM);
	mq_timedreceive(queues[!me], text, sizeof(text), NULL, &soon);
	poll(both, 2, 1);
	sigtimedwait(&mine, NULL, &moment);
	pthread_barrier_wait(&barrier);
}

static void *run(void *me)
{
	look_first((int)(intptr_t)me);
	/* Of equal priority, so that each waits before the other continues; one waits first. */
	if (!me)
		usleep(1000);
	for (int i = 0; i < ROUNDS; i++)
		step((int)(intptr_t)me);
	return NULL;
}

int main(int argc, char **argv)
{
	struct mq_attr attributes = {.mq_maxmsg = 2, .mq_msgsize = 16};
	struct epoll_event watched = {.events = EPOLLIN};
	pthread_mutexattr_t attribute;
	sigset_t set;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		if (argc == 2 && !strcmp(argv[1], cases[i].name))
			step = cases[i].step;
	if (!step)
		return 2;
	pthread_mutexattr_init(&attribute);
	pthread_mutexattr_setprotocol(&attribute, PTHREAD_PRIO_PROTECT);
	pthread_mutexattr_setprioceiling(&attribute, 40);
	pthread_mutex_init(&protected, &attribute);
	pthread_mutexattr_init(&attribute);
	pthread_mutexattr_setrobust(&attribute, PTHREAD_MUTEX_ROBUST);
	pthread_mutex_init(&robust, &attribute);
	pthread_barrier_init(&barrier, NULL, 2);
	sem_init(&turns[0], 0, 1);
	sem_init(&turns[1], 0, 0);
	for (int i = 0; i < 2; i++)
		share(i);
	if (step == pass || step == pass_by_shared)
		begin_passing();
	for (intptr_t i = 0; step == wake && i < 2; i++) {
		sem_init(&asked[i], 0, 0);
		pthread_create(&waiters[i], NULL, answer, (void *)i);
	}
	sigemptyset(&set);
	sigaddset(&set, SIGALRM);
	for (int i = 0; i < 2; i++) {
		struct sigevent function = {.sigev_notify = SIGEV_THREAD,
					    .sigev_value.sival_int = i};
		struct sigevent event = {.sigev_signo = SIGRTMIN + 2 + i};
		char name[32];

		sigaddset(&set, SIGRTMIN + i);
		sigaddset(&set, SIGRTMIN + 2 + i);
		timer_create(CLOCK_MONOTONIC, &event, &timers[i]);
		function.sigev_notify_function = call;
		timer_create(CLOCK_MONOTONIC, &function, &calling[i]);
		sem_init(&answered[i], 0, 0);
		snprintf(name, sizeof(name), "/tactus-deny-%d-%d", (int)getpid(), i);
		queues[i] = mq_open(name, O_RDWR | O_CREAT, 0600, &attributes);
		mq_unlink(name);
		clocks[i] = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
		counters[i] = eventfd(0, EFD_CLOEXEC);
		sets[i] = epoll_create1(EPOLL_CLOEXEC);
		watched.data.fd = clocks[i];
		epoll_ctl(sets[i], EPOLL_CTL_ADD, clocks[i], &watched);
		watched.data.fd = counters[i];
		epoll_ctl(sets[i], EPOLL_CTL_ADD, counters[i], &watched);
	}
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	for (int i = 0; i < 2; i++)
		threads[i] = fifo_thread(20, run, (void *)(intptr_t)i);
	for (int i = 0; step == timer_amid_births && i < BIRTHS && make_threads(); i++)
		;
	for (int i = 0; i < 2; i++)
		joined(threads[i]);
	for (int i = 0; step == wake && i < 2; i++)
		joined(waiters[i]);
	printf("%d\n", good);
	return 0;
}
