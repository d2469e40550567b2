// SPDX-License-Identifier: GPL-2.0-only
/* A program: an open file, the address space that sent HELLO on it, and its cores. */
#include <linux/nospec.h>
#include <linux/printk.h>
#include <linux/sched/mm.h>
#include <linux/slab.h>

#include "pci.h"
#include "tactus.h"

/* Tell each core of the core with this index, or make them forget it. */
static void program_notify_peers(struct tactus_program *program, u32 index, u32 apic)
{
	struct tactus_core *new = program->cores[index];
	unsigned int i;

	lockdep_assert_held(&program->tables_lock);
	for (i = 0; i < TACT_BARE_MAX_CORES; i++) {
		struct tactus_core *core = program->cores[i];

		if (!core || core == new)
			continue;
		WRITE_ONCE(core->mailbox->peer[index], apic);
		if (apic)
			WRITE_ONCE(new->mailbox->peer[i], core->apic_id + 1);
	}
}

int tactus_program_take(struct tactus_program *program, struct tact_bare_take *take)
{
	struct tactus_core *core;
	u32 index;
	int error;

	if (take->reserved || take->flags & ~TACT_BARE_TAKE_SIBLINGS)
		return -EINVAL;
	mutex_lock(&program->lock);
	for (index = 0; index < TACT_BARE_MAX_CORES && program->cores[index]; index++)
		;
	error = -EBUSY;
	if (index == TACT_BARE_MAX_CORES || program->over) {
		snprintf(take->reason, TACT_BARE_REASON,
			 program->over ? "the program's address space is gone: open the file anew"
				       : "a program has at most %u cores: give one back, or start "
					 "another program",
			 TACT_BARE_MAX_CORES);
		goto unlock;
	}
	error = tactus_take_known(take->cpu, take->reason);
	if (error)
		goto unlock;
	error = -ENOMEM;
	core = tactus_core_new(index, take->cpu);
	if (!core)
		goto unlock;
	error = tactus_take(core, take->flags & TACT_BARE_TAKE_SIBLINGS, program->allowed,
			    take->reason);
	if (error) {
		/* The core may still be under way: what it could reach is freed when Linux has the
		 * CPU back. */
		if (core->held)
			tactus_hold_give(core);
		tactus_core_put(core);
		goto unlock;
	}
	spin_lock(&program->tables_lock);
	program->cores[index] = core;
	tactus_tables_attach(program, core);
	program_notify_peers(program, index, core->apic_id + 1);
	spin_unlock(&program->tables_lock);
	take->core = index;
unlock:
	mutex_unlock(&program->lock);
	if (error == -ENOMEM)
		snprintf(take->reason, TACT_BARE_REASON,
			 "no memory for a core: free about 200 KiB");
	return error;
}

struct tactus_core *tactus_program_core(struct tactus_program *program, u32 index)
{
	struct tactus_core *core = NULL;

	if (index >= TACT_BARE_MAX_CORES)
		return NULL;
	index = array_index_nospec(index, TACT_BARE_MAX_CORES);
	spin_lock(&program->tables_lock);
	core = program->cores[index];
	if (core)
		tactus_core_get(core);
	spin_unlock(&program->tables_lock);
	return core;
}

void tactus_program_each(struct tactus_program *program,
			 void (*visit)(struct tactus_core *core, void *data), void *data)
{
	u32 index;

	for (index = 0; index < TACT_BARE_MAX_CORES; index++) {
		struct tactus_core *core = tactus_program_core(program, index);

		if (!core)
			continue;
		visit(core, data);
		tactus_core_put(core);
	}
}

static int program_give(struct tactus_program *program, u32 index)
{
	struct tactus_core *core = program->cores[array_index_nospec(index, TACT_BARE_MAX_CORES)];
	int error;

	lockdep_assert_held(&program->lock);
	if (!core)
		return -ENXIO;
	if (atomic_cmpxchg(&core->owners, 0, 1))
		return -EBUSY;
	tactus_pci_core_leaves(program, index);
	/* A kick that comes when Linux has the CPU would be a device's interrupt to it. */
	spin_lock(&program->tables_lock);
	core->leaving = true;
	program_notify_peers(program, index, 0);
	spin_unlock(&program->tables_lock);
	/* A peer that had read the number before this has sent its kick when it answers. */
	tactus_request_flush(program);
	error = tactus_hold_give(core);
	atomic_set_release(&core->owners, 0);
	if (error)
		return -EIO;
	spin_lock(&program->tables_lock);
	program->cores[index] = NULL;
	spin_unlock(&program->tables_lock);
	tactus_core_put(core);
	return 0;
}

