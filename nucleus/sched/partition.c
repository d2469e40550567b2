/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Time partitions: one timer for each CPU goes through the windows of the frame. All boundaries are
 * counted from the beginning of the first frame, so that nothing drifts. After the program was
 * stopped for a while, the present window is found by arithmetic. An event that comes early is held
 * back where a window begins. Where a window ends, the rest of the window is waited for, unless no
 * task of its partition can run. Invariant: the group of a partition is open exactly in its
 * windows.
 */
#include <tactus/partition.h>

#include "kernel/sized.h"
#include "object/growth.h"
#include "sched/group.h"
#include "task/limits.h"
#include "task/run_queue.h"

#define FRAME_MAX_NS (UINT64_MAX / 4)

struct partitions {
	struct nuc_timer timer;
	struct nuc_group group[TACT_PARTITIONS];
	struct tact_partition_window window[TACT_PARTITION_WINDOWS_MAX];
	uint32_t windows;
	uint64_t frame_ns; /* 0: no schedule */
	bool running;
	uint32_t active;
	uint64_t begin_ns; /* of the present frame, or of the first one to come */
	uint64_t boundary_ns;
	uint64_t frames;
};

struct partition_call {
	struct nuc_call call;
	const struct tact_partition_window *windows;
	uint32_t count;
	uint64_t frame_ns;
	uint64_t at_ns;
	struct tact_partition_info *info;
};

static void boundary(struct nuc_cpu *cpu, struct nuc_timer *timer);

/* The partitions of a CPU: made at the first use, and kept as long as the CPU runs. */
static struct partitions *partitions_of(struct nuc_cpu *cpu)
{
	struct partitions *all = cpu->partition;

	if (all || nuc_timer_reserve_monotonic(cpu, 1))
		return all;
	all = nuc_pool_get(cpu, sizeof(*all));
	if (!all) {
		nuc_timer_unreserve_monotonic(cpu, 1);
		return NULL;
	}
	nuc_timer_init(&all->timer, boundary, NUC_CONTEXT_CLASS);
	for (uint32_t i = 0; i < TACT_PARTITIONS; i++)
		nuc_group_init(&all->group[i], true);
	all->active = TACT_PARTITION_NONE;
	cpu->partition = all;
	return all;
}

static void activate(struct nuc_cpu *cpu, struct partitions *all, uint32_t partition)
{
	uint32_t old = all->active;

	if (partition == old)
		return;
	all->active = partition;
	if (old != TACT_PARTITION_NONE)
		nuc_group_close(cpu, &all->group[old], true);
	if (partition != TACT_PARTITION_NONE)
		nuc_group_close(cpu, &all->group[partition], false);
}

/* Enter the window of this instant, and arm the timer for the next boundary. */
static void enter(struct nuc_cpu *cpu, struct partitions *all, uint64_t instant_ns)
{
	uint64_t skipped = (instant_ns - all->begin_ns) / all->frame_ns;
	uint32_t partition = TACT_PARTITION_NONE;
	uint64_t next = all->frame_ns;
	uint64_t at;

	all->begin_ns += skipped * all->frame_ns;
	all->frames += all->frames ? skipped : skipped + 1;
	at = instant_ns - all->begin_ns;
	for (uint32_t i = 0; i < all->windows; i++) {
		const struct tact_partition_window *window = &all->window[i];

		if (at >= window->offset_ns + window->length_ns)
			continue;
		if (at < window->offset_ns) {
			next = window->offset_ns;
		} else {
			next = window->offset_ns + window->length_ns;
			partition = window->partition;
		}
		break;
	}
	all->boundary_ns = all->begin_ns + next;
	nuc_timer_arm(cpu, &all->timer, NUC_CLOCK_MONOTONIC, all->boundary_ns);
	activate(cpu, all, partition);
}

static bool rest_is_wanted(const struct partitions *all)
{
	const struct base_list *tasks;
	const struct base_list *link;

	if (all->active == TACT_PARTITION_NONE)
		return false;
	tasks = &all->group[all->active].tasks;
	for (link = tasks->next; link != tasks; link = link->next)
		if (nuc_sched_queued(
			    base_container_of(link, struct nuc_task, class_data.member.link)))
			return true;
	return false;
}

static void boundary(struct nuc_cpu *cpu, struct nuc_timer *timer)
{
	struct partitions *all = base_container_of(timer, struct partitions, timer);
	uint64_t now = hal_now_ns();

	if (now < all->boundary_ns && rest_is_wanted(all)) {
		/* Add the anticipation, so that the event does not come before the boundary
		 * again. */
		nuc_timer_arm(cpu, timer, NUC_CLOCK_MONOTONIC,
			      all->boundary_ns + hal_gravity_preempt_ns(&cpu->hal));
		return;
	}
	/* A boundary that was put off is due now, although the deadline of its timer is later. */
	if (now >= all->boundary_ns)
		cpu->expiry.earliest_ns = cpu->hold_ns = 0;
	enter(cpu, all, now > all->boundary_ns ? now : all->boundary_ns);
}

