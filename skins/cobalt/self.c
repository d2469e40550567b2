/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Callers without a real-time policy become weak tasks; and walks over tasks and waiters. */
#include "cobalt_internal.h"

#include <dirent.h>
#include <stdlib.h>

int cobalt_be_weak(int priority)
{
	static const struct tact_sched_param weak = {.sched_class = TACT_SCHED_WEAK};
	struct tact_task_attr attr = {
		.priority = TACT_PRIORITY_MIN + (uint32_t)priority,
		.sched = &weak,
	};
	int error;

	if (!posix_start())
		return -EPERM;
	if (tact_task_self().id) {
		error = tact_task_set_priority(TACT_SELF, attr.priority, 0, NULL);
		return error ? error : tact_task_set_sched(TACT_SELF, &weak);
	}
	error = tact_task_attach(&attr, NULL);
	/* No memory for the stack. */
	return error == -TACT_ENOSPC ? -TACT_ENOMEM : error;
}

int cobalt_be_task(void)
{
	return tact_task_self().id ? 0 : cobalt_be_weak(0);
}

void cobalt_each_task(bool (*visit)(const struct posix_thread *thread, void *arg), void *arg)
{
	DIR *threads = opendir("/proc/self/task");
	const struct dirent *entry;
	bool done = false;

	while (threads && !done && (entry = readdir(threads))) {
		pid_t tid = atoi(entry->d_name);
		const struct posix_thread *thread;

		if (tid <= 0)
			continue;
		posix_threads_lock();
		thread = posix_thread_of_tid(tid);
		if (thread && thread->task.id)
			done = visit(thread, arg);
		posix_threads_unlock();
	}
	if (threads)
		closedir(threads);
}

struct waiters {
	tact_object_t object;
	pid_t *list;
	size_t room;
	int count;
};

static bool note_waiter(const struct posix_thread *thread, void *arg)
{
	struct waiters *waiters = arg;
	struct tact_task_info info = {0};

	if (tact_task_inquire(thread->task, &info) || !tact_same(info.waits_for, waiters->object))
		return false;
	if ((size_t)waiters->count < waiters->room)
		waiters->list[waiters->count] = thread->tid;
	waiters->count++;
	return false;
}

int cobalt_waiters(tact_object_t object, pid_t *list, size_t bytes)
{
	struct waiters waiters = {object, list, list ? bytes / sizeof(*list) : 0, 0};

	if (waiters.room)
		cobalt_each_task(note_waiter, &waiters);
	return (size_t)waiters.count < waiters.room ? waiters.count : (int)waiters.room;
}

int cobalt_cpu(int linux_cpu)
{
	struct tact_cpu_info info = {0};

	if (linux_cpu < 0 || !posix_start())
		return -EINVAL;
	for (uint32_t cpu = 0; cpu < tact_cpus(); cpu++)
		if (!tact_cpu_inquire(cpu, &info) && info.linux_cpu == (uint32_t)linux_cpu)
			return (int)cpu;
	/* Programs assume that they have the first CPU. */
	return linux_cpu ? -EINVAL : 0;
}
