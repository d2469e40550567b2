/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Calls about threads, their policies and CPUs, and about locks. */
#include <errno.h>
#include <linux/futex.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#include "calls.h"
#include "common/complain.h"

static pthread_t other;
static cpu_set_t cpus, all_cpus;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER, inheriting;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_barrier_t barrier;
static pthread_spinlock_t spin;
static sem_t sem;
static mtx_t plain_mutex;
static cnd_t plain_cond;
static uint32_t word;

static void *wait_for_ever(void *unused)
{
	for (;;)
		(void)pause();
	return unused;
}

static void *end_at_once(void *unused)
{
	return unused;
}

int calls_start_waiting(pthread_t *thread, const pthread_attr_t *attributes)
{
	const int error = pthread_create(thread, attributes, wait_for_ever, NULL);

	return error ? complain("no thread: %s", strerror(error)) : 0;
}

/* The caller stays on the lowest CPU: if there are two, the last one is the real-time CPU. */
int calls_prepare_threads(void)
{
	pthread_mutexattr_t attributes;
	int cpu = 0;

	if (sched_getaffinity(0, sizeof(cpus), &cpus))
		return complain("sched_getaffinity(): %s", strerror(errno));
	all_cpus = cpus;
	while (!CPU_ISSET(cpu, &cpus))
		cpu++;
	CPU_ZERO(&cpus);
	CPU_SET(cpu, &cpus);
	if (pthread_mutexattr_init(&attributes) ||
	    pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_INHERIT) ||
	    pthread_mutex_init(&inheriting, &attributes) ||
	    pthread_barrier_init(&barrier, NULL, 1) || pthread_spin_init(&spin, 0) ||
	    sem_init(&sem, 0, 0) || mtx_init(&plain_mutex, mtx_plain) || cnd_init(&plain_cond))
		return complain("the objects to measure cannot be made");
	if (sched_setaffinity(0, sizeof(cpus), &cpus))
		return complain("sched_setaffinity(): %s", strerror(errno));
	return calls_start_waiting(&other, NULL);
}

static int lock(void)
{
	return pthread_mutex_lock(&mutex) | pthread_mutex_unlock(&mutex);
}

static int trylock(void)
{
	return pthread_mutex_trylock(&mutex) | pthread_mutex_unlock(&mutex);
}

static int lock_inheriting(void)
{
	return pthread_mutex_lock(&inheriting) | pthread_mutex_unlock(&inheriting);
}

static int lock_plain(void)
{
	return mtx_lock(&plain_mutex) | mtx_unlock(&plain_mutex);
}

static int signal_cond(void)
{
	return pthread_cond_signal(&cond);
}

static int broadcast(void)
{
	return pthread_cond_broadcast(&cond);
}

static int signal_plain(void)
{
	return cnd_signal(&plain_cond);
}

static int post_and_wait(void)
{
	return sem_post(&sem) | sem_wait(&sem);
}

static int lock_to_read(void)
{
	return pthread_rwlock_rdlock(&rwlock) | pthread_rwlock_unlock(&rwlock);
}

static int lock_to_write(void)
{
	return pthread_rwlock_wrlock(&rwlock) | pthread_rwlock_unlock(&rwlock);
}

static int pass_barrier(void)
{
	return pthread_barrier_wait(&barrier) != PTHREAD_BARRIER_SERIAL_THREAD;
}

static int lock_spinning(void)
{
	return pthread_spin_lock(&spin) | pthread_spin_unlock(&spin);
}

static int create_and_join(void)
{
	pthread_t thread;

	return pthread_create(&thread, NULL, end_at_once, NULL) || pthread_join(thread, NULL);
}

static int get_param_of_other(void)
{
	struct sched_param param;
	int policy;

	return pthread_getschedparam(other, &policy, &param);
}

static int set_param_of_other(void)
{
	const struct sched_param param = {0};

	return pthread_setschedparam(other, SCHED_OTHER, &param);
}

