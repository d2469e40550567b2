// SPDX-License-Identifier: GPL-2.0-only
/*
 * Memory of a program on its cores: pages that are pinned for long, so that Linux does not move
 * them, and mapped with the rights that the program has. What Linux takes from the program leaves
 * the cores first: the entries are made absent, every core confirms that it has forgotten them,
 * then the pages are unpinned. Linux takes a file's pages and shared memory when it needs memory
 * and the program has not locked them (mlock): then the core faults, and the page is added anew.
 *
 * fork: Linux copies pinned pages for the child at once, so the parent keeps its own. That
 * notification (MMU_NOTIFY_PROTECTION_PAGE) needs no action.
 */
#include <linux/capability.h>
#include <linux/hugetlb.h>
#include <linux/io.h>
#include <linux/magic.h>
#include <linux/mm.h>
#include <linux/pagemap.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/uaccess.h>

#include "tactus.h"

#define BATCH 64
/* Pages that are left to Linux, in addition to those that it reserves. */
#define SPARE 1024

enum memory_kind { MEMORY_NONE, MEMORY_PIN, MEMORY_OWN, MEMORY_REFUSED };

struct memory_part {
	enum memory_kind kind;
	u64 start;
	u64 end;
	bool write;
	bool execute;
	bool grows; /* downwards */
};

/* Pages of a driver are refused, and those of a shared file that a core could change without the
 * file system's knowledge. The nodes of /dev are also in a tmpfs. */
bool tactus_memory_may_pin(const struct vm_area_struct *vma)
{
	const struct inode *inode;
	unsigned long magic;

	if (vma->vm_flags & (VM_IO | VM_PFNMAP) || !(vma->vm_flags & VM_READ))
		return false;
	if (!vma->vm_file || !(vma->vm_flags & VM_SHARED))
		return true;
	inode = file_inode(vma->vm_file);
	magic = inode->i_sb->s_magic;
	return S_ISREG(inode->i_mode) &&
	       (!(vma->vm_flags & VM_WRITE) || magic == TMPFS_MAGIC || magic == HUGETLBFS_MAGIC);
}

/* The mapping at the address, or the next one above it. */
static struct memory_part memory_look(u64 address)
{
	struct memory_part part = {MEMORY_NONE};
	struct vm_area_struct *vma;

	mmap_read_lock(current->mm);
	vma = find_vma(current->mm, address);
	if (vma) {
		part.kind = tactus_device_owns(vma)      ? MEMORY_OWN
			    : tactus_memory_may_pin(vma) ? MEMORY_PIN
							 : MEMORY_REFUSED;
		part.start = max_t(u64, vma->vm_start, address);
		part.end = vma->vm_end;
		part.write = vma->vm_flags & VM_WRITE;
		part.execute = vma->vm_flags & VM_EXEC;
		part.grows = vma->vm_flags & VM_GROWSDOWN;
	}
	mmap_read_unlock(current->mm);
	return part;
}

/* If a caller may pin without a limit, only the out-of-memory killer would stop it. */
static bool memory_is_short(void)
{
	return si_mem_available() < SPARE;
}

/* Charge them to RLIMIT_MEMLOCK, as the other drivers of the kernel count pinned pages. */
int tactus_memory_charge(struct mm_struct *mm, long pages)
{
	s64 now = atomic64_add_return(pages, &mm->pinned_vm);

	/* The capability last, so that a caller that does not need it has not used it. */
	if (pages <= 0 || now <= rlimit(RLIMIT_MEMLOCK) >> PAGE_SHIFT || capable(CAP_IPC_LOCK))
		return 0;
	atomic64_sub(pages, &mm->pinned_vm);
	return -ENOMEM;
}

/* Returns how many it mapped, the first ones of pages[]. The others, also those that were mapped
 * before, are unpinned. If it mapped none, it returns an error; -EAGAIN: Linux has changed them. */
static int memory_map(struct tactus_program *program, unsigned long sequence, u64 address,
		      struct page **pages, int count, u64 bits)
{
	LIST_HEAD(spare);
	int mapped = 0, index, error = 0;

	for (index = 0; index < count; index++) {
		error = tactus_tables_prepare(&spare);
		if (error)
			break;
		spin_lock(&program->tables_lock);
		if (mmu_interval_read_retry(&program->notifier, sequence))
			error = -EAGAIN;
		else if (tactus_tables_map(program, &spare, address + index * PAGE_SIZE,
					   page_to_phys(pages[index]), bits | TACTUS_PAGE_PINNED))
			pages[mapped++] = pages[index];
		else
			unpin_user_page(pages[index]);
		spin_unlock(&program->tables_lock);
		if (error)
			break;
	}
	for (; index < count; index++)
		unpin_user_page(pages[index]);
	tactus_tables_free(&spare);
	return error && !mapped ? error : mapped;
}

static int memory_absent(struct tactus_program *program, u64 address, u64 end)
{
	int count = 0;

	spin_lock(&program->tables_lock);
	while (count < BATCH && address < end && !tactus_tables_present(program, address)) {
		count++;
		address += PAGE_SIZE;
	}
	spin_unlock(&program->tables_lock);
	return count;
}

/* Pin and map some pages from the part's start on, and move the start. */
static int memory_add_some(struct tactus_program *program, unsigned long sequence,
			   struct memory_part *part, u64 *added)
{
	struct page *pages[BATCH];
	u64 bits = (part->write ? _PAGE_RW : 0) | (part->execute ? 0 : _PAGE_NX);
	int wanted = memory_absent(program, part->start, part->end);
	int count, mapped;

