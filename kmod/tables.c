// SPDX-License-Identifier: GPL-2.0-only
/*
 * Page tables of cores, with 4 or 5 levels like those of Linux. A core's root has two halves. The
 * upper half belongs to the core and holds its image. The lower half is the same for all cores of a
 * program, and holds what the program added. While a core may walk tables, they are only added;
 * they are freed with the program.
 */
#include <linux/gfp.h>
#include <linux/io.h>
#include <linux/mm.h>

#include "tactus.h"

#define ENTRIES    512
#define USER_HALF  256
#define LEVELS_MAX 5
/* Of 512 pages each, while a lock is held: fractions of a millisecond. */
#define TABLES_AT_ONCE 8
/* Accessed is set beforehand, so that no processor ever writes to an entry. */
#define TABLE_BITS (_PAGE_PRESENT | _PAGE_RW | _PAGE_ACCESSED)

int tactus_tables_levels(void)
{
	return __read_cr4() & X86_CR4_LA57 ? 5 : 4;
}

static unsigned int tables_index(u64 address, int level)
{
	return address >> (PAGE_SHIFT + 9 * level) & (ENTRIES - 1);
}

static u64 *tables_below(u64 entry)
{
	return __va(entry & PTE_PFN_MASK);
}

u64 *tactus_tables_page(struct list_head *pages)
{
	struct page *page = alloc_page(GFP_KERNEL_ACCOUNT | __GFP_ZERO);

	if (!page)
		return NULL;
	list_add(&page->lru, pages);
	return page_address(page);
}

void tactus_tables_free(struct list_head *pages)
{
	struct page *page, *next;

	list_for_each_entry_safe(page, next, pages, lru) {
		list_del(&page->lru);
		__free_page(page);
	}
}

/* Get enough tables for one page at any address. */
int tactus_tables_prepare(struct list_head *spare)
{
	struct list_head *node;
	unsigned int count = 0;

	list_for_each(node, spare)
		count++;
	for (; count < LEVELS_MAX - 1; count++)
		if (!tactus_tables_page(spare))
			return -ENOMEM;
	return 0;
}

/* Returns the place of an address's entry. Missing tables are taken from spare; without spare, it
 * returns NULL. charged counts them. */
static u64 *tables_slot(u64 *top, u64 address, u64 bits, struct list_head *spare,
			struct list_head *used, u64 *charged)
{
	u64 *table = top;
	int level;

	for (level = tactus_tables_levels() - 1; level > 0; level--) {
		u64 *entry = &table[tables_index(address, level)];

		if (!*entry) {
			struct page *page;

			if (!spare || list_empty(spare))
				return NULL;
			page = list_first_entry(spare, struct page, lru);
			list_move(&page->lru, used);
			++*charged;
			/* The table is all zero before a processor can find it (x86 keeps stores in
			 * order). */
			WRITE_ONCE(*entry, page_to_phys(page) | TABLE_BITS | bits);
		}
		table = tables_below(*entry);
	}
	return &table[tables_index(address, 0)];
}

bool tactus_tables_look_up(u64 *top, u64 address, phys_addr_t *physical)
{
	u64 *table = top;
	int level;

	for (level = tactus_tables_levels() - 1;; level--) {
		u64 entry = READ_ONCE(table[tables_index(address, level)]);
		u64 inside = (1ull << (PAGE_SHIFT + 9 * level)) - 1;

		if (!(entry & _PAGE_PRESENT))
			return false;
		if (level == 0 || entry & _PAGE_PSE) {
			*physical = (entry & PTE_PFN_MASK & ~inside) | (address & inside);
			return true;
		}
		table = tables_below(entry);
	}
}

static u64 tables_core_entry(phys_addr_t physical, u64 bits)
{
	return physical | _PAGE_PRESENT | _PAGE_ACCESSED | _PAGE_DIRTY | bits;
}

