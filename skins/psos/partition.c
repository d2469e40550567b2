/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Partitions: buffers of one size. */
#include "psos_internal.h"

#include "psos_errors.h"
#include "psos_segments.h"

/* What follows the record of a partition. */
struct psos_partition {
	struct psos_segments segments;
	unsigned long flags;
	uint32_t buffers;
};

static struct psos_partition *partition_of(struct runtime_record *record)
{
	return runtime_extra(record);
}

struct how {
	struct psos_partition partition;
	unsigned long bsize;
};

/* As many buffers as the memory holds. */
static uint32_t buffers_in(size_t bytes, unsigned long bsize)
{
	const size_t stride = bsize < PSOS_GRANULE ? PSOS_GRANULE : bsize;
	size_t buffers = bytes / stride;

	if (buffers > UINT32_MAX)
		return 0;
	while (buffers && tact_pool_memory_bytes(bsize, (uint32_t)buffers) > bytes)
		buffers--;
	return (uint32_t)buffers;
}

static int make(struct runtime_record *record, const char *key, const void *how,
		tact_object_t *native)
{
	const struct how *wanted = how;
	tact_pool_t made = {0};
	int error = tact_pool_create(key, wanted->bsize, wanted->partition.buffers,
				     (void *)wanted->partition.segments.begin, TACT_FIFO, &made);

	*partition_of(record) = wanted->partition;
	*native = tact_object(made);
	return error;
}

static const struct psos_kind kind = {PSOS_PARTITION, make, psos_create_errors};

static bool is_power_of_two(unsigned long value)
{
	return value && !(value & (value - 1));
}

unsigned long pt_create(const char *name, void *paddr, void *laddr, unsigned long length,
			unsigned long bsize, unsigned long flags, unsigned long *ptid,
			unsigned long *nbuf)
{
	struct how how = {{.flags = flags}, bsize};
	unsigned long code = psos_begin();

	(void)laddr;
	if (code || flags & ~(unsigned long)(PT_GLOBAL | PT_DEL))
		return ERR_SSFN;
	if (!paddr || (uintptr_t)paddr % sizeof(long))
		return ERR_PTADDR;
	if (!is_power_of_two(bsize) || bsize < 4)
		return ERR_BUFSIZE;
	if (psos_segments_init(&how.partition.segments, paddr, length))
		how.partition.buffers =
			buffers_in(psos_segments_bytes(&how.partition.segments), bsize);
	if (!how.partition.buffers)
		return ERR_TINYPT;
	code = psos_create(&kind, name, &how, ptid);
	if (!code)
		psos_give(nbuf, how.partition.buffers);
	return code;
}

unsigned long pt_delete(unsigned long ptid)
{
	struct runtime_record *record = psos_find(ptid, PSOS_PARTITION);
	struct tact_pool_info info = {0};

	if (runtime_in_handler())
		return ERR_SSFN;
	if (!record)
		return psos_id_error(ptid);
	(void)tact_pool_inquire(psos_pool(record), &info);
	if (info.free < partition_of(record)->buffers && !(partition_of(record)->flags & PT_DEL))
		return ERR_BUFINUSE;
	if (!psos_take(ptid, PSOS_PARTITION))
		return ERR_OBJDEL;
	psos_drop(record);
	return 0;
}

unsigned long pt_ident(const char *name, unsigned long node, unsigned long *ptid)
{
	return psos_ident(PSOS_PARTITION, name, node, ptid);
}

unsigned long pt_getbuf(unsigned long ptid, void **bufaddr)
{
	struct runtime_record *record = psos_find(ptid, PSOS_PARTITION);
	void *block;
	int error;

	if (!record)
		return psos_id_error(ptid);
	/* A buffer that nobody knows of could not be given back. */
	if (!bufaddr)
		return ERR_SSFN;
	error = tact_pool_get(psos_pool(record), TACT_NOWAIT, &block);
	if (!error) {
		psos_segments_take(&partition_of(record)->segments, block);
		*bufaddr = block;
	}
	return psos_result(psos_pt_getbuf_errors, error);
}

unsigned long pt_sgetbuf(unsigned long ptid, void **paddr, void **laddr)
{
	void *block;
	unsigned long code = paddr || laddr ? pt_getbuf(ptid, &block) : pt_getbuf(ptid, NULL);

	if (code)
		return code;
	if (paddr)
		*paddr = block;
	if (laddr)
		*laddr = block;
	return 0;
}

unsigned long pt_retbuf(unsigned long ptid, void *bufaddr)
{
	struct runtime_record *record = psos_find(ptid, PSOS_PARTITION);

	if (!record)
		return psos_id_error(ptid);
	switch (psos_segments_give(&partition_of(record)->segments, bufaddr)) {
	case PSOS_SEGMENT_TAKEN:
		return psos_result(psos_create_errors, tact_pool_put(psos_pool(record), bufaddr));
	case PSOS_SEGMENT_FREE:
		return ERR_BUFFREE;
	default:
		return ERR_BUFADDR;
	}
}
