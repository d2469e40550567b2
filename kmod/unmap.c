// SPDX-License-Identifier: GPL-2.0-only
/*
 * Memory leaves a program's cores: by REMOVE, because Linux takes it from the program, or with the
 * program. The entries are made absent, every core confirms that it has forgotten them, then the
 * pages are unpinned. If a core may still reach them, they are lost, not freed.
 */
#include <linux/mm.h>
#include <linux/printk.h>

#include "tactus.h"

struct unmap {
	struct mm_struct *mm;
	bool pinned_only; /* not the module's own pages */
	bool leak;
	u64 count;
};

/* In steps, because a program may have gigabytes. Nothing is added to the range while it leaves, so
 * calls between the steps do no harm. */
static void unmap_walk(struct tactus_program *program, u64 start, u64 end,
		       bool (*visit)(u64 *entry, void *data), struct unmap *unmap)
{
	while (start < end) {
		spin_lock(&program->tables_lock);
		start = tactus_tables_walk(program, start, end, visit, unmap);
		spin_unlock(&program->tables_lock);
		cond_resched();
	}
}

static bool unmap_make_absent(u64 *entry, void *data)
{
	struct unmap *unmap = data;

	if (unmap->pinned_only && !(*entry & TACTUS_PAGE_PINNED))
		return true;
	WRITE_ONCE(*entry, *entry & ~(u64)_PAGE_PRESENT);
	unmap->count++;
	return true;
}

static bool unmap_unpin(u64 *entry, void *data)
{
	struct unmap *unmap = data;
	struct page *page = pfn_to_page((*entry & PTE_PFN_MASK) >> PAGE_SHIFT);
	bool pinned = *entry & TACTUS_PAGE_PINNED;
	bool written = *entry & _PAGE_RW;

	if (*entry & _PAGE_PRESENT)
		return true;
	WRITE_ONCE(*entry, 0);
	if (!pinned)
		return true;
	tactus_memory_charge(unmap->mm, -1);
	if (unmap->leak)
		return true;
	/* Anonymous or shared memory (tactus_memory_may_pin): for it, this is only a flag, and no
	 * file system is involved. */
	if (written)
		set_page_dirty(page);
	unpin_user_page(page);
	return true;
}

static u64 unmap_range(struct tactus_program *program, u64 start, u64 end, bool pinned_only)
{
	struct unmap unmap = {program->mm, pinned_only};

	mutex_lock(&program->unmap_lock);
	unmap_walk(program, start, end, unmap_make_absent, &unmap);
	if (unmap.count) {
		unmap.leak = !tactus_request_flush(program);
		if (unmap.leak)
			pr_err("%llu pages are lost: a CPU that does not answer may still use "
			       "them\n",
			       unmap.count);
		unmap_walk(program, start, end, unmap_unpin, &unmap);
	}
	mutex_unlock(&program->unmap_lock);
	return unmap.count;
}

void tactus_memory_unmap_all(struct tactus_program *program)
{
	unmap_range(program, 0, TASK_SIZE_MAX, false);
}

int tactus_memory_remove(struct tactus_program *program, struct tact_bare_memory *memory)
{
	int error = tactus_memory_check(memory);

	memory->pages = memory->failed = 0;
	if (error)
		return error;
	if (mutex_lock_killable(&program->memory_lock))
		return -EINTR;
	if (memory->flags & TACT_BARE_MEMORY_ALL)
		memory->pages = unmap_range(program, 0, TASK_SIZE_MAX, true);
	else
		memory->pages = unmap_range(program, memory->address,
					    memory->address + memory->bytes, true);
	mutex_unlock(&program->memory_lock);
	return 0;
}

static bool unmap_find(u64 *entry, void *data)
{
	*(bool *)data = true;
	return false;
}

/* A caller that must not wait (the reaper of a process that is out of memory) tries again. */
static bool unmap_is_busy(struct tactus_program *program, unsigned long sequence, u64 start,
			  u64 end)
{
	bool found = false;

	if (!spin_trylock(&program->tables_lock))
		return false;
	while (start < end && !found)
		start = tactus_tables_walk(program, start, end, unmap_find, &found);
	if (!found)
		mmu_interval_set_seq(&program->notifier, sequence);
	spin_unlock(&program->tables_lock);
	return !found;
}

static void unmap_park(struct tactus_core *core, void *data)
{
	tactus_request_park(core);
}

static void unmap_end(struct tactus_program *program)
{
	WRITE_ONCE(program->over, true);
	tactus_program_each(program, unmap_park, NULL);
	/* The file may stay open in a child: give the CPUs back now. */
	schedule_work(&program->end_work);
}

static bool unmap_invalidate(struct mmu_interval_notifier *notifier,
			     const struct mmu_notifier_range *range, unsigned long sequence)
{
	struct tactus_program *program = container_of(notifier, struct tactus_program, notifier);

	if (range->event == MMU_NOTIFY_PROTECTION_PAGE)
		return true;
	if (!mmu_notifier_range_blockable(range))
		return unmap_is_busy(program, sequence, range->start, range->end);
	spin_lock(&program->tables_lock);
	mmu_interval_set_seq(notifier, sequence);
	spin_unlock(&program->tables_lock);
	if (range->event == MMU_NOTIFY_RELEASE)
		unmap_end(program);
	else
		unmap_range(program, range->start, range->end, false);
	return true;
}

const struct mmu_interval_notifier_ops tactus_memory_notifier = {
	.invalidate = unmap_invalidate,
};