/* Map one page of the core itself, before the core runs. */
int tactus_tables_map_core(struct tactus_core *core, u64 address, phys_addr_t physical, u64 bits)
{
	LIST_HEAD(spare);
	u64 *entry, of_core = 0;

	if (tactus_tables_prepare(&spare)) {
		tactus_tables_free(&spare);
		return -ENOMEM;
	}
	entry = tables_slot(core->top, address, 0, &spare, &core->table_pages, &of_core);
	tactus_tables_free(&spare);
	WRITE_ONCE(*entry, tables_core_entry(physical, bits));
	return 0;
}

/* Map what was mapped before and then unmapped: its tables exist. */
void tactus_tables_remap_core(struct tactus_core *core, u64 address, phys_addr_t physical, u64 bits)
{
	u64 *entry = tables_slot(core->top, address, 0, NULL, NULL, NULL);

	if (entry)
		WRITE_ONCE(*entry, tables_core_entry(physical, bits));
}

void tactus_tables_unmap_core(struct tactus_core *core, u64 address)
{
	u64 *entry = tables_slot(core->top, address, 0, NULL, NULL, NULL);

	if (entry)
		WRITE_ONCE(*entry, 0);
}

void tactus_tables_attach(struct tactus_program *program, struct tactus_core *core)
{
	unsigned int i;

	lockdep_assert_held(&program->tables_lock);
	for (i = 0; i < USER_HALF; i++)
		WRITE_ONCE(core->top[i], program->top[i]);
}

bool tactus_tables_present(struct tactus_program *program, u64 address)
{
	u64 *entry;

	lockdep_assert_held(&program->tables_lock);
	entry = tables_slot(program->top, address, 0, NULL, NULL, NULL);
	return entry && *entry;
}

/*
 * Returns false if something is mapped there. spare holds enough tables. Tables stay until the
 * program ends, so they count as pinned by it: otherwise single pages at many addresses would take
 * all memory of the machine.
 */
bool tactus_tables_map(struct tactus_program *program, struct list_head *spare, u64 address,
		       phys_addr_t physical, u64 bits)
{
	unsigned int index = tables_index(address, tactus_tables_levels() - 1);
	u64 before = program->top[index];
	u64 *entry, charged = 0;
	unsigned int i;

	lockdep_assert_held(&program->tables_lock);
	entry = tables_slot(program->top, address, _PAGE_USER, spare, &program->table_pages,
			    &charged);
	program->tables_charged += charged;
	atomic64_add(charged, &program->mm->pinned_vm);
	if (!entry || *entry)
		return false;
	/* Nothing was mapped, and processors cache no absent translation: no flush. */
	WRITE_ONCE(*entry,
		   physical | _PAGE_PRESENT | _PAGE_USER | _PAGE_ACCESSED | _PAGE_DIRTY | bits);
	if (program->top[index] != before)
		for (i = 0; i < TACT_BARE_MAX_CORES; i++)
			if (program->cores[i])
				WRITE_ONCE(program->cores[i]->top[index], program->top[index]);
	return true;
}

struct tables_walk {
	u64 start;
	u64 last;
	u64 next; /* where a stopped walk continues */
	unsigned int left;
	bool (*visit)(u64 *entry, void *data);
	void *data;
};

/* Returns false to stop. */
static bool tables_walk(struct tables_walk *walk, u64 *table, int level, u64 base)
{
	u64 size = 1ull << (PAGE_SHIFT + 9 * level);
	unsigned int i;

	for (i = 0; i < ENTRIES; i++) {
		u64 low = base + i * size;
		if (!table[i] || low + (size - 1) < walk->start)
			continue;
		if (low > walk->last)
			break;
		if (level && !tables_walk(walk, tables_below(table[i]), level - 1, low))
			return false;
		if ((level == 0 && !walk->visit(&table[i], walk->data)) ||
		    (level == 1 && !--walk->left)) {
			walk->next = low + size;
			return false;
		}
	}
	return true;
}

u64 tactus_tables_walk(struct tactus_program *program, u64 start, u64 end,
		       bool (*visit)(u64 *entry, void *data), void *data)
{
	struct tables_walk walk = {start, end - 1, end, TABLES_AT_ONCE, visit, data};

	lockdep_assert_held(&program->tables_lock);
	/* The upper half of the program's root is empty. */
	if (start < end)
		tables_walk(&walk, program->top, tactus_tables_levels() - 1, 0);
	return walk.next;
}
