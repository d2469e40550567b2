/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Policies beyond POSIX, and the configuration of time partitions and quotas. */
#include "cobalt_test.h"

#include <sched.h>
#include <sys/syscall.h>
#include <time.h>

static uint64_t run_ns(void)
{
	struct cobalt_threadstat stat = {0};

	expect_ok(cobalt_thread_stat(0, &stat));
	return stat.xtime;
}

static void compute(uint64_t ns)
{
	unsigned long long begin = cobalt_read_ns();

	while (cobalt_read_ns() - begin < ns)
		;
}

static void set_and_get(int policy, const struct sched_param_ex *set, struct sched_param_ex *get)
{
	int told = -1;

	expect_ok(pthread_setschedparam_ex(pthread_self(), policy, set));
	expect_ok(pthread_getschedparam_ex(pthread_self(), &told, get));
	expect_eq(told, policy);
	if (policy != SCHED_OTHER)
		expect_eq(get->sched_priority, set->sched_priority);
	expect_ok(sched_getscheduler_ex(0, &told, get));
	expect_eq(told, policy);
}

static void *every_policy(void *unused)
{
	struct sched_param_ex param = {.sched_priority = 10};
	struct sched_param_ex told;
	struct sched_param_ex sporadic = {.sched_priority = 20};

	set_and_get(SCHED_FIFO, &param, &told);
	param.sched_rr_quantum = (struct timespec){0, 3 * MS};
	set_and_get(SCHED_RR, &param, &told);
	expect_eq(told.sched_rr_quantum.tv_nsec, 3 * MS);
	sporadic.sched_ss_low_priority = 5;
	sporadic.sched_ss_init_budget = (struct timespec){0, MS};
	sporadic.sched_ss_repl_period = (struct timespec){0, 10 * MS};
	sporadic.sched_ss_max_repl = 2;
	set_and_get(SCHED_SPORADIC, &sporadic, &told);
	expect_eq(told.sched_ss_low_priority, 5);
	expect_eq(told.sched_ss_init_budget.tv_nsec, MS);
	expect_eq(told.sched_ss_repl_period.tv_nsec, 10 * MS);
	expect_eq(told.sched_ss_max_repl, 2);
	expect_eq(cobalt_thread_mode(), 0);
	param = (struct sched_param_ex){.sched_priority = 7};
	set_and_get(SCHED_WEAK, &param, &told);
	expect_eq(cobalt_thread_mode() & XNWEAK, XNWEAK);
	param.sched_priority = 0;
	set_and_get(SCHED_OTHER, &param, &told);
	param.sched_priority = 10;
	set_and_get(SCHED_FIFO, &param, &told);
	expect_eq(cobalt_thread_mode(), 0);
	return unused;
}

static void policies_are_set_and_told(void)
{
	in_task(every_policy, NULL);
}

static void *bad_parameters(void *unused)
{
	const pthread_t self = pthread_self();
	struct sched_param_ex good = {.sched_priority = 20};
	struct sched_param_ex bad = {.sched_priority = 100};
	int policy;

	expect_eq(pthread_setschedparam_ex(self, SCHED_FIFO, &bad), EINVAL);
	expect_eq(pthread_setschedparam_ex(self, SCHED_FIFO, NULL), EINVAL);
	expect_eq(pthread_setschedparam_ex(self, 77, &good), EINVAL);
	expect_eq(pthread_setschedparam_ex(self, SCHED_SPORADIC, &good), EINVAL);
	good.sched_ss_low_priority = 20;
	expect_eq(pthread_setschedparam_ex(self, SCHED_SPORADIC, &good), EINVAL);
	good.sched_tp_partition = 32;
	expect_eq(pthread_setschedparam_ex(self, SCHED_TP, &good), EINVAL);
	good.sched_quota_group = 5;
	expect_eq(pthread_setschedparam_ex(self, SCHED_QUOTA, &good), EINVAL);
	expect_eq(pthread_getschedparam_ex(self, NULL, &good), EINVAL);
	expect_eq(pthread_getschedparam_ex(self, &policy, NULL), EINVAL);
	expect_eq(sched_setscheduler_ex(1, SCHED_FIFO, &good), ESRCH);
	expect_eq(sched_getscheduler_ex(1, &policy, &good), ESRCH);
	return unused;
}

