// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the module assumes of a kernel beyond what exported functions promise. It is checked when
 * the module is loaded, so that the module also loads into untested kernels. If an assumption does
 * not hold, the module refuses with one line, and has changed nothing.
 */
#include <linux/compiler.h>
#include <linux/delay.h>
#include <linux/gfp.h>
#include <linux/io.h>
#include <linux/kallsyms.h>
#include <linux/ktime.h>
#include <linux/mm.h>
#include <linux/mman.h>
#include <linux/module.h>
#include <linux/printk.h>
#include <linux/sched.h>
#include <asm/apic.h>
#include <asm/irq_vectors.h>
#include <asm/processor.h>
#include <asm/smp.h>

#include "compat.h"
#include "tactus.h"

#define CLOCK_SLACK_NS NSEC_PER_MSEC
#define RING_MS        1000

/* Interrupts that Linux sends to all processors reach cores, too, so their vectors must differ from
 * those of cores. */
static_assert(CORE_VECTOR_TIMER < LOCAL_TIMER_VECTOR && CORE_VECTOR_TIMER < IRQ_WORK_VECTOR &&
	      CORE_VECTOR_TIMER < REBOOT_VECTOR && CORE_VECTOR_TIMER < CALL_FUNCTION_VECTOR &&
	      CORE_VECTOR_TIMER < CALL_FUNCTION_SINGLE_VECTOR &&
	      CORE_VECTOR_TIMER < RESCHEDULE_VECTOR);

#ifdef TACTUS_TEST_SEAM
/* The name of an assumption that fails, because a test makes it examine something else. */
static char *assume_planted = "";
module_param_named(plant, assume_planted, charp, 0444);

static bool assume_is_planted(const char *name)
{
	return strcmp(assume_planted, name) == 0;
}
#else
static bool assume_is_planted(const char *name)
{
	return false;
}
#endif

/* A CPU that goes offline ends in smp_ops.play_dead, of which the module knows
 * native_play_dead(). */
static bool assume_death(bool planted)
{
	char name[KSYM_SYMBOL_LEN];

	sprint_symbol_no_offset(name, planted ? (unsigned long)smp_ops.smp_send_reschedule
					      : (unsigned long)smp_ops.play_dead);
	return strcmp(name, "native_play_dead") == 0;
}

static bool assume_image(bool planted)
{
	const struct core_image *header = (const struct core_image *)tactus_blob;

	return header->magic == (planted ? 0 : CORE_IMAGE_MAGIC) &&
	       header->file_bytes == tactus_blob_end - tactus_blob &&
	       header->rodata_offset < header->data_offset &&
	       header->data_offset + sizeof(struct core_mailbox) <= header->total_bytes;
}

/* Page tables have the form that the module builds: the walk that the module uses for its cores,
 * applied to Linux's own tables, finds the page that Linux reports. */
static bool assume_tables(bool planted)
{
	unsigned long page = __get_free_page(GFP_KERNEL);
	phys_addr_t physical;
	bool right;

	if (!page)
		return true;
	right = tactus_tables_look_up(__va(read_cr3_pa()), page, &physical) &&
		physical == virt_to_phys((void *)page) + (planted ? PAGE_SIZE : 0);
	free_page(page);
	return right;
}

/* The local APIC is where the module writes to, and has the number that Linux stores. */
static bool assume_apic(bool planted)
{
	unsigned int cpu = get_cpu();
	bool right = tactus_interrupt_own_number() ==
		     (per_cpu(x86_cpu_to_apicid, cpu) ^ (planted ? 1 : 0));

	put_cpu();
	return right;
}

/* An interrupt sent in the way of cores reaches the doorbell's handler. */
static bool assume_doorbell(bool planted)
{
	unsigned int ms, before = tactus_doorbell_count();

	if (!planted)
		tactus_doorbell_ring();
	for (ms = 0; ms < RING_MS && tactus_doorbell_count() == before; ms++)
		usleep_range(500, 1000);
	return tactus_doorbell_count() != before;
}

/* The time in the page that programs read is CLOCK_MONOTONIC. */
static bool assume_clock(bool planted)
{
	u64 before, reported, after;

	if (!READ_ONCE(tactus_clock_page->valid))
		return true;
	before = ktime_get_ns();
	reported = tactus_clock_reported() + (planted ? NSEC_PER_SEC : 0);
	after = ktime_get_ns();
	return reported + CLOCK_SLACK_NS > before && reported < after + CLOCK_SLACK_NS;
}

static bool assume_left_seen;

static bool assume_leaves(struct mmu_interval_notifier *notifier,
			  const struct mmu_notifier_range *range, unsigned long sequence)
{
	mmu_interval_set_seq(notifier, sequence);
	WRITE_ONCE(assume_left_seen, true);
	return true;
}

static const struct mmu_interval_notifier_ops assume_memory_notifier = {.invalidate =
										assume_leaves};

/* Before memory leaves a program, its notifier is called. */
static bool assume_memory(bool planted)
{
	struct mmu_interval_notifier notifier = {};
	unsigned long address;
	bool heard;

	/* Loaded by a thread of the kernel. */
	if (!current->mm)
		return true;
	address =
		vm_mmap(NULL, 0, PAGE_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, 0);
	if (IS_ERR_VALUE(address))
		return true;
	WRITE_ONCE(assume_left_seen, false);
	if (mmu_interval_notifier_insert(&notifier, current->mm, address, PAGE_SIZE,
					 &assume_memory_notifier)) {
		vm_munmap(address, PAGE_SIZE);
		return true;
	}
	if (!planted)
		vm_munmap(address, PAGE_SIZE);
	heard = READ_ONCE(assume_left_seen);
	if (planted)
		vm_munmap(address, PAGE_SIZE);
	mmu_interval_notifier_remove(&notifier);
	return heard;
}

/* The state of the x87 and SSE, which any program may use, is switched on. */
static bool assume_extended(bool planted)
{
	return (tactus_machine_xcr0() & (planted ? 0 : 3)) == 3;
}

static const struct {
	const char *name;
	const char *what;
	bool (*holds)(bool planted);
} assumptions[] = {
	{"death", "a CPU that goes offline does not end in native_play_dead()", assume_death},
	{"image", "the code of a core is not linked as it should be", assume_image},
	{"tables", "page tables differ from those that the module builds", assume_tables},
	{"apic", "the number of the local APIC differs from the one that Linux stores",
	 assume_apic},
	{"bell", "the interrupt of the doorbell does not arrive", assume_doorbell},
	{"clock", "the clock for programs is not CLOCK_MONOTONIC", assume_clock},
	{"memory", "the module is not notified when memory leaves a program", assume_memory},
	{"extended", "the state of the x87 and SSE is off", assume_extended},
};

int tactus_assume_start(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(assumptions); i++) {
		if (assumptions[i].holds(assume_is_planted(assumptions[i].name)))
			continue;
		pr_err("this kernel differs from what the module assumes (%s): %s. Use an older "
		       "kernel, and report this one\n",
		       assumptions[i].name, assumptions[i].what);
		return -ENODEV;
	}
	return 0;
}
