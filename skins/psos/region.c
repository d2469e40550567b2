/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Regions: segments of any size. */
#include "psos_region.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "psos_errors.h"
#include "psos_segments.h"

#define UNIT_MIN  16u
#define UNITS_MAX 32767u

/* What follows the record of a region. */
struct psos_region {
	struct psos_segments segments;
	unsigned long flags;
	unsigned long unit;
};

static struct psos_region *region_of(struct runtime_record *record)
{
	return runtime_extra(record);
}

/* Region 0; its record is never given back. */
static struct runtime_record *_Atomic zero;

struct runtime_record *psos_region_zero(void)
{
	return atomic_load_explicit(&zero, memory_order_acquire);
}

static struct runtime_record *find(unsigned long rnid)
{
	return rnid ? psos_find(rnid, PSOS_REGION) : psos_region_zero();
}

static int make(struct runtime_record *record, const char *key, const void *how,
		tact_object_t *native)
{
	const struct psos_region *wanted = how;
	tact_heap_t made = {0};
	int error = tact_heap_create(key, (void *)wanted->segments.begin,
				     psos_segments_bytes(&wanted->segments),
				     wanted->flags & RN_PRIOR ? TACT_PRIO : TACT_FIFO, &made);

	*region_of(record) = *wanted;
	*native = tact_object(made);
	return error;
}

static const struct psos_kind kind = {PSOS_REGION, make, psos_create_errors};

static bool bad_unit(unsigned long unit)
{
	return unit < UNIT_MIN || unit & (unit - 1);
}

/* The largest segment that a region has now. */
static unsigned long largest(unsigned long rnid)
{
	struct runtime_record *record = psos_find(rnid, PSOS_REGION);
	struct tact_heap_info info = {0};

	if (!record)
		return 0;
	(void)tact_heap_inquire(psos_heap(record), &info);
	return info.largest_bytes & ~(region_of(record)->unit - 1);
}

/* What all regions have in common. units: most units. Returns the code of the call. */
static unsigned long create(const char *name, void *saddr, unsigned long length,
			    unsigned long units, struct psos_region *region, unsigned long *rnid)
{
	if (!saddr || (uintptr_t)saddr % sizeof(long))
		return ERR_RNADDR;
	if (bad_unit(region->unit))
		return ERR_UNITSIZE;
	if (length / region->unit > units)
		return ERR_TINYUNIT;
	if (!psos_segments_init(&region->segments, saddr, length) ||
	    psos_segments_bytes(&region->segments) < TACT_HEAP_BYTES_MIN)
		return ERR_TINYRN;
	return psos_create(&kind, name, region, rnid);
}

unsigned long rn_create(const char *name, void *saddr, unsigned long length,
			unsigned long unit_size, unsigned long flags, unsigned long *rnid,
			unsigned long *asiz)
{
	struct psos_region region = {.flags = flags, .unit = unit_size};
	unsigned long id = 0;
	unsigned long code = psos_begin();

	if (code || flags & ~(unsigned long)(RN_PRIOR | RN_DEL))
		return ERR_SSFN;
	code = create(name, saddr, length, UNITS_MAX, &region, &id);
	if (code)
		return code;
	psos_give(rnid, id);
	psos_give(asiz, largest(id));
	return 0;
}

unsigned long psos_region_zero_make(void)
{
	const pSOS_CT *config = psos_configured();
	struct psos_region region = {.unit = config->kc_rn0usize};
	void *memory = config->kc_rn0sadr;
	unsigned long id = 0;
	unsigned long code;

	if (!memory) {
		memory = malloc(config->kc_rn0len);
		if (!memory)
			return ERR_TINYRN;
		/* No later use is a page fault. */
		memset(memory, 0, config->kc_rn0len);
	}
	code = create("RN#0", memory, config->kc_rn0len, ULONG_MAX, &region, &id);
	if (!code)
		atomic_store_explicit(&zero, psos_find(id, PSOS_REGION), memory_order_release);
	else if (!config->kc_rn0sadr)
		free(memory);
	return code;
}

unsigned long rn_delete(unsigned long rnid)
{
	struct runtime_record *record = find(rnid);
	struct tact_heap_info info = {0};

	if (runtime_in_handler())
		return ERR_SSFN;
	if (!record)
		return psos_id_error(rnid);
	(void)tact_heap_inquire(psos_heap(record), &info);
	if (record == psos_region_zero() || (info.blocks && !(region_of(record)->flags & RN_DEL)))
		return ERR_SEGINUSE;
	if (!psos_take(rnid, PSOS_REGION))
		return ERR_OBJDEL;
	psos_drop(record);
	return info.waiters ? ERR_TATRNDEL : 0;
}

unsigned long rn_ident(const char *name, unsigned long *rnid)
{
	return psos_ident(PSOS_REGION, name, 0, rnid);
}

unsigned long rn_getseg(unsigned long rnid, unsigned long size, unsigned long flags,
			unsigned long timeout, void **seg_addr)
{
	struct runtime_record *record = find(rnid);
	struct psos_wait wait = psos_wait(flags, timeout);
	struct psos_region *region;
	unsigned long bytes;
	void *block;
	int result;

	if (!record)
		return psos_id_error(rnid);
	/* A segment that nobody knows of could not be given back. */
	if (!seg_addr || flags & ~(unsigned long)RN_NOWAIT)
		return ERR_SSFN;
	region = region_of(record);
	if (!size)
		return ERR_ZERO;
	if (__builtin_add_overflow(size, region->unit - 1, &bytes))
		return ERR_TOOBIG;
	bytes &= ~(region->unit - 1);
	do
		result = tact_heap_alloc(psos_heap(record), bytes, wait.timeout, &block);
	while (psos_again(result, &wait));
	if (!result) {
		psos_segments_take(&region->segments, block);
		*seg_addr = block;
	}
	return psos_waited(psos_rn_getseg_errors, result, wait);
}

unsigned long rn_retseg(unsigned long rnid, void *seg_addr)
{
	struct runtime_record *record = find(rnid);

	if (!record)
		return psos_id_error(rnid);
	switch (psos_segments_give(&region_of(record)->segments, seg_addr)) {
	case PSOS_SEGMENT_TAKEN:
		return psos_result(psos_create_errors, tact_heap_free(psos_heap(record), seg_addr));
	case PSOS_SEGMENT_OUTSIDE:
		return ERR_NOTINRN;
	case PSOS_SEGMENT_WRONG:
		return ERR_SEGADDR;
	default:
		return ERR_SEGFREE;
	}
}
