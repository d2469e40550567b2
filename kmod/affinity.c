// SPDX-License-Identifier: GPL-2.0-only
/*
 * Affinities of tasks and interrupts that were bound to a taken CPU. If all CPUs of a task or an
 * interrupt go, Linux lets it run anywhere and forgets the affinity. This file stores the affinity,
 * and restores it when the CPU is back, unless another one was set meanwhile. Tasks that such a
 * task starts meanwhile keep the affinity that it has then.
 */
#include <linux/cpumask.h>
#include <linux/interrupt.h>
#include <linux/irq.h>
#include <linux/list.h>
#include <linux/pid.h>
#include <linux/printk.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/slab.h>

#include "compat.h"
#include "tactus.h"

struct affinity_bound {
	struct list_head node;
	struct pid *pid; /* NULL: an interrupt */
	unsigned int interrupt;
	unsigned long *before, *after; /* masks; after: only for an interrupt */
	unsigned long masks[];
};

static struct affinity_bound *affinity_new(struct tactus_core *core, const struct cpumask *before)
{
	unsigned int longs = BITS_TO_LONGS(nr_cpumask_bits);
	/* Context: within an RCU reader. */
	struct affinity_bound *bound =
		kzalloc(struct_size(bound, masks, 2 * longs), GFP_NOWAIT | __GFP_NOWARN);

	if (!bound)
		return NULL;
	bound->before = bound->masks;
	bound->after = bound->masks + longs;
	cpumask_copy(to_cpumask(bound->before), before);
	list_add_tail(&bound->node, &core->bound);
	return bound;
}

static void affinity_free(struct affinity_bound *bound)
{
	list_del(&bound->node);
	put_pid(bound->pid);
	kfree(bound);
}

void tactus_affinity_drop(struct tactus_core *core)
{
	struct affinity_bound *bound, *next;

	list_for_each_entry_safe(bound, next, &core->bound, node)
		affinity_free(bound);
}

/* Does a task or an interrupt that may run there lose all of its CPUs? */
static bool affinity_is_lost(const struct cpumask *mask, const struct cpumask *leaving)
{
	unsigned int cpu;

	if (!cpumask_intersects(mask, leaving))
		return false;
	for_each_cpu_and(cpu, mask,
			 cpu_online_mask) if (!cpumask_test_cpu(cpu, leaving)) return false;
	return true;
}

static int affinity_save_task(struct tactus_core *core, const struct cpumask *leaving,
			      struct task_struct *task, struct cpumask *mask)
{
	struct affinity_bound *bound;
	unsigned long flags;

	/* Linux itself stops and starts its own threads for that CPU. */
	if (READ_ONCE(task->flags) & PF_NO_SETAFFINITY)
		return 0;
	raw_spin_lock_irqsave(&task->pi_lock, flags);
	cpumask_copy(mask, &task->cpus_mask);
	raw_spin_unlock_irqrestore(&task->pi_lock, flags);
	if (!affinity_is_lost(mask, leaving))
		return 0;
	bound = affinity_new(core, mask);
	if (!bound)
		return -ENOMEM;
	bound->pid = get_pid(task_pid(task));
	return 0;
}

/* The affinity that was requested last, which may take effect only when the interrupt comes next.
 * Context: within an RCU reader. */
static bool affinity_of_interrupt(unsigned int interrupt, struct cpumask *mask)
{
	struct irq_data *data = irq_get_irq_data(interrupt);
	struct irq_desc *descriptor;
	unsigned long flags;

	/* Linux shuts managed interrupts down with their CPUs, and starts them again. */
	if (!data || irqd_affinity_is_managed(data))
		return false;
	descriptor = irq_data_to_desc(data);
	raw_spin_lock_irqsave(&descriptor->lock, flags);
	cpumask_copy(mask, irqd_is_setaffinity_pending(data) ? descriptor->pending_mask
							     : irq_data_get_affinity_mask(data));
	raw_spin_unlock_irqrestore(&descriptor->lock, flags);
	return true;
}

