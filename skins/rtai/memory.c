/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Memory by names, heaps, and blocks of heaps by names. Names are in the registry, and their uses
 * are counted there. Memory by names may be that of several programs (shared_memory.h); the rest is
 * the program's.
 */
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <rtai_shm.h>

#include "rtai_task.h"
#include "shared_memory.h"

#define GLOBAL_BYTES (1u << 20)
/* Types of the registry that programs do not see. */
enum { SHARED = 100, HEAP, BLOCK };

/* Is in front of memory with a name, in a page that is the program's. */
struct head {
	int size;
	int file;         /* of memory that several programs have; RTAI_NO_FILE */
	pid_t process;    /* a child of fork() does not give it up */
	tact_heap_t heap; /* TACT_NONE: it is no heap */
};
#define HEAD_BYTES 4096u

static _Atomic tact_heap_t global;
static _Atomic int global_uses;
/* Of callers that are no tasks of RTAI. */
static _Atomic unsigned long other_heap;

static struct head *head_of(void *memory)
{
	return (struct head *)((char *)memory - HEAD_BYTES);
}

static tact_heap_t global_heap(void)
{
	tact_heap_t made = atomic_load(&global);
	tact_heap_t none = {0};

	if (made.id && !tact_heap_inquire(made, NULL))
		return made;
	none = made;
	if (rtai_begin() || tact_heap_create(NULL, NULL, GLOBAL_BYTES, TACT_PRIO, &made))
		return (tact_heap_t){0};
	if (atomic_compare_exchange_strong(&global, &none, made))
		return made;
	(void)tact_heap_delete(made);
	return none;
}

void *rtai_alloc(size_t bytes)
{
	void *block = NULL;

	return tact_heap_alloc(global_heap(), bytes, TACT_NOWAIT, &block) ? NULL : block;
}

void rtai_free_block(void *block)
{
	if (block)
		(void)tact_heap_free(atomic_load(&global), block);
}

void *rt_malloc(int size)
{
	return size > 0 ? rtai_alloc((size_t)size) : NULL;
}

void rt_free(void *addr)
{
	rtai_free_block(addr);
}

static void *map(int size, int file)
{
	char *base = mmap(NULL, HEAD_BYTES + (size_t)size, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);

	if (base == MAP_FAILED)
		return NULL;
	*(struct head *)base = (struct head){.size = size, .file = file, .process = getpid()};
	if (file == RTAI_NO_FILE ||
	    mmap(base + HEAD_BYTES, (size_t)size, PROT_READ | PROT_WRITE,
		 MAP_SHARED | MAP_FIXED | MAP_POPULATE, file, 0) != MAP_FAILED)
		return base + HEAD_BYTES;
	(void)munmap(base, HEAD_BYTES + (size_t)size);
	return NULL;
}

static void close_file(unsigned long name, const struct head *head)
{
	char text[RTAI_NAME_TEXT];

	if (head->file != RTAI_NO_FILE && head->process == getpid())
		rtai_shared_close(rtai_name_text(name, text), head->file);
}

static bool close_at_exit(void *pointer, int type, void *arg)
{
	(void)arg;
	if (type == SHARED)
		close_file(rt_get_name(pointer), head_of(pointer));
	return false;
}

/* What the program has not freed is given up, so that no file is left when nobody has it. */
__attribute__((destructor)) static void exits(void)
{
	(void)rtai_registry_search(close_at_exit, NULL);
}

static void unmap(unsigned long name, void *memory)
{
	struct head *head = head_of(memory);

	(void)tact_heap_delete(head->heap);
	close_file(name, head);
	(void)munmap(head, HEAD_BYTES + (size_t)head->size);
}

/* Of all programs, or, a heap, of this one. NULL: there is no memory. */
static void *map_new(unsigned long name, int size, int type)
{
	char text[RTAI_NAME_TEXT];
	int file = RTAI_NO_FILE;
	void *memory;

	if (type == SHARED)
		file = rtai_shared_open(rtai_name_text(name, text), &size);
	else if (!size)
		return NULL;
	if (file < RTAI_NO_FILE)
		return NULL;
	memory = map(size, file);
	if (!memory && file != RTAI_NO_FILE)
		rtai_shared_close(text, file);
	return memory;
}

/* The memory of a name, made if there is none. */
static void *open_memory(unsigned long name, int size, int type)
{
	void *memory = NULL;

	if (rtai_use(name, type, &memory) > 0)
		return memory;
	if (memory || size < 0 || !name || runtime_in_handler())
		return NULL;
	memory = map_new(name, size, type);
	if (!memory)
		return NULL;
	if (type == HEAP && (rtai_begin() || tact_heap_create(NULL, memory, (size_t)size, TACT_PRIO,
							      &head_of(memory)->heap)))
		goto unmap_memory;
	if (rtai_register(name, memory, type))
		return memory;
unmap_memory:
	unmap(name, memory);
	return NULL;
}

struct search {
	unsigned long name;
	int type;
};

