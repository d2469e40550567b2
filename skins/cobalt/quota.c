/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Thread groups of SCHED_QUOTA: groups of the nucleus by number, with per cent in place of
 * nanoseconds. */
#include "cobalt_internal.h"

#define GROUPS      64
#define INTERVAL_NS 10000000u

static struct group {
	tact_quota_t native; /* TACT_NONE: free */
	int cpu;
	int quota;
	int peak;
} groups[GROUPS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct group *group_of(int number)
{
	return number >= 0 && number < GROUPS && groups[number].native.id ? &groups[number] : NULL;
}

tact_quota_t cobalt_quota_handle(int number)
{
	const struct group *group = group_of(number);

	return group ? group->native : (tact_quota_t){0};
}

int cobalt_quota_number(tact_quota_t handle)
{
	for (int i = 0; i < GROUPS; i++)
		if (handle.id && groups[i].native.id == handle.id)
			return i;
	return -1;
}

static void inform(int number, struct __sched_quota_info *info)
{
	const struct group *group = &groups[number];

	*info = (struct __sched_quota_info){number, group->quota, group->peak, 0};
	for (int i = 0; i < GROUPS; i++)
		if (groups[i].native.id && groups[i].cpu == group->cpu)
			info->quota_sum += groups[i].quota;
}

/* The quota of a new group: the least that the back end can keep. */
static uint64_t least_ns(void)
{
	struct tact_sched_limits limits = {0};

	(void)tact_sched_limits(&limits);
	return limits.slice_min_ns;
}

static int add(int cpu, struct __sched_config_quota *config)
{
	int number = 0;
	int error;

	while (number < GROUPS && groups[number].native.id)
		number++;
	if (number == GROUPS)
		return -ENOMEM;
	if (config->add.pshared)
		return -ENOSYS;
	error = tact_quota_create(NULL, INTERVAL_NS, least_ns(), 0, TACT_ON_CPU((uint32_t)cpu),
				  &groups[number].native);
	if (error)
		return error;
	groups[number].cpu = cpu;
	groups[number].quota = groups[number].peak = 0;
	inform(number, &config->info);
	return 0;
}

static int set(struct __sched_config_quota *config)
{
	struct group *group = group_of(config->set.tgid);
	int quota = config->set.quota;
	int peak = config->set.quota_peak;
	int error;

	if (!group)
		return -ESRCH;
	if (quota < 1 || quota > 100 || peak < quota || peak > 100)
		return -EINVAL;
	error = tact_quota_set(group->native, INTERVAL_NS, (uint64_t)quota * INTERVAL_NS / 100,
			       (uint64_t)peak * INTERVAL_NS / 100);
	if (error)
		return error;
	group->quota = quota;
	group->peak = peak;
	inform(config->set.tgid, &config->info);
	return 0;
}

/* The members of a group continue as FIFO threads. */
static bool let_member_go(const struct posix_thread *thread, void *arg)
{
	const struct tact_sched_param fifo = {.sched_class = TACT_SCHED_FIFO};
	const struct group *group = arg;
	struct tact_sched_param sched = {0};

	if (!tact_task_get_sched(thread->task, &sched) && sched.sched_class == TACT_SCHED_QUOTA &&
	    sched.quota_group.id == group->native.id)
		(void)tact_task_set_sched(thread->task, &fifo);
	return false;
}

static int remove_group(int number, bool by_force)
{
	struct group *group = group_of(number);
	int error;

	if (!group)
		return -ESRCH;
	if (by_force)
		cobalt_each_task(let_member_go, group);
	error = tact_quota_delete(group->native);
	if (!error)
		group->native.id = 0;
	return error;
}

static int apply(int cpu, struct __sched_config_quota *config)
{
	switch (config->op) {
	case sched_quota_add:
		return add(cpu, config);
	case sched_quota_remove:
	case sched_quota_force_remove:
		return remove_group(config->remove.tgid, config->op == sched_quota_force_remove);
	case sched_quota_set:
		return set(config);
	case sched_quota_get:
		if (!group_of(config->get.tgid))
			return -ESRCH;
		inform(config->get.tgid, &config->info);
		return 0;
	default:
		return -EINVAL;
	}
}

int cobalt_quota_set(int cpu, union sched_config *config)
{
	int error;

	posix_real.pthread_mutex_lock(&lock);
	error = apply(cpu, &config->quota);
	posix_real.pthread_mutex_unlock(&lock);
	return error;
}

ssize_t cobalt_quota_get(int cpu, union sched_config *config)
{
	int error;

	config->quota.op = sched_quota_get;
	error = cobalt_quota_set(cpu, config);
	return error ? error : (ssize_t)sched_quota_confsz();
}