static void ranges_are_told(void)
{
	in_task(bad_parameters, NULL);
	expect_eq(sched_get_priority_min_ex(SCHED_TP), 1);
	expect_eq(sched_get_priority_max_ex(SCHED_QUOTA), 99);
	expect_eq(sched_get_priority_min(SCHED_WEAK), 0);
	expect_eq(sched_get_priority_max(SCHED_WEAK), 99);
	expect_eq(sched_get_priority_max(SCHED_OTHER), 0);
	expect_errno(sched_get_priority_min_ex(77), EINVAL);
	expect_errno(sched_get_priority_max_ex(77), EINVAL);
	expect_true(cobalt_sched_weighted_prio(SCHED_FIFO,
					       &(struct sched_param_ex){.sched_priority = 10}) >
		    cobalt_sched_weighted_prio(SCHED_WEAK,
					       &(struct sched_param_ex){.sched_priority = 10}));
	expect_eq(cobalt_sched_weighted_prio(SCHED_FIFO,
					     &(struct sched_param_ex){.sched_priority = 0}),
		  -EINVAL);
}

static int group;

static void *use_quota(void *arg)
{
	struct sched_param_ex param = {.sched_priority = 10};
	uint64_t *used = arg;
	uint64_t begin;

	param.sched_quota_group = group;
	expect_ok(pthread_setschedparam_ex(pthread_self(), SCHED_QUOTA, &param));
	begin = run_ns();
	compute(200 * MS);
	*used = run_ns() - begin;
	return NULL;
}

static void quota_limits_a_group(void)
{
	union sched_config config = {.quota = {.op = sched_quota_add}};
	size_t length = sched_quota_confsz();
	uint64_t used = 0;

	/* Each program has its own real-time CPUs. */
	config.quota.add.pshared = 1;
	expect_eq(sched_setconfig_np(0, SCHED_QUOTA, &config, length), ENOSYS);
	config.quota.add.pshared = 0;
	expect_ok(sched_setconfig_np(0, SCHED_QUOTA, &config, length));
	group = config.quota.info.tgid;
	config.quota = (struct __sched_config_quota){.op = sched_quota_set};
	config.quota.set.tgid = group;
	config.quota.set.quota = 20;
	config.quota.set.quota_peak = 20;
	expect_ok(sched_setconfig_np(0, SCHED_QUOTA, &config, length));
	expect_eq(config.quota.info.quota_sum, 20);
	in_task(use_quota, &used);
	expect_true(used > 10 * MS && used < 80 * MS);
	config.quota.get.tgid = group;
	length = sizeof(config);
	expect_eq(sched_getconfig_np(0, SCHED_QUOTA, &config, &length), 0);
	expect_eq(length, (int64_t)sched_quota_confsz());
	expect_eq(config.quota.info.quota, 20);
	config.quota = (struct __sched_config_quota){.op = sched_quota_set, .set = {group, 0, 0}};
	expect_eq(sched_setconfig_np(0, SCHED_QUOTA, &config, length), EINVAL);
	config.quota = (struct __sched_config_quota){.op = sched_quota_set, .set = {group, 50, 40}};
	expect_eq(sched_setconfig_np(0, SCHED_QUOTA, &config, length), EINVAL);
	config.quota = (struct __sched_config_quota){.op = sched_quota_remove, .remove = {group}};
	expect_ok(sched_setconfig_np(0, SCHED_QUOTA, &config, length));
	expect_eq(sched_setconfig_np(0, SCHED_QUOTA, &config, length), ESRCH);
	config.quota = (struct __sched_config_quota){.op = 9};
	expect_eq(sched_setconfig_np(0, SCHED_QUOTA, &config, length), EINVAL);
	expect_eq(sched_setconfig_np(0, SCHED_QUOTA, &config, length - 1), EINVAL);
	expect_eq(sched_setconfig_np(4000, SCHED_QUOTA, &config, length), EINVAL);
	expect_eq(sched_setconfig_np(0, SCHED_FIFO, &config, length), EINVAL);
	expect_eq(sched_getconfig_np(0, SCHED_FIFO, &config, &length), EINVAL);
}