static int get_scheduler(void)
{
	return sched_getscheduler(0);
}

static int set_scheduler(void)
{
	const struct sched_param param = {0};

	return sched_setscheduler(0, SCHED_OTHER, &param);
}

static int get_param(void)
{
	struct sched_param param;

	return sched_getparam(0, &param);
}

static int get_affinity(void)
{
	cpu_set_t told;

	return sched_getaffinity(0, sizeof(told), &told);
}

static int set_affinity(void)
{
	return sched_setaffinity(0, sizeof(cpus), &cpus);
}

static int change_affinity(void)
{
	return sched_setaffinity(0, sizeof(all_cpus), &all_cpus) | set_affinity();
}

static int get_affinity_of_other(void)
{
	cpu_set_t told;

	return pthread_getaffinity_np(other, sizeof(told), &told);
}

static int set_affinity_of_other(void)
{
	return pthread_setaffinity_np(other, sizeof(cpus), &cpus);
}

static int get_attributes(void)
{
	pthread_attr_t told;

	return pthread_getattr_np(other, &told) || pthread_attr_destroy(&told);
}

static int probe_other(void)
{
	return pthread_kill(other, 0);
}

static int yield(void)
{
	return sched_yield();
}

static int number(void)
{
	return gettid() <= 0;
}

static int read_clock(void)
{
	struct timespec now;

	return clock_gettime(CLOCK_MONOTONIC, &now);
}

static int read_own_time(void)
{
	struct timespec used;

	return clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
}

static int read_own_usage(void)
{
	struct rusage used;

	return getrusage(RUSAGE_THREAD, &used);
}

static int number_by_syscall(void)
{
	return syscall(SYS_gettid) <= 0;
}

static int wake_by_syscall(void)
{
	return syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0) != 0;
}

const struct call calls_of_threads[] = {
	{"pthread_mutex_lock, _unlock", 2, lock},
	{"pthread_mutex_trylock, _unlock", 2, trylock},
	{"pthread_mutex_lock, _unlock, inheriting", 2, lock_inheriting},
	{"mtx_lock, _unlock", 2, lock_plain},
	{"pthread_cond_signal", 1, signal_cond},
	{"pthread_cond_broadcast", 1, broadcast},
	{"cnd_signal", 1, signal_plain},
	{"sem_post, _wait", 2, post_and_wait},
	{"pthread_rwlock_rdlock, _unlock", 2, lock_to_read},
	{"pthread_rwlock_wrlock, _unlock", 2, lock_to_write},
	{"pthread_barrier_wait, of one", 1, pass_barrier},
	{"pthread_spin_lock, _unlock", 2, lock_spinning},
	{"pthread_create, _join", 2, create_and_join},
	{"pthread_getschedparam, another's", 1, get_param_of_other},
	{"pthread_setschedparam, another's", 1, set_param_of_other},
	{"pthread_getaffinity_np, another's", 1, get_affinity_of_other},
	{"pthread_setaffinity_np, another's", 1, set_affinity_of_other},
	{"pthread_getattr_np, another's", 1, get_attributes},
	{"pthread_kill, none", 1, probe_other},
	{"sched_getscheduler", 1, get_scheduler},
	{"sched_setscheduler", 1, set_scheduler},
	{"sched_getparam", 1, get_param},
	{"sched_getaffinity", 1, get_affinity},
	{"sched_setaffinity", 1, set_affinity},
	{"sched_setaffinity, another one, and back", 2, change_affinity},
	{"sched_yield", 1, yield},
	{"gettid", 1, number},
	{"clock_gettime, monotonic", 1, read_clock},
	{"clock_gettime, of the thread", 1, read_own_time},
	{"getrusage, of the thread", 1, read_own_usage},
	{"syscall, gettid", 1, number_by_syscall},
	{"syscall, futex, a wake-up", 1, wake_by_syscall},
	{NULL, 0, NULL},
};
