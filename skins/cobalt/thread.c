/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Threads: modes, periods, figures, and functions that programs have called at the begin and end of
 * each thread. */
#include "cobalt_internal.h"

#include <pthread.h>
#include <semaphore.h>
#include <string.h>
#include <unistd.h>

#include "period.h"
#include "debug.h"
#include "print_pool.h"
#include "warn.h"

/* Threads choose their modes themselves: pthread_setmode_np(). */
__attribute__((constructor(101))) static void refuse_stays(void)
{
	posix_stay_refused = true;
}

#define MODES  (PTHREAD_LOCK_SCHED | PTHREAD_WARNSW | PTHREAD_DISABLE_LOCKBREAK)
#define NAP_NS 1000000u

static __thread int modes;

int cobalt_modes(void)
{
	return modes;
}

static int lock_scheduler(bool lock)
{
	return lock ? tact_task_lock_scheduler() : tact_task_unlock_scheduler();
}

static int warn_of_switches(bool warn)
{
	return warn ? tact_task_set_flags(TACT_SELF, SKIN_WARN, 0)
		    : tact_task_set_flags(TACT_SELF, 0, SKIN_WARN);
}

/* for a thread that is a task */
static int set_modes(int clrmask, int setmask, int before, int after)
{
	int error = 0;

	if ((before ^ after) & PTHREAD_LOCK_SCHED)
		error = lock_scheduler(after & PTHREAD_LOCK_SCHED);
	if (!error && (before ^ after) & PTHREAD_WARNSW)
		error = warn_of_switches(after & PTHREAD_WARNSW);
	if (!error && clrmask == PTHREAD_CONFORMING && setmask == PTHREAD_CONFORMING)
		error = tact_task_harden();
	return error;
}

void cobalt_modes_of_new_task(void)
{
	if (posix_is_task() && modes & PTHREAD_WARNSW)
		(void)warn_of_switches(true);
}

int pthread_setmode_np(int clrmask, int setmask, int *mask_r)
{
	int before = modes;
	int after = (before & ~clrmask) | setmask;
	int error = 0;

	if ((clrmask | setmask) & ~MODES)
		return EINVAL;
	if (posix_is_task())
		error = set_modes(clrmask, setmask, before, after);
	else if (after & PTHREAD_LOCK_SCHED)
		return EPERM;
	if (error)
		return -cobalt_result(error);
	modes = after;
	cobalt_debug_modes(after);
	if (mask_r)
		*mask_r = before;
	return 0;
}

int __wrap_pthread_yield(void)
{
	return sched_yield();
}

/* Copy the record of a thread; false: it is not a thread of the program. */
static bool look_up(pthread_t pthread, struct posix_thread *copy)
{
	const struct posix_thread *thread;

	if (pthread_equal(pthread, pthread_self())) {
		*copy = posix_me;
		return true;
	}
	posix_threads_lock();
	thread = posix_thread_of_pthread(pthread);
	if (thread)
		*copy = *thread;
	posix_threads_unlock();
	return thread;
}

int pthread_make_periodic_np(pthread_t thread, struct timespec *starttp, struct timespec *periodtp)
{
	struct posix_thread known;
	tact_time_t first = {0};

	if (!look_up(thread, &known) || !known.task.id)
		return ESRCH;
	if (!posix_time_is_valid(starttp) || !posix_time_is_valid(periodtp))
		return EINVAL;
	if (posix_ns(starttp))
		first.ns = posix_instant(CLOCK_REALTIME, starttp).ns;
	/* 0 means now. An instant before the clock began has passed. */
	if (posix_ns(starttp) && !first.ns)
		first.ns = 1;
	return -cobalt_result(tact_task_set_periodic(known.task, first, posix_ns(periodtp)));
}

int pthread_wait_np(unsigned long *overruns_r)
{
	uint64_t overruns = 0;
	int error;

	posix_native_wait_begin();
	error = skin_wait_period(&overruns);
	posix_native_wait_end(error);
	/* As posix_wait_time(). */
	pthread_testcancel();
	if (overruns_r)
		*overruns_r = overruns;
	return -cobalt_result(error);
}

void cobalt_thread_harden(void)
{
	if (posix_is_task())
		(void)tact_task_harden();
}

void cobalt_thread_relax(void)
{
	if (posix_is_task())
		(void)tact_task_relax();
}

int cobalt_thread_mode(void)
{
	struct tact_sched_param class = {0};
	int mode = modes & (XNLOCK | XNWARN);

	if (tact_mode() != TACT_MODE_PRIMARY)
		mode |= XNRELAX;
	if (!tact_task_self().id || tact_task_get_sched(TACT_SELF, &class) ||
	    class.sched_class == TACT_SCHED_WEAK)
		mode |= XNWEAK;
	return mode;
}