static int affinity_save_interrupt(struct tactus_core *core, const struct cpumask *leaving,
				   unsigned int interrupt, struct cpumask *mask)
{
	struct affinity_bound *bound;

	if (!affinity_of_interrupt(interrupt, mask) || !affinity_is_lost(mask, leaving))
		return 0;
	bound = affinity_new(core, mask);
	if (!bound)
		return -ENOMEM;
	bound->interrupt = interrupt;
	return 0;
}

int tactus_affinity_save(struct tactus_core *core)
{
	struct task_struct *process, *task;
	cpumask_var_t leaving, mask;
	unsigned int interrupt;
	int error = 0;

	if (!zalloc_cpumask_var(&leaving, GFP_KERNEL))
		return -ENOMEM;
	if (!zalloc_cpumask_var(&mask, GFP_KERNEL)) {
		free_cpumask_var(leaving);
		return -ENOMEM;
	}
	cpumask_copy(leaving, core->siblings);
	cpumask_set_cpu(core->cpu, leaving);
	rcu_read_lock();
	for_each_process_thread(process, task) if (!error) error =
		affinity_save_task(core, leaving, task, mask);
	for (interrupt = 0; interrupt < compat_interrupts() && !error; interrupt++)
		error = affinity_save_interrupt(core, leaving, interrupt, mask);
	rcu_read_unlock();
	free_cpumask_var(mask);
	free_cpumask_var(leaving);
	if (error)
		tactus_affinity_drop(core);
	return error;
}

/* Linux moves interrupts while the CPU goes, but tasks only when they run next. */
void tactus_affinity_taken(struct tactus_core *core)
{
	struct affinity_bound *bound;

	rcu_read_lock();
	list_for_each_entry(bound, &core->bound, node)
		if (!bound->pid)
			affinity_of_interrupt(bound->interrupt, to_cpumask(bound->after));
	rcu_read_unlock();
}

/* Linux has widened the mask, which still contains what was allowed before. A mask that
 * sched_setaffinity() has set since then stays; kernels from 6.2 on store it. */
static bool affinity_was_widened(struct task_struct *task, const struct cpumask *before)
{
	unsigned long flags;
	bool widened;

	raw_spin_lock_irqsave(&task->pi_lock, flags);
	widened = !cpumask_equal(&task->cpus_mask, before) &&
		  cpumask_subset(before, &task->cpus_mask) &&
		  !(task->user_cpus_ptr && cpumask_equal(task->user_cpus_ptr, &task->cpus_mask));
	raw_spin_unlock_irqrestore(&task->pi_lock, flags);
	return widened;
}

static void affinity_restore_task(const struct affinity_bound *bound)
{
	struct task_struct *task = get_pid_task(bound->pid, PIDTYPE_PID);

	if (!task)
		return;
	if (affinity_was_widened(task, to_cpumask(bound->before)))
		set_cpus_allowed_ptr(task, to_cpumask(bound->before));
	put_task_struct(task);
}

static void affinity_restore_interrupt(const struct affinity_bound *bound)
{
	cpumask_var_t now;
	bool same;

	if (!zalloc_cpumask_var(&now, GFP_KERNEL))
		return;
	rcu_read_lock();
	same = affinity_of_interrupt(bound->interrupt, now) &&
	       cpumask_equal(now, to_cpumask(bound->after));
	rcu_read_unlock();
	free_cpumask_var(now);
	if (same && irq_set_affinity(bound->interrupt, to_cpumask(bound->before)))
		pr_warn("interrupt %u, which was bound to a CPU that was taken, cannot be bound to "
			"it again: write to its smp_affinity\n",
			bound->interrupt);
}

void tactus_affinity_restore(struct tactus_core *core)
{
	struct affinity_bound *bound, *next;

	list_for_each_entry_safe(bound, next, &core->bound, node) {
		if (bound->pid)
			affinity_restore_task(bound);
		else
			affinity_restore_interrupt(bound);
		affinity_free(bound);
	}
}

void tactus_affinity_of_program(struct cpumask *mask)
{
	struct task_struct *task;
	unsigned long flags;

	cpumask_clear(mask);
	rcu_read_lock();
	for_each_thread(current, task)
	{
		raw_spin_lock_irqsave(&task->pi_lock, flags);
		cpumask_or(mask, mask, &task->cpus_mask);
		raw_spin_unlock_irqrestore(&task->pi_lock, flags);
	}
	rcu_read_unlock();
}