int tactus_program_give(struct tactus_program *program, u32 index)
{
	int error;

	if (index >= TACT_BARE_MAX_CORES)
		return -ENXIO;
	mutex_lock(&program->lock);
	error = program_give(program, index);
	mutex_unlock(&program->lock);
	return error;
}

/* Returns false if a CPU could not be given back; hold.c tries again. */
static bool program_give_all(struct tactus_program *program)
{
	bool done = true;
	u32 index;

	mutex_lock(&program->lock);
	for (index = 0; index < TACT_BARE_MAX_CORES; index++)
		if (program->cores[index] && program_give(program, index))
			done = false;
	mutex_unlock(&program->lock);
	return done;
}

static void program_end_work(struct work_struct *work)
{
	struct tactus_program *program = container_of(work, struct tactus_program, end_work);

	tactus_pci_quiet(program);
	if (program_give_all(program))
		tactus_memory_unmap_all(program);
}

int tactus_program_kick(struct tactus_program *program, u64 cores)
{
	u64 there = 0;
	unsigned int i;

	spin_lock(&program->tables_lock);
	for (i = 0; i < TACT_BARE_MAX_CORES; i++)
		if (program->cores[i])
			there |= BIT_ULL(i);
	for (i = 0; !(cores & ~there) && i < TACT_BARE_MAX_CORES; i++) {
		struct tactus_core *core = program->cores[i];

		if (cores & BIT_ULL(i) && !core->leaving)
			tactus_interrupt_kick(core);
	}
	spin_unlock(&program->tables_lock);
	return cores & ~there ? -ENXIO : 0;
}

struct tactus_program *tactus_program_new(void)
{
	struct tactus_program *program = kzalloc(sizeof(*program), GFP_KERNEL_ACCOUNT);

	if (!program)
		return NULL;
	mutex_init(&program->lock);
	mutex_init(&program->memory_lock);
	mutex_init(&program->unmap_lock);
	spin_lock_init(&program->tables_lock);
	INIT_LIST_HEAD(&program->table_pages);
	INIT_WORK(&program->end_work, program_end_work);
	program->top = tactus_tables_page(&program->table_pages);
	if (!program->top)
		goto free_program;
	if (!zalloc_cpumask_var(&program->allowed, GFP_KERNEL_ACCOUNT))
		goto free_tables;
	return program;

free_tables:
	tactus_tables_free(&program->table_pages);
free_program:
	kfree(program);
	return NULL;
}

int tactus_program_hello(struct tactus_program *program, struct tact_bare_hello *hello)
{
	u32 revision = hello->revision;
	int error = 0;

	hello->revision = TACT_BARE_REVISION;
	if (revision != TACT_BARE_REVISION) {
		snprintf(hello->reason, TACT_BARE_REASON,
			 "the program has revision %u, the module %u: install one release",
			 revision, TACT_BARE_REVISION);
		return -ENOEXEC;
	}
	if (hello->reserved)
		return -EINVAL;
	mutex_lock(&program->lock);
	if (program->said_hello) {
		error = -EBUSY;
	} else if (!READ_ONCE(tactus_clock_page->valid)) {
		snprintf(hello->reason, TACT_BARE_REASON,
			 "Linux found that the processors' time-stamp counters go wrong: see dmesg "
			 "| grep -i tsc; boot with tsc=reliable if they are right");
		error = -ENOSYS;
	} else {
		error = mmu_interval_notifier_insert(&program->notifier, current->mm, 0,
						     TASK_SIZE_MAX, &tactus_memory_notifier);
	}
	if (!error) {
		mmgrab(current->mm);
		program->mm = current->mm;
		tactus_affinity_of_program(program->allowed);
		/* Pairs with the acquire in device.c, which reads without the lock. */
		smp_store_release(&program->said_hello, true);
	}
	mutex_unlock(&program->lock);
	return error;
}

/* The file is closed: no call is under way. */
void tactus_program_end(struct tactus_program *program)
{
	bool done;
	u32 index;

	if (program->said_hello)
		mmu_interval_notifier_remove(&program->notifier);
	cancel_work_sync(&program->end_work);
	tactus_pci_detach_all(program);
	done = program_give_all(program);
	if (program->said_hello) {
		tactus_memory_unmap_all(program);
		atomic64_sub(program->tables_charged, &program->mm->pinned_vm);
		mmdrop(program->mm);
	}
	/* A core that Linux could not start may still walk the tables, so they stay. */
	if (done)
		tactus_tables_free(&program->table_pages);
	else
		pr_err("page tables are lost: a CPU could not be given back\n");
	/* A core that is tried again keeps itself. */
	for (index = 0; index < TACT_BARE_MAX_CORES; index++)
		if (program->cores[index])
			tactus_core_put(program->cores[index]);
	free_cpumask_var(program->allowed);
	kfree(program);
}
