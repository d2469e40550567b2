// SPDX-License-Identifier: GPL-2.0-only
/* A core: its copy of the image, the upper half of its page tables, and the references to it. */
#include <linux/gfp.h>
#include <linux/io.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <asm/apic.h>
#include <asm/msr.h>

#include "tactus.h"

#define IMAGE_EXECUTE 0ull
#define IMAGE_READ    _PAGE_NX
#define IMAGE_WRITE   (_PAGE_NX | _PAGE_RW)
/* The PAT's entry 3, which is uncached both in Linux's PAT and in the one after reset. */
#define IMAGE_DEVICE (IMAGE_WRITE | _PAGE_PCD | _PAGE_PWT)

/* A core takes 5 ms to measure it. */
static u64 image_timer_per_tick;

static phys_addr_t image_switch(void)
{
	return page_to_phys(vmalloc_to_page(tactus_switch_page));
}

static int image_map(struct tactus_core *core, const struct core_image *header)
{
	phys_addr_t physical = virt_to_phys(core->image);
	u32 offset;
	int error = 0;

	for (offset = 0; offset < header->total_bytes && !error; offset += PAGE_SIZE) {
		u64 bits = offset >= header->data_offset     ? IMAGE_WRITE
			   : offset >= header->rodata_offset ? IMAGE_READ
							     : IMAGE_EXECUTE;

		error = tactus_tables_map_core(core, CORE_BASE + offset, physical + offset, bits);
	}
	error = error
			?: tactus_tables_map_core(core, CORE_USER_PAGE, virt_to_phys(core->user),
						  IMAGE_WRITE);
	error = error
			?: tactus_tables_map_core(core, CORE_INFO_PAGE, virt_to_phys(core->info),
						  IMAGE_WRITE);
	if (!error && !x2apic_mode) {
		u64 base = native_read_msr(MSR_IA32_APICBASE);

		error = tactus_tables_map_core(core, CORE_APIC_PAGE, base & MSR_IA32_APICBASE_BASE,
					       IMAGE_DEVICE);
	}
	return error
		       ?: tactus_tables_map_core(core, (u64)tactus_switch_page, image_switch(),
						 IMAGE_EXECUTE);
}

static int image_load(struct tactus_core *core)
{
	const struct core_image *header = (const struct core_image *)tactus_blob;

	INIT_LIST_HEAD(&core->table_pages);
	if (header->magic != CORE_IMAGE_MAGIC ||
	    header->file_bytes != tactus_blob_end - tactus_blob)
		return -ENOEXEC;
	core->image_order = get_order(header->total_bytes);
	core->image = (void *)__get_free_pages(GFP_KERNEL_ACCOUNT | __GFP_ZERO, core->image_order);
	core->user = (void *)get_zeroed_page(GFP_KERNEL_ACCOUNT);
	core->info = (void *)get_zeroed_page(GFP_KERNEL_ACCOUNT);
	core->top = tactus_tables_page(&core->table_pages);
	if (!core->image || !core->user || !core->info || !core->top)
		return -ENOMEM;
	memcpy(core->image, tactus_blob, header->file_bytes);
	core->mailbox = core->image + header->data_offset;
	core->mailbox->index = core->index;
	core->mailbox->cpu = core->cpu;
	core->mailbox->cr3 = virt_to_phys(core->top);
	core->mailbox->timer_per_tick = READ_ONCE(image_timer_per_tick);
	tactus_machine_fill(core->mailbox);
	return image_map(core, header);
}

/* The core has arrived, so the module's page is unmapped. The core forgets the page before it runs
 * a program. */
void tactus_image_arrived(struct tactus_core *core)
{
	tactus_tables_unmap_core(core, (u64)tactus_switch_page);
	WRITE_ONCE(image_timer_per_tick, core->mailbox->timer_per_tick);
}

void tactus_image_may_leave(struct tactus_core *core)
{
	if (!core->mailbox->home.entry)
		return;
	/* Pairs with core_nmi(): the page is mapped when the core jumps to it. */
	tactus_tables_remap_core(core, (u64)tactus_switch_page, image_switch(), IMAGE_EXECUTE);
	smp_store_release(&core->mailbox->home_at_nmi, 1);
}

static void image_free(struct tactus_core *core)
{
	tactus_tables_free(&core->table_pages);
	free_pages((unsigned long)core->image, core->image_order);
	free_page((unsigned long)core->user);
	free_page((unsigned long)core->info);
}

static void core_free(struct kref *references)
{
	struct tactus_core *core = container_of(references, struct tactus_core, references);

	image_free(core);
	tactus_affinity_drop(core);
	free_cpumask_var(core->siblings);
	kfree(core);
}

void tactus_core_get(struct tactus_core *core)
{
	kref_get(&core->references);
}

void tactus_core_put(struct tactus_core *core)
{
	kref_put(&core->references, core_free);
}

struct tactus_core *tactus_core_new(u32 index, u32 cpu)
{
	struct tactus_core *core = kzalloc(sizeof(*core), GFP_KERNEL_ACCOUNT);

	if (!core)
		return NULL;
	if (!zalloc_cpumask_var(&core->siblings, GFP_KERNEL)) {
		kfree(core);
		return NULL;
	}
	kref_init(&core->references);
	INIT_LIST_HEAD(&core->bound);
	mutex_init(&core->giving_up);
	spin_lock_init(&core->sending);
	core->index = index;
	core->cpu = cpu;
	if (image_load(core)) {
		tactus_core_put(core);
		return NULL;
	}
	return core;
}
