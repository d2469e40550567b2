/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Policies that POSIX does not have. A thread with one has SCHED_FIFO in the POSIX skin and in
 * Linux, and its own class in the nucleus, from which its parameters are read.
 */
#include "cobalt_internal.h"

#include <pthread.h>
#include <sched.h>

#include "weak.h"

#define PRIORITY_MAX 99

/* The class of a policy that POSIX does not have; for a policy of POSIX *class is zero. 0 or an
 * error number. */
static int class_of(int policy, const struct sched_param_ex *param, struct tact_sched_param *class)
{
	*class = (struct tact_sched_param){.sched_class = TACT_SCHED_FIFO};
	switch (policy) {
	case SCHED_RR:
		if (!posix_time_is_valid(&param->sched_rr_quantum))
			return EINVAL;
		class->quantum_ns = posix_ns(&param->sched_rr_quantum);
		if (class->quantum_ns)
			class->sched_class = TACT_SCHED_RR;
		return 0;
	case SCHED_SPORADIC:
		if (!posix_time_is_valid(&param->sched_ss_init_budget) ||
		    !posix_time_is_valid(&param->sched_ss_repl_period) ||
		    param->sched_ss_low_priority < 1 ||
		    param->sched_ss_low_priority >= param->sched_priority ||
		    param->sched_ss_max_repl < 1 || param->sched_ss_max_repl > UINT16_MAX)
			return EINVAL;
		class->sched_class = TACT_SCHED_SPORADIC;
		class->budget_ns = posix_ns(&param->sched_ss_init_budget);
		class->replenish_ns = posix_ns(&param->sched_ss_repl_period);
		class->low_priority = posix_level(param->sched_ss_low_priority);
		class->replenish_max = (uint16_t)param->sched_ss_max_repl;
		return 0;
	case SCHED_TP:
		if (param->sched_tp_partition < 0 ||
		    param->sched_tp_partition >= (int)TACT_PARTITIONS)
			return EINVAL;
		class->sched_class = TACT_SCHED_PARTITION;
		class->partition = (uint16_t)param->sched_tp_partition;
		return 0;
	case SCHED_QUOTA:
		class->sched_class = TACT_SCHED_QUOTA;
		class->quota_group = cobalt_quota_handle(param->sched_quota_group);
		return class->quota_group.id ? 0 : EINVAL;
	default:
		return 0;
	}
}

bool cobalt_has_class(int policy)
{
	return policy == SCHED_SPORADIC || policy == SCHED_TP || policy == SCHED_QUOTA;
}

/* The policy of POSIX that a thread with this policy gets. */
static int posix_policy(int policy)
{
	switch (policy) {
	case SCHED_OTHER:
	case SCHED_WEAK:
		return SCHED_OTHER;
	case SCHED_RR:
		return SCHED_RR;
	default:
		return SCHED_FIFO;
	}
}

struct look {
	pthread_t thread;
	tact_task_t task;
};

static bool is_looked_for(const struct posix_thread *thread, void *arg)
{
	struct look *look = arg;

	if (pthread_equal(thread->pthread, look->thread))
		look->task = thread->task;
	return look->task.id != 0;
}

static tact_task_t task_of(pthread_t thread)
{
	struct look look = {.thread = thread};

	if (pthread_equal(thread, pthread_self()))
		return tact_task_self();
	cobalt_each_task(is_looked_for, &look);
	return look.task;
}

