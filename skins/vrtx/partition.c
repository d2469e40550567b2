/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Partitions of blocks of one size, in memory of the program, which may be extended. */
#include "vrtx_internal.h"

#define ALIGNMENT  16u
#define BLOCKS_MAX (1ul << 24) /* of a pool of the nucleus */

struct how {
	char *memory;
	unsigned long bytes;
	unsigned long block_bytes;
};

static struct vrtx_object *find(int pid, int *errp)
{
	struct vrtx_object *partition = vrtx_number_find(&vrtx_partitions, pid);

	if (!partition)
		vrtx_tell(errp, ER_PID);
	return partition;
}

/* As many blocks as the memory has room for. 0: none; or more than a pool can have. */
static uint32_t blocks_in(unsigned long bytes, unsigned long block_bytes)
{
	unsigned long blocks = bytes / ((block_bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT);

	if (blocks > BLOCKS_MAX)
		return 0;
	while (blocks && tact_pool_memory_bytes(block_bytes, (uint32_t)blocks) > bytes)
		blocks--;
	return (uint32_t)blocks;
}

/* A pool in the memory. key: NULL for an extent that is not the first. */
static int make_pool(const char *key, const struct how *how, tact_pool_t *pool)
{
	const unsigned long skip = -(uintptr_t)how->memory % ALIGNMENT;
	uint32_t blocks;

	if (how->bytes <= skip)
		return -TACT_EINVAL;
	blocks = blocks_in(how->bytes - skip, how->block_bytes);
	return tact_pool_create(key, how->block_bytes, blocks, how->memory + skip, 0, pool);
}

static int make(struct runtime_record *record, const char *key, const void *how,
		tact_object_t *native)
{
	struct vrtx_partition *partition = &((struct vrtx_object *)record)->partition;
	int error = make_pool(key, how, &partition->extent[0]);

	partition->block_bytes = ((const struct how *)how)->block_bytes;
	atomic_store_explicit(&partition->extents, 1, memory_order_release);
	*native = tact_object(partition->extent[0]);
	return error;
}

int sc_pcreate(int pid, char *paddr, long psize, long bsize, int *errp)
{
	const struct how how = {paddr, (unsigned long)psize, (unsigned long)bsize};
	int number, id;

	if (pid < -1 || pid >= VRTX_NUMBERS || !paddr || bsize <= 0 || psize < bsize) {
		vrtx_tell(errp, ER_IIP);
		return -1;
	}
	number = vrtx_number_take(&vrtx_partitions, pid);
	if (number < 0) {
		vrtx_tell(errp, ER_PID);
		return -1;
	}
	id = vrtx_create(VRTX_PARTITION, NULL, make, &how, ER_NOCB, errp);
	vrtx_number_set(&vrtx_partitions, number, (uint64_t)id);
	return id ? number : -1;
}

void sc_pdelete(int pid, int opt, int *errp)
{
	struct vrtx_object *partition = find(pid, errp);
	int error;

	if (!partition)
		return;
	error = vrtx_may_delete(opt, false);
	if (!error) {
		const struct vrtx_partition extents = partition->partition;

		error = vrtx_code_now(runtime_delete(&vrtx_objects, runtime_id(&partition->record),
						     VRTX_PARTITION),
				      ER_PID);
		for (uint32_t i = 1; !error && i < extents.extents; i++)
			(void)tact_pool_delete(extents.extent[i]);
	}
	vrtx_tell(errp, error);
}

void sc_pextend(int pid, char *eaddr, long esize, int *errp)
{
	struct vrtx_object *object = find(pid, errp);
	struct vrtx_partition *partition;
	uint32_t extents;
	struct how how;
	int error;

	if (!object)
		return;
	partition = &object->partition;
	extents = atomic_load_explicit(&partition->extents, memory_order_acquire);
	how = (struct how){eaddr, (unsigned long)esize, partition->block_bytes};
	if (!eaddr || esize <= 0 || extents == VRTX_EXTENTS) {
		vrtx_tell(errp, ER_IIP);
		return;
	}
	error = make_pool(NULL, &how, &partition->extent[extents]);
	if (!error)
		atomic_store_explicit(&partition->extents, extents + 1, memory_order_release);
	vrtx_tell(errp, vrtx_code(error));
}

void sc_pinquiry(unsigned long info[3], int pid, int *errp)
{
	const struct vrtx_object *partition = find(pid, errp);
	unsigned long used = 0, free = 0;

	if (!partition)
		return;
	for (uint32_t i = 0; i < partition->partition.extents; i++) {
		struct tact_pool_info pool = {.size = sizeof(pool)};

		(void)tact_pool_inquire(partition->partition.extent[i], &pool);
		used += pool.total - pool.free;
		free += pool.free;
	}
	if (info) {
		info[0] = used;
		info[1] = free;
		info[2] = partition->partition.block_bytes;
	}
	vrtx_tell(errp, RET_OK);
}

char *sc_gblock(int pid, int *errp)
{
	const struct vrtx_object *partition = find(pid, errp);
	void *block = NULL;
	int error = -TACT_EAGAIN;

	if (!partition)
		return NULL;
	for (uint32_t i = 0; error == -TACT_EAGAIN && i < partition->partition.extents; i++)
		error = tact_pool_get(partition->partition.extent[i], TACT_NOWAIT, &block);
	vrtx_tell(errp, error == -TACT_EAGAIN ? ER_MEM : vrtx_code_now(error, ER_PID));
	return error ? NULL : block;
}

void sc_rblock(int pid, char *blockp, int *errp)
{
	const struct vrtx_object *partition = find(pid, errp);
	int error = -TACT_EINVAL;

	if (!partition)
		return;
	for (uint32_t i = 0; error == -TACT_EINVAL && i < partition->partition.extents; i++)
		error = tact_pool_put(partition->partition.extent[i], blockp);
	vrtx_tell(errp, error == -TACT_EINVAL ? ER_NMB : vrtx_code_now(error, ER_PID));
}