static void *stay_in_group(void *arg)
{
	struct sched_param_ex param = {.sched_priority = 10};
	const struct timespec ms = {0, MS};
	union sched_config config = {.quota = {.op = sched_quota_remove}};
	int policy = -1;

	(void)arg;
	param.sched_quota_group = group;
	expect_ok(pthread_setschedparam_ex(pthread_self(), SCHED_QUOTA, &param));
	config.quota.remove.tgid = group;
	expect_eq(sched_setconfig_np(0, SCHED_QUOTA, &config, sizeof(config)), EBUSY);
	config.quota.op = sched_quota_force_remove;
	expect_ok(sched_setconfig_np(0, SCHED_QUOTA, &config, sizeof(config)));
	expect_ok(pthread_getschedparam_ex(pthread_self(), &policy, &param));
	expect_eq(policy, SCHED_FIFO);
	expect_ok(clock_nanosleep(CLOCK_MONOTONIC, 0, &ms, NULL));
	return NULL;
}

static void group_with_threads_goes_by_force(void)
{
	union sched_config config = {.quota = {.op = sched_quota_add}};

	expect_ok(sched_setconfig_np(0, SCHED_QUOTA, &config, sizeof(config)));
	group = config.quota.info.tgid;
	config.quota = (struct __sched_config_quota){.op = sched_quota_set, .set = {group, 50, 50}};
	expect_ok(sched_setconfig_np(0, SCHED_QUOTA, &config, sizeof(config)));
	in_task(stay_in_group, NULL);
}

static char order[64];

static void *in_partition(void *arg)
{
	char name = *(const char *)arg;

	for (int i = 0; i < 3; i++) {
		unsigned long long last = cobalt_read_ns();

		order[strlen(order)] = name;
		/* Until the window was over, and another one has begun. */
		for (;;) {
			unsigned long long now = cobalt_read_ns();

			if (now - last > 30 * MS)
				break;
			last = now;
		}
	}
	return NULL;
}

static pthread_t partition_thread(int partition, const char *name)
{
	struct sched_param_ex param = {.sched_priority = 10};
	pthread_attr_ex_t attr;
	pthread_t thread = 0;

	param.sched_tp_partition = partition;
	expect_ok(pthread_attr_init_ex(&attr));
	expect_ok(pthread_attr_setinheritsched_ex(&attr, PTHREAD_EXPLICIT_SCHED));
	expect_ok(pthread_attr_setschedpolicy_ex(&attr, SCHED_TP));
	expect_ok(pthread_attr_setschedparam_ex(&attr, &param));
	expect_ok(pthread_create_ex(&thread, &attr, in_partition, (void *)(uintptr_t)name));
	expect_ok(pthread_attr_destroy_ex(&attr));
	return thread;
}

static union sched_config *schedule(const int *owners, int count)
{
	union sched_config *config = calloc(1, sched_tp_confsz((size_t)count));

	config->tp.op = sched_tp_install;
	config->tp.nr_windows = count;
	for (int i = 0; i < count; i++) {
		config->tp.windows[i].offset.tv_nsec = (long)(i * 20 * MS);
		config->tp.windows[i].duration.tv_nsec = 20 * MS;
		config->tp.windows[i].ptid = owners[i];
	}
	return config;
}