static int check_windows(const struct partition_call *args)
{
	uint64_t end = 0;

	if (!args->count && !args->frame_ns)
		return 0;
	if (!args->windows || !args->count || args->count > TACT_PARTITION_WINDOWS_MAX ||
	    args->frame_ns > FRAME_MAX_NS)
		return -TACT_EINVAL;
	for (uint32_t i = 0; i < args->count; i++) {
		const struct tact_partition_window *window = &args->windows[i];

		if (window->partition >= TACT_PARTITIONS || window->reserved ||
		    nuc_slice_check("a window", window->length_ns) ||
		    window->length_ns > args->frame_ns || window->offset_ns < end ||
		    window->offset_ns > args->frame_ns - window->length_ns)
			return -TACT_EINVAL;
		end = window->offset_ns + window->length_ns;
	}
	return 0;
}

static int call_cpu(uint32_t cpu, struct partition_call *args, unsigned flags,
		    int (*run)(struct nuc_cpu *, struct nuc_object *, struct nuc_call *))
{
	if (!nuc_cpu_count)
		return -TACT_EPERM;
	if (cpu >= nuc_cpu_count)
		return -TACT_ENXIO;
	nuc_call_init(&args->call, run, NUC_TYPE_CPU, nuc_handle_of_cpu(cpu), flags, sizeof(*args));
	return nuc_call_create(&args->call);
}

static struct partition_call *args_of(struct nuc_call *call)
{
	return base_container_of(call, struct partition_call, call);
}

static int set_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	struct partition_call *args = args_of(call);
	struct partitions *all = partitions_of(cpu);

	(void)object;
	if (!all)
		return -TACT_ENOMEM;
	if (all->running)
		return -TACT_EBUSY;
	for (uint32_t i = 0; i < args->count; i++)
		all->window[i] = args->windows[i];
	all->windows = args->count;
	all->frame_ns = args->frame_ns;
	return 0;
}

int tact_partition_set(uint32_t cpu, const struct tact_partition_window *windows, uint32_t count,
		       uint64_t frame_ns)
{
	struct partition_call args;

	args.windows = windows;
	args.count = count;
	args.frame_ns = frame_ns;
	if (check_windows(&args))
		return -TACT_EINVAL;
	return call_cpu(cpu, &args, NUC_CALL_TASKS, set_run);
}

static int start_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	struct partitions *all = cpu->partition;
	uint64_t at = args_of(call)->at_ns;
	uint64_t now = hal_now_ns();

	(void)object;
	if (!all || !all->frame_ns)
		return -TACT_ESRCH;
	if (all->running)
		return -TACT_EBUSY;
	if (at && at < now)
		return -TACT_ETIMEDOUT;
	all->running = true;
	all->frames = 0;
	all->begin_ns = at ? at : now;
	all->boundary_ns = all->begin_ns;
	if (at)
		nuc_timer_arm(cpu, &all->timer, NUC_CLOCK_MONOTONIC, at);
	else
		enter(cpu, all, now);
	return 0;
}

int tact_partition_start(uint32_t cpu, tact_time_t at)
{
	struct partition_call args;

	args.at_ns = at.ns;
	return call_cpu(cpu, &args, NUC_CALL_TASKS, start_run);
}

static int stop_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	struct partitions *all = cpu->partition;

	(void)object;
	(void)call;
	if (!all || !all->running)
		return 0;
	all->running = false;
	nuc_timer_cancel(cpu, &all->timer);
	activate(cpu, all, TACT_PARTITION_NONE);
	return 0;
}

int tact_partition_stop(uint32_t cpu)
{
	struct partition_call args;

	return call_cpu(cpu, &args, NUC_CALL_TASKS, stop_run);
}

static int inquire_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	struct tact_partition_info *info = args_of(call)->info;
	const struct partitions *all = cpu->partition;

	(void)object;
	if (!info)
		return 0;
	info->frame_ns = all ? all->frame_ns : 0;
	info->frames = all && all->running ? all->frames : 0;
	info->windows = all ? all->windows : 0;
	info->running = all && all->running;
	info->active = all ? all->active : TACT_PARTITION_NONE;
	return 0;
}

int tact_partition_inquire(uint32_t cpu, struct tact_partition_info *info)
{
	struct tact_partition_info known;
	struct partition_call args;
	int result = nuc_sized_check(info, sizeof(*info));

	if (result)
		return result;
	args.info = info ? &known : NULL;
	result = call_cpu(cpu, &args, 0, inquire_run);
	if (!result && info)
		nuc_sized_write(info, sizeof(*info), &known, sizeof(known));
	return result;
}

static int check(struct nuc_cpu *cpu, const struct tact_sched_param *param, uint32_t priority)
{
	(void)priority;
	if (param->partition >= TACT_PARTITIONS)
		return -TACT_EINVAL;
	return partitions_of(cpu) ? 0 : -TACT_ENOMEM;
}

static void attach(struct nuc_cpu *cpu, struct nuc_task *task)
{
	nuc_group_join(task, &partitions_of(cpu)->group[task->param.partition]);
}

static void detach(struct nuc_cpu *cpu, struct nuc_task *task)
{
	(void)cpu;
	nuc_group_leave(task);
}

const struct nuc_class nuc_class_partition = {
	.name = "partition",
	.bound = true,
	.check = check,
	.attach = attach,
	.detach = detach,
	.insert = nuc_group_insert,
	.held = nuc_group_hold,
};