/* A thread that gets a policy that POSIX does not have must be a task already, or the caller. */
static int set_sched(pthread_t ptid, int pol, const struct sched_param_ex *par)
{
	bool own = pthread_equal(ptid, pthread_self());
	struct sched_param plain = {0};
	struct tact_sched_param class = {0};
	tact_task_t task;
	int error;

	if (!cobalt_policy_is_known(pol, par))
		return EINVAL;
	error = class_of(pol, par, &class);
	if (error)
		return error;
	/* A thread makes itself a weak task, and only so gets a priority among weak tasks. */
	if (!own && pol == SCHED_WEAK && par->sched_priority)
		return EPERM;
	if (pol != SCHED_WEAK)
		plain.sched_priority = par->sched_priority;
	if (!own && class.sched_class != TACT_SCHED_FIFO && !task_of(ptid).id)
		return EPERM;
	error = pthread_setschedparam(ptid, posix_policy(pol), &plain);
	if (error)
		return error;
	if (own && pol != SCHED_WEAK && pol != SCHED_OTHER)
		cobalt_weak_end();
	if (own && (pol == SCHED_WEAK || (pol == SCHED_OTHER && tact_task_self().id)))
		cobalt_weak_begin(pol == SCHED_WEAK ? par->sched_priority : 0);
	if (pol == SCHED_WEAK && own)
		return -cobalt_be_weak(par->sched_priority);
	/* A task continues as the least of the weak tasks. */
	if (pol == SCHED_OTHER && own && tact_task_self().id)
		return -cobalt_be_weak(0);
	if (class.sched_class == TACT_SCHED_FIFO)
		return 0;
	task = task_of(ptid);
	return task.id ? -cobalt_result(tact_task_set_sched(task, &class)) : EPERM;
}

int pthread_setschedparam_ex(pthread_t ptid, int pol, const struct sched_param_ex *par)
{
	struct sched_param_ex meant;
	int error;

	if (!par)
		return EINVAL;
	pol = cobalt_policy_meant(pol, par, &meant);
	error = set_sched(ptid, pol, &meant);
	if (!error && pthread_equal(ptid, pthread_self()))
		cobalt_modes_of_new_task();
	return error;
}

/* The policy that corresponds to the task's class; *par contains the priority already. */
static int policy_of(int policy, tact_task_t task, struct sched_param_ex *par)
{
	struct tact_sched_param class = {0};
	struct tact_task_info info = {0};

	if (!task.id || tact_task_get_sched(task, &class))
		return policy;
	switch (class.sched_class) {
	case TACT_SCHED_RR:
		par->sched_rr_quantum = posix_timespec(class.quantum_ns);
		return SCHED_RR;
	case TACT_SCHED_SPORADIC:
		par->sched_ss_init_budget = posix_timespec(class.budget_ns);
		par->sched_ss_repl_period = posix_timespec(class.replenish_ns);
		par->sched_ss_max_repl = (int)class.replenish_max;
		for (int low = 1; low < PRIORITY_MAX; low++)
			if (posix_level(low) == class.low_priority)
				par->sched_ss_low_priority = low;
		return SCHED_SPORADIC;
	case TACT_SCHED_PARTITION:
		par->sched_tp_partition = (int)class.partition;
		return SCHED_TP;
	case TACT_SCHED_QUOTA:
		par->sched_quota_group = cobalt_quota_number(class.quota_group);
		return SCHED_QUOTA;
	case TACT_SCHED_WEAK:
		if (tact_task_inquire(task, &info) || info.base_priority == TACT_PRIORITY_MIN)
			return policy;
		par->sched_priority = (int)(info.base_priority - TACT_PRIORITY_MIN);
		return SCHED_WEAK;
	default:
		return policy;
	}
}

int pthread_getschedparam_ex(pthread_t ptid, int *pol, struct sched_param_ex *par)
{
	struct sched_param plain;
	int error;

	if (!pol || !par)
		return EINVAL;
	error = pthread_getschedparam(ptid, pol, &plain);
	if (error)
		return error;
	*par = (struct sched_param_ex){.sched_priority = plain.sched_priority};
	*pol = policy_of(*pol, task_of(ptid), par);
	return 0;
}

/* Find a thread by its id: 0 or an error number. */
static int find_thread(pid_t pid, pthread_t *thread)
{
	const struct posix_thread *found;

	if (pid < 0)
		return EINVAL;
	posix_threads_lock();
	found = posix_thread_of_tid(pid);
	if (found)
		*thread = found->pthread;
	posix_threads_unlock();
	return found ? 0 : ESRCH;
}

int sched_setscheduler_ex(pid_t pid, int policy, const struct sched_param_ex *param_ex)
{
	pthread_t thread;
	int error = find_thread(pid, &thread);

	return error ? error : pthread_setschedparam_ex(thread, policy, param_ex);
}

int sched_getscheduler_ex(pid_t pid, int *policy_r, struct sched_param_ex *param_ex)
{
	pthread_t thread;
	int error = find_thread(pid, &thread);

	return error ? error : pthread_getschedparam_ex(thread, policy_r, param_ex);
}