	if (!wanted) {
		part->start += PAGE_SIZE;
		return 0;
	}
	if (memory_is_short())
		return -ENOSPC;
	if (tactus_memory_charge(program->mm, wanted))
		return -ENOMEM;
	count = pin_user_pages_fast(part->start, wanted,
				    FOLL_LONGTERM | (part->write ? FOLL_WRITE : 0), pages);
	if (count <= 0) {
		tactus_memory_charge(program->mm, -wanted);
		return count ?: -EFAULT;
	}
	mapped = memory_map(program, sequence, part->start, pages, count, bits);
	tactus_memory_charge(program->mm, max(mapped, 0) - wanted);
	if (mapped < 0)
		return mapped;
	*added += mapped;
	/* The next look skips those that were already mapped. */
	part->start += (u64)mapped * PAGE_SIZE;
	return 0;
}

static int memory_fail(struct tact_bare_memory *memory, int error, u64 address)
{
	memory->failed = address;
	if (error == -EFAULT)
		snprintf(memory->reason, TACT_BARE_REASON,
			 "nothing usable is mapped at %#llx: map it first", address);
	else if (error == -EACCES)
		snprintf(memory->reason, TACT_BARE_REASON,
			 "the mapping at %#llx cannot be pinned (of a device, unreadable, or "
			 "shared with a file and writable): use anonymous memory or memfd",
			 address);
	else if (error == -ENOSPC)
		snprintf(memory->reason, TACT_BARE_REASON,
			 "Linux has no more than %lu KiB left: pin less, or add memory to the "
			 "machine",
			 SPARE * PAGE_SIZE / 1024);
	else if (error == -ENOMEM)
		snprintf(memory->reason, TACT_BARE_REASON,
			 "no memory to pin at %#llx: raise RLIMIT_MEMLOCK (ulimit -l), or pin less",
			 address);
	else
		snprintf(memory->reason, TACT_BARE_REASON,
			 "the page at %#llx cannot be pinned (%d): use anonymous memory or memfd",
			 address, error);
	return error == -ENOSPC ? -ENOMEM : error;
}

/* The address is below a stack that Linux lets grow: let the stack grow as at a fault of the
 * program, within RLIMIT_STACK. Returns whether there is a mapping now. */
static bool memory_grow(u64 address)
{
	u8 byte;

	return !get_user(byte, (u8 __user *)address);
}

static int memory_add_range(struct tactus_program *program, struct tact_bare_memory *memory,
			    bool all)
{
	u64 address = memory->address;
	u64 end = all ? TASK_SIZE_MAX : address + memory->bytes;

	while (address < end) {
		unsigned long sequence = mmu_interval_read_begin(&program->notifier);
		struct memory_part part = memory_look(address);
		int error;

		if (fatal_signal_pending(current))
			return -EINTR;
		cond_resched();
		if (part.grows && part.start > address && !all && memory_grow(address))
			continue;
		if (part.kind == MEMORY_NONE || part.start >= end)
			return all ? 0 : memory_fail(memory, -EFAULT, address);
		if (part.start > address && !all)
			return memory_fail(memory, -EFAULT, address);
		if (part.kind == MEMORY_OWN || (part.kind == MEMORY_REFUSED && all)) {
			address = part.end;
			continue;
		}
		if (part.kind == MEMORY_REFUSED)
			return memory_fail(memory, -EACCES, part.start);
		part.end = min(part.end, end);
		error = memory_add_some(program, sequence, &part, &memory->pages);
		address = part.start;
		if (error == -EAGAIN)
			continue;
		if (error == -EFAULT && all)
			address += PAGE_SIZE;
		else if (error)
			return memory_fail(memory, error, address);
	}
	return 0;
}

int tactus_memory_check(const struct tact_bare_memory *memory)
{
	if (memory->reserved || memory->flags & ~TACT_BARE_MEMORY_ALL)
		return -EINVAL;
	if (memory->flags & TACT_BARE_MEMORY_ALL)
		return memory->address || memory->bytes ? -EINVAL : 0;
	if (!memory->bytes || !PAGE_ALIGNED(memory->address) || !PAGE_ALIGNED(memory->bytes) ||
	    memory->address >= TASK_SIZE_MAX || memory->bytes > TASK_SIZE_MAX - memory->address)
		return -EINVAL;
	return 0;
}

int tactus_memory_add(struct tactus_program *program, struct tact_bare_memory *memory)
{
	int error = tactus_memory_check(memory);

	memory->pages = memory->failed = 0;
	if (error)
		return error;
	/* The holder may wait for user space, for example for a page that userfaultfd is to
	 * supply. */
	if (mutex_lock_killable(&program->memory_lock))
		return -EINTR;
	error = memory_add_range(program, memory, memory->flags & TACT_BARE_MEMORY_ALL);
	mutex_unlock(&program->memory_lock);
	return error;
}

int tactus_memory_map_page(struct tactus_program *program, u64 address, phys_addr_t physical,
			   u64 bits)
{
	LIST_HEAD(spare);
	/* For the tables, which are charged when their number is known. */
	int error = tactus_memory_charge(program->mm, 1);

	if (error)
		return error;
	tactus_memory_charge(program->mm, -1);
	error = tactus_tables_prepare(&spare);
	if (!error) {
		spin_lock(&program->tables_lock);
		if (!tactus_tables_map(program, &spare, address, physical, bits))
			error = -EBUSY;
		spin_unlock(&program->tables_lock);
	}
	tactus_tables_free(&spare);
	return error;
}