pid_t cobalt_thread_pid(pthread_t thread)
{
	struct posix_thread known;

	return look_up(thread, &known) ? known.tid : -ESRCH;
}

int cobalt_thread_join(pthread_t thread)
{
	struct posix_thread known;

	if (pthread_equal(thread, pthread_self()))
		return -EDEADLK;
	if (!look_up(thread, &known))
		return -ESRCH;
	while (look_up(thread, &known))
		if (tact_task_sleep(NAP_NS) == -TACT_EPERM)
			usleep(NAP_NS / 1000);
	return 0;
}

static uint32_t status_of(const struct tact_task_info *info)
{
	static const struct {
		uint32_t from;
		uint32_t to;
	} table[] = {
		{TACT_TASK_STATE_DORMANT, XNDORMANT}, {TACT_TASK_STATE_SUSPENDED, XNSUSP},
		{TACT_TASK_STATE_WAITING, XNPEND},    {TACT_TASK_STATE_SLEEPING, XNDELAY},
		{TACT_TASK_STATE_RELAXED, XNRELAX},   {TACT_TASK_STATE_THROTTLED, XNHELD},
		{TACT_TASK_STATE_ENDED, XNZOMBIE},
	};
	uint32_t status = XNMAPPED | XNUSER;

	for (unsigned int i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		if (info->state & table[i].from)
			status |= table[i].to;
	if (info->sched_class == TACT_SCHED_RR)
		status |= XNRRB;
	if (info->sched_class == TACT_SCHED_WEAK)
		status |= XNWEAK;
	if (info->priority > info->base_priority)
		status |= XNBOOST;
	return status;
}

int cobalt_thread_stat(pid_t pid, struct cobalt_threadstat *stat)
{
	const struct posix_thread *thread;
	struct tact_task_info info = {.state = TACT_TASK_STATE_RELAXED,
				      .sched_class = TACT_SCHED_WEAK};
	tact_task_t task = {0};
	bool known;

	if (!stat)
		return -EINVAL;
	posix_threads_lock();
	thread = posix_thread_of_tid(pid);
	known = thread;
	if (thread)
		task = thread->task;
	/* The POSIX skin does not know a weak task as a task. */
	if (thread == &posix_me && !task.id)
		task = tact_task_self();
	posix_threads_unlock();
	if (!known)
		return -ESRCH;
	if (task.id && tact_task_inquire(task, &info))
		return -ESRCH;
	*stat = (struct cobalt_threadstat){
		.xtime = info.run_ns,
		.msw = info.mode_switches,
		.csw = info.switches,
		.status = status_of(&info),
		.pf = (uint32_t)info.faults,
		.cpu = (int32_t)info.cpu,
		.cprio = task.id ? cobalt_priority(&info) : 0,
		.personality = "cobalt",
	};
	memcpy(stat->name, info.name, sizeof(stat->name));
	return 0;
}

/* Hooks, in order of registration; never removed. */
static struct cobalt_tsd_hook *_Atomic hooks;

void cobalt_register_tsd_hook(struct cobalt_tsd_hook *th)
{
	th->next = atomic_load(&hooks);
	while (!atomic_compare_exchange_weak(&hooks, &th->next, th))
		;
}

struct birth {
	void *(*start)(void *);
	void *arg;
	sem_t began;
};

static void end_hooked(void *unused)
{
	(void)unused;
	for (const struct cobalt_tsd_hook *hook = atomic_load(&hooks); hook; hook = hook->next)
		if (hook->delete_tsd)
			hook->delete_tsd();
}

/* The creator, which has the birth on its stack, waits with cancellation disabled until this skin
 * knows the thread. */
static void *begin_hooked(void *arg)
{
	struct birth *told = arg;
	struct birth birth = *told;
	void *result;

	(void)sem_post(&told->began);
	/* Waking a Linux thread has switched to secondary mode. */
	cobalt_thread_harden();
	for (const struct cobalt_tsd_hook *hook = atomic_load(&hooks); hook; hook = hook->next)
		if (hook->create_tsd)
			hook->create_tsd();
	pthread_cleanup_push(end_hooked, NULL);
	result = birth.start(birth.arg);
	pthread_cleanup_pop(1);
	return result;
}

int __wrap_pthread_create(pthread_t *ptid_r, const pthread_attr_t *attr, void *(*start)(void *),
			  void *arg)
{
	struct birth birth = {.start = start, .arg = arg};
	int error, state;

	if (cobalt_debug_unlocked(attr))
		return EINTR;
	/* Done by the creator, which may go to Linux for it; the thread prints from primary
	 * mode. */
	print_pool_start();
	(void)sem_init(&birth.began, 0, 0);
	(void)pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
	error = pthread_create(ptid_r, attr, begin_hooked, &birth);
	while (!error && sem_wait(&birth.began))
		;
	(void)pthread_setcancelstate(state, NULL);
	return error;
}
