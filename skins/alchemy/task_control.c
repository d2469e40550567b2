/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Control of tasks: suspension, priority, class, mode, CPU. */
#define _GNU_SOURCE /* CPU_ISSET() */
#include "alchemy_task.h"
#include "remote.h"
#include "warn.h"

#define MODE_BITS (T_LOCK | T_WARNSW | T_CONFORMING)

int rt_task_suspend(RT_TASK *task)
{
	struct runtime_record *object;
	int error = alchemy_task_find(task, &object);

	if (error)
		return alchemy_remote_instead(task, error, REMOTE_TASK_SUSPEND, 0, 0);
	return alchemy_task_result(tact_task_suspend(alchemy_task(object)));
}

int rt_task_resume(RT_TASK *task)
{
	struct runtime_record *object;
	int error;

	if (!task || alchemy_task_find(task, &object))
		return alchemy_remote_instead(task, -EINVAL, REMOTE_TASK_RESUME, 0, 0);
	error = tact_task_resume(alchemy_task(object));
	/* The task was not suspended. */
	return error == -TACT_ESRCH ? 0 : alchemy_task_result(error);
}

int rt_task_unblock(RT_TASK *task)
{
	struct runtime_record *object;
	int error;

	if (!task || alchemy_task_find(task, &object))
		return alchemy_remote_instead(task, -EINVAL, REMOTE_TASK_UNBLOCK, 0, 0);
	/* By this a sleep knows that it was unblocked, as signals break its wait, too. */
	atomic_store_explicit(&alchemy_task_of(object)->unblocked, 1, memory_order_release);
	error = tact_task_unblock(alchemy_task(object), -TACT_EINTR);
	/* The task does not wait, except perhaps in another process. */
	if (error == -TACT_ESRCH)
		session_break(alchemy_task(object));
	return error == -TACT_ESRCH ? 0 : alchemy_task_result(error);
}

int rt_task_set_priority(RT_TASK *task, int prio)
{
	struct runtime_record *object;
	struct tact_sched_param now = {0};
	const struct tact_sched_param *next = alchemy_task_class(prio);
	uint32_t priority = alchemy_task_priority(prio);
	uint32_t before;
	int error;

	if (prio < T_LOPRIO || prio > T_HIPRIO)
		return -EINVAL;
	error = alchemy_task_find(task, &object);
	if (error)
		return alchemy_remote_instead(task, error, REMOTE_TASK_SET_PRIORITY, (uint64_t)prio,
					      0);
	error = alchemy_task_result(tact_task_get_sched(alchemy_task(object), &now));
	if (!error)
		error = alchemy_task_result(
			tact_task_set_priority(alchemy_task(object), priority, 0, &before));
	if (error)
		return error;
	session_follow(alchemy_task(object), priority);
	/*
	 * The class is set if it changes. It is also set if the priority stays the same, as this
	 * takes the task to the end of its level. A task that has ended meanwhile needs neither.
	 */
	if ((now.sched_class == TACT_SCHED_WEAK) != (prio == 0))
		(void)tact_task_set_sched(alchemy_task(object), next);
	else if (before == priority)
		(void)tact_task_set_sched(alchemy_task(object), &now);
	return 0;
}

int rt_task_slice(RT_TASK *task, RTIME quantum)
{
	struct runtime_record *object;
	struct tact_sched_param now = {0};
	struct tact_sched_param next = {.sched_class = quantum ? TACT_SCHED_RR : TACT_SCHED_FIFO,
					.quantum_ns = alchemy_ns(quantum)};
	int error = alchemy_task_find(task, &object);

	if (error)
		return alchemy_remote_instead(task, error, REMOTE_TASK_SLICE, alchemy_ns(quantum),
					      0);
	error = tact_task_get_sched(alchemy_task(object), &now);
	if (error)
		return alchemy_task_result(error);
	if (now.sched_class == TACT_SCHED_WEAK)
		return quantum ? -EINVAL : 0;
	return alchemy_task_result(tact_task_set_sched(alchemy_task(object), &next));
}

static int set_lock(int clrmask, int setmask, struct alchemy_task *own)
{
	int error = 0;

	if (clrmask & T_LOCK && own->mode & T_LOCK)
		error = tact_task_unlock_scheduler();
	if (setmask & T_LOCK && (!(own->mode & T_LOCK) || clrmask & T_LOCK))
		error = tact_task_lock_scheduler();
	return error;
}

int rt_task_set_mode(int clrmask, int setmask, int *mode_r)
{
	struct runtime_record *object = alchemy_task_current();
	struct alchemy_task *own;
	int before;

	if (runtime_in_handler())
		return (clrmask | setmask) & ~T_LOCK ? -EPERM : 0;
	if ((clrmask | setmask) & ~MODE_BITS)
		return -EINVAL;
	if (!object)
		return -EPERM;
	own = alchemy_task_of(object);
	before = own->mode & (T_LOCK | T_WARNSW);
	if (mode_r)
		*mode_r = before;
	(void)set_lock(clrmask, setmask, own);
	(void)tact_task_set_flags(TACT_SELF, setmask & T_WARNSW ? SKIN_WARN : 0,
				  clrmask & ~setmask & T_WARNSW ? SKIN_WARN : 0);
	own->mode =
		(own->mode & ~(clrmask & (T_LOCK | T_WARNSW))) | (setmask & (T_LOCK | T_WARNSW));
	if (setmask & T_CONFORMING)
		(void)tact_task_harden();
	return 0;
}

int rt_task_set_affinity(RT_TASK *task, const cpu_set_t *cpus)
{
	struct runtime_record *object;
	struct tact_task_info info = {0};
	struct tact_cpu_info cpu = {0};
	uint32_t choice = TACT_CPU_ANY;
	int error = alchemy_task_find(task, &object);

	if (error && !alchemy_is_proxy(task, ALCHEMY_TASK))
		return error;
	if (alchemy_bad_pointer(cpus))
		return -EINVAL;
	if (error)
		return (int)alchemy_remote_write(task, REMOTE_TASK_SET_AFFINITY, cpus,
						 sizeof(*cpus), 0, TACT_NOWAIT);
	error = tact_task_inquire(alchemy_task(object), &info);
	if (error)
		return alchemy_task_result(error);
	for (uint32_t i = 0; i < tact_cpus(); i++) {
		if (tact_cpu_inquire(i, &cpu) || cpu.linux_cpu >= CPU_SETSIZE ||
		    !CPU_ISSET(cpu.linux_cpu, cpus))
			continue;
		if (i == info.cpu)
			return 0;
		if (choice == TACT_CPU_ANY)
			choice = i;
	}
	if (choice == TACT_CPU_ANY)
		return -EINVAL;
	return alchemy_task_result(tact_task_migrate(alchemy_task(object), choice));
}
