/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Heaps. The heap with the number 0 is made when it is first needed. */
#include "vrtx_internal.h"

#define HEAP_0_BYTES ((unsigned long)64 << 10)
#define PAGE_DEFAULT 9u /* log2 of 512 */
#define PAGE_MAX     30u

static _Atomic int heap_0;

struct how {
	char *memory;
	unsigned long bytes;
	unsigned log2_page;
};

static tact_heap_t native_of(const struct vrtx_object *heap)
{
	return (tact_heap_t){runtime_native(&heap->record).id};
}

static int make(struct runtime_record *record, const char *key, const void *how,
		tact_object_t *native)
{
	const struct how *heap = how;
	tact_heap_t made = {0};
	int error = tact_heap_create(key, heap->memory, heap->bytes, 0, &made);

	((struct vrtx_object *)record)->heap.log2_page = heap->log2_page;
	*native = tact_object(made);
	return error;
}

static void make_heap_0(void)
{
	static const struct how how = {NULL, HEAP_0_BYTES, PAGE_DEFAULT};
	int error, none = 0, id = vrtx_create(VRTX_HEAP, NULL, make, &how, ER_NOCB, &error);

	/* Another caller may have been faster. */
	if (id && !atomic_compare_exchange_strong(&heap_0, &none, id))
		(void)runtime_delete(&vrtx_objects, (uint32_t)id, VRTX_HEAP);
}

static struct vrtx_object *find(int hid, int *errp)
{
	struct vrtx_object *heap;

	if (!hid && !runtime_in_handler() && !vrtx_find(atomic_load(&heap_0), VRTX_HEAP))
		make_heap_0();
	heap = vrtx_find(hid ? hid : atomic_load(&heap_0), VRTX_HEAP);
	if (!heap)
		vrtx_tell(errp, ER_ID);
	return heap;
}

int sc_hcreate(char *heapaddr, unsigned long heapsize, unsigned log2psize, int *errp)
{
	const struct how how = {heapaddr, heapsize, log2psize ? log2psize : PAGE_DEFAULT};
	int id;

	if (heapsize < TACT_HEAP_BYTES_MIN || log2psize > PAGE_MAX) {
		vrtx_tell(errp, ER_IIP);
		return -1;
	}
	id = vrtx_create(VRTX_HEAP, NULL, make, &how, ER_NOCB, errp);
	return id ? id : -1;
}

void sc_hdelete(int hid, int opt, int *errp)
{
	struct tact_heap_info info = {.size = sizeof(info)};
	struct vrtx_object *heap = find(hid, errp);
	int error;

	if (!heap)
		return;
	(void)tact_heap_inquire(native_of(heap), &info);
	error = vrtx_may_delete(opt, info.blocks != 0);
	if (!error)
		error = vrtx_code_now(
			runtime_delete(&vrtx_objects, runtime_id(&heap->record), VRTX_HEAP), ER_ID);
	if (!error && !hid)
		atomic_store(&heap_0, 0);
	vrtx_tell(errp, error);
}

char *sc_halloc(int hid, unsigned long size, int *errp)
{
	struct vrtx_object *heap = find(hid, errp);
	void *block = NULL;
	int error;

	if (!heap)
		return NULL;
	error = tact_heap_alloc(native_of(heap), size, TACT_NOWAIT, &block);
	if (!error)
		atomic_fetch_add_explicit(&heap->heap.allocated, 1, memory_order_relaxed);
	vrtx_tell(errp, error == -TACT_EAGAIN || error == -TACT_EINVAL
				? ER_MEM
				: vrtx_code_now(error, ER_ID));
	return error ? NULL : block;
}

void sc_hfree(int hid, char *block, int *errp)
{
	struct vrtx_object *heap = find(hid, errp);
	int error;

	if (!heap)
		return;
	error = tact_heap_free(native_of(heap), block);
	if (error >= 0) {
		atomic_fetch_sub_explicit(&heap->heap.allocated, 1, memory_order_relaxed);
		atomic_fetch_add_explicit(&heap->heap.released, 1, memory_order_relaxed);
	}
	vrtx_tell(errp, error == -TACT_EINVAL ? ER_NMB : vrtx_code_now(error, ER_ID));
}

void sc_hinquiry(int info[3], int hid, int *errp)
{
	const struct vrtx_object *heap = find(hid, errp);

	if (!heap)
		return;
	if (info) {
		info[0] = heap->heap.allocated;
		info[1] = heap->heap.released;
		info[2] = (int)heap->heap.log2_page;
	}
	vrtx_tell(errp, RET_OK);
}
