/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Earliest deadline first. The tasks of a level are ordered by absolute deadline, equal ones by
 * arrival, and go before the tasks of other classes in the level. A deadline is counted from a
 * release: the programmed release of a periodic task, or the wake-up of another task. A job ends
 * when its task asks for the next release, or, without periodic releases, when it waits; a job that
 * ends late is counted. Source: C. L. Liu, J. W. Layland, "Scheduling algorithms for
 * multiprogramming in a hard-real-time environment", JACM 20 (1), 1973.
 */
#include "sched/edf.h"

#include "task/priority.h"
#include "task/run_queue.h"

#define DEADLINE_MIN_NS 1000
#define DEADLINE_MAX_NS (UINT64_MAX / 4)

int nuc_edf_check(uint64_t deadline_ns)
{
	return deadline_ns >= DEADLINE_MIN_NS && deadline_ns <= DEADLINE_MAX_NS ? 0 : -TACT_EINVAL;
}

static int check(struct nuc_cpu *cpu, const struct tact_sched_param *param, uint32_t priority)
{
	(void)cpu;
	(void)priority;
	return nuc_edf_check(param->deadline_ns);
}

void nuc_edf_begin_job(struct nuc_task *task, uint64_t instant_ns)
{
	task->class_data.edf.deadline_ns =
		tact_time_add((tact_time_t){instant_ns}, task->param.deadline_ns).ns;
	task->class_data.edf.open = true;
}

void nuc_edf_end_job(struct nuc_task *task)
{
	if (task->class_data.edf.open && hal_now_ns() > task->class_data.edf.deadline_ns)
		task->status->deadlines_missed++;
	task->class_data.edf.open = false;
}

static void attach(struct nuc_cpu *cpu, struct nuc_task *task)
{
	(void)cpu;
	if (!task->class_data.edf.deadline_ns)
		nuc_edf_begin_job(task, hal_now_ns());
}

static void block(struct nuc_cpu *cpu, struct nuc_task *task)
{
	(void)cpu;
	if (!task->period.ns && task->state & (NUC_WAKE_UPS | TACT_TASK_STATE_ENDED))
		nuc_edf_end_job(task);
}

static void ready(struct nuc_cpu *cpu, struct nuc_task *task, uint32_t reasons, uint64_t instant_ns)
{
	(void)cpu;
	if (reasons & TACT_TASK_STATE_DORMANT || (!task->period.ns && reasons & NUC_WAKE_UPS))
		nuc_edf_begin_job(task, instant_ns);
}

static void release(struct nuc_cpu *cpu, struct nuc_task *task, uint64_t instant_ns)
{
	nuc_edf_end_job(task);
	nuc_edf_begin_job(task, instant_ns);
	nuc_task_update_priority(cpu, task);
}

const struct nuc_class nuc_class_edf = {
	.name = "edf",
	.urgent = true,
	.check = check,
	.attach = attach,
	.insert = nuc_edf_insert,
	.remove = nuc_edf_remove,
	.block = block,
	.ready = ready,
	.release = release,
};