static bool is_it(void *pointer, int type, void *arg)
{
	const struct search *search = arg;

	return type == search->type && rt_get_name(pointer) == search->name;
}

/* Returns its size; 0: there is none. */
static int close_memory(unsigned long name, int type)
{
	struct search search = {name, type};
	void *memory = rtai_registry_search(is_it, &search);
	int size;

	if (!memory)
		return 0;
	size = head_of(memory)->size;
	if (rtai_unuse(memory) <= 0) {
		rtai_deregister(memory);
		unmap(name, memory);
	}
	return size;
}

void *rt_shm_alloc(unsigned long name, int size, int suprt)
{
	(void)suprt;
	return open_memory(name, size, SHARED);
}

/* An address that is asked for is given only if the memory is there. */
static void *at(void *start, unsigned long name, void *memory, int type)
{
	if (!memory || !start || start == memory)
		return memory;
	(void)close_memory(name, type);
	return NULL;
}

void *rt_shm_alloc_adr(void *start_address, unsigned long name, int size, int suprt)
{
	return at(start_address, name, rt_shm_alloc(name, size, suprt), SHARED);
}

void *rtai_malloc(unsigned long name, int size)
{
	return rt_shm_alloc(name, size, USE_VMALLOC);
}

void *rtai_malloc_adr(void *start_address, unsigned long name, int size)
{
	return rt_shm_alloc_adr(start_address, name, size, USE_VMALLOC);
}

int rt_shm_free(unsigned long name)
{
	return close_memory(name, SHARED);
}

#undef rtai_free
int rtai_free(unsigned long name, void *adr)
{
	(void)adr;
	return rt_shm_free(name);
}

static _Atomic unsigned long *own_heap(void)
{
	struct runtime_record *self = rtai_self();

	return self ? &rtai_task_of(self)->heap : &other_heap;
}

void *rt_heap_open_adr(void *start, unsigned long name, int size, int suprt)
{
	void *memory;

	(void)suprt;
	if (name == GLOBAL_HEAP_ID)
		return start ? NULL : rt_global_heap_open();
	memory = at(start, name, open_memory(name, size, HEAP), HEAP);
	if (memory)
		atomic_store(own_heap(), name);
	return memory;
}

void *rt_heap_open(unsigned long name, int size, int suprt)
{
	return rt_heap_open_adr(NULL, name, size, suprt);
}

int rt_heap_close(unsigned long name, void *adr)
{
	(void)adr;
	return name == GLOBAL_HEAP_ID ? rt_global_heap_close() : close_memory(name, HEAP);
}

void *rt_global_heap_open(void)
{
	if (!global_heap().id)
		return NULL;
	atomic_fetch_add(&global_uses, 1);
	atomic_store(own_heap(), GLOBAL_HEAP_ID);
	return (void *)&global;
}

int rt_global_heap_close(void)
{
	int uses = atomic_load(&global_uses);

	while (uses > 0 && !atomic_compare_exchange_weak(&global_uses, &uses, uses - 1))
		;
	return uses > 0 ? (int)GLOBAL_BYTES : 0;
}

/* The heap that the caller opened last, if it is still there. */
static tact_heap_t opened_heap(void)
{
	struct search search = {atomic_load(own_heap()), HEAP};
	void *memory;

	if (search.name == GLOBAL_HEAP_ID)
		return global_heap();
	memory = search.name ? rtai_registry_search(is_it, &search) : NULL;
	return memory ? head_of(memory)->heap : (tact_heap_t){0};
}

void *rt_halloc(int size)
{
	void *block = NULL;

	if (size <= 0 || tact_heap_alloc(opened_heap(), (size_t)size, TACT_NOWAIT, &block))
		return NULL;
	return block;
}

void rt_hfree(void *addr)
{
	if (addr)
		(void)tact_heap_free(opened_heap(), addr);
}

/* A block with a name. allocate, give_back: of its heap. */
static void *named(unsigned long name, int size, void *(*allocate)(int size),
		   void (*give_back)(void *block))
{
	void *block = NULL;

	if (rtai_use(name, BLOCK, &block) > 0)
		return block;
	if (block || !name)
		return NULL;
	block = allocate(size);
	if (block && !rtai_register(name, block, BLOCK)) {
		give_back(block);
		return NULL;
	}
	return block;
}

static bool is_block(void *pointer, int type, void *arg)
{
	return type == BLOCK && pointer == arg;
}

static void unname(void *block, void (*give_back)(void *block))
{
	if (!block || !rtai_registry_search(is_block, block) || rtai_unuse(block) > 0)
		return;
	rtai_deregister(block);
	give_back(block);
}

void *rt_named_halloc(unsigned long name, int size)
{
	return named(name, size, rt_halloc, rt_hfree);
}

void rt_named_hfree(void *addr)
{
	unname(addr, rt_hfree);
}

void *rt_named_malloc(unsigned long name, int size)
{
	return named(name, size, rt_malloc, rt_free);
}

void rt_named_free(void *addr)
{
	unname(addr, rt_free);
}