static void partitions_take_turns(void)
{
	const int owners[] = {1, -1, 0};
	union sched_config *config = schedule(owners, 3);
	union sched_config op = {.tp = {.op = sched_tp_start}};
	union sched_config *back = calloc(1, sched_tp_confsz(3));
	size_t length = sched_tp_confsz(3);
	pthread_t a;
	pthread_t b;

	memset(order, 0, sizeof(order));
	expect_ok(sched_setconfig_np(0, SCHED_TP, config, length));
	expect_eq(sched_getconfig_np(0, SCHED_TP, back, &length), 0);
	expect_eq(length, (int64_t)sched_tp_confsz(3));
	expect_eq(back->tp.windows[2].ptid, 0);
	length = 4;
	expect_eq(sched_getconfig_np(0, SCHED_TP, back, &length), ENOSPC);
	a = partition_thread(0, "A");
	b = partition_thread(1, "B");
	expect_true(!order[0]);
	expect_ok(sched_setconfig_np(0, SCHED_TP, &op, sizeof(op.tp)));
	expect_ok(pthread_join(a, NULL));
	expect_ok(pthread_join(b, NULL));
	expect_true(!strncmp(order, "BABABA", 6));
	op.tp.op = sched_tp_stop;
	expect_ok(sched_setconfig_np(0, SCHED_TP, &op, sizeof(op.tp)));
	op.tp.op = sched_tp_uninstall;
	expect_ok(sched_setconfig_np(0, SCHED_TP, &op, sizeof(op.tp)));
	length = sched_tp_confsz(3);
	expect_ok(sched_getconfig_np(0, SCHED_TP, back, &length));
	/* An undeclared gap, an empty window, partitions that do not exist. */
	config->tp.windows[1].offset.tv_nsec++;
	expect_eq(sched_setconfig_np(0, SCHED_TP, config, sched_tp_confsz(3)), EINVAL);
	config->tp.windows[1].offset.tv_nsec--;
	config->tp.windows[0].ptid = 32;
	expect_eq(sched_setconfig_np(0, SCHED_TP, config, sched_tp_confsz(3)), EINVAL);
	expect_eq(sched_setconfig_np(0, SCHED_TP, config, sched_tp_confsz(2)), EINVAL);
	op.tp.op = 7;
	expect_eq(sched_setconfig_np(0, SCHED_TP, &op, sizeof(op.tp)), EINVAL);
	free(config);
	free(back);
}

static void *nothing(void *arg)
{
	return arg;
}

static void attributes_are_kept(void)
{
	pthread_attr_ex_t attr;
	struct sched_param_ex param = {.sched_priority = 100};
	pthread_t thread;
	size_t bytes;
	int value;

	expect_ok(pthread_attr_init_ex(&attr));
	expect_ok(pthread_attr_setschedpolicy_ex(&attr, SCHED_QUOTA));
	expect_ok(pthread_attr_getschedpolicy_ex(&attr, &value));
	expect_eq(value, SCHED_QUOTA);
	expect_eq(pthread_attr_setschedpolicy_ex(&attr, 77), EINVAL);
	expect_ok(pthread_attr_setpersonality_ex(&attr, 3));
	expect_ok(pthread_attr_getpersonality_ex(&attr, &value));
	expect_eq(value, 3);
	expect_ok(pthread_attr_setdetachstate_ex(&attr, PTHREAD_CREATE_JOINABLE));
	expect_ok(pthread_attr_getdetachstate_ex(&attr, &value));
	expect_eq(value, PTHREAD_CREATE_JOINABLE);
	expect_ok(pthread_attr_setscope_ex(&attr, PTHREAD_SCOPE_SYSTEM));
	expect_ok(pthread_attr_getscope_ex(&attr, &value));
	expect_eq(value, PTHREAD_SCOPE_SYSTEM);
	expect_ok(pthread_attr_setstacksize_ex(&attr, 1 << 20));
	expect_ok(pthread_attr_getstacksize_ex(&attr, &bytes));
	expect_eq(bytes, 1 << 20);
	expect_ok(pthread_attr_setinheritsched_ex(&attr, PTHREAD_EXPLICIT_SCHED));
	expect_ok(pthread_attr_getinheritsched_ex(&attr, &value));
	expect_eq(value, PTHREAD_EXPLICIT_SCHED);
	expect_ok(pthread_attr_setschedparam_ex(&attr, &param));
	expect_ok(pthread_attr_getschedparam_ex(&attr, &param));
	expect_eq(param.sched_priority, 100);
	expect_eq(pthread_create_ex(&thread, &attr, nothing, NULL), EINVAL);
	expect_ok(pthread_create_ex(&thread, NULL, nothing, NULL));
	expect_ok(pthread_join(thread, NULL));
	expect_ok(pthread_attr_destroy_ex(&attr));
}

int main(void)
{
	static const struct test_case cases[] = {
		CASE(policies_are_set_and_told), CASE(ranges_are_told),
		CASE(quota_limits_a_group),      CASE(group_with_threads_goes_by_force),
		CASE(partitions_take_turns),     CASE(attributes_are_kept)};

	return run_cases(cases, sizeof(cases) / sizeof(cases[0]));
}
