/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Memory without a name: it is freed when the last process that has it ends. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "internal.h"

struct mapping {
	struct session_memory memory; /* first: callers have its address */
	const struct session_owner *owner;
	uint64_t object;
	uint32_t users;
	struct mapping *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct mapping *mappings;

static int map(struct session_memory *memory)
{
	void *base = mmap(NULL, memory->bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE,
			  memory->file, 0);

	if (base == MAP_FAILED)
		return -ENOMEM;
	memory->base = base;
	/* Without the right to lock, it still stays in memory as long as there is memory left. */
	(void)mlock(base, memory->bytes);
	return 0;
}

int session_memory_make(size_t bytes, struct session_memory *memory)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);

	memory->bytes = (bytes + page - 1) / page * page;
	memory->file = memfd_create("tactus session", MFD_CLOEXEC);
	if (memory->file < 0)
		return -ENOMEM;
	if (!ftruncate(memory->file, (off_t)memory->bytes) && !map(memory))
		return 0;
	close(memory->file);
	return -ENOMEM;
}

void session_memory_free(struct session_memory *memory)
{
	(void)munmap(memory->base, memory->bytes);
	close(memory->file);
}

/* Add a user to a mapping; NULL: there is no such mapping. Locked. */
static struct mapping *use_again(const struct session_owner *owner, uint64_t object)
{
	struct mapping *mapping = mappings;

	while (mapping && (mapping->owner != owner || mapping->object != object))
		mapping = mapping->next;
	if (mapping)
		mapping->users++;
	return mapping;
}

/* Locked; the file is not taken over if there is no memory. */
static struct mapping *make(const struct session_owner *owner, uint64_t object, int file,
			    size_t bytes)
{
	struct mapping *mapping = malloc(sizeof(*mapping));

	if (!mapping)
		return NULL;
	*mapping = (struct mapping){{NULL, bytes, file}, owner, object, 1, mappings};
	if (map(&mapping->memory)) {
		free(mapping);
		return NULL;
	}
	mappings = mapping;
	return mapping;
}

/* close() is a cancellation point: a thread that ended there with the lock would keep it. */
struct session_memory *session_memory_map(const struct session_owner *owner, uint64_t object,
					  int file, size_t bytes)
{
	struct mapping *mapping;
	bool is_used;

	pthread_mutex_lock(&lock);
	mapping = use_again(owner, object);
	if (!mapping)
		mapping = make(owner, object, file, bytes);
	is_used = mapping && mapping->memory.file == file;
	pthread_mutex_unlock(&lock);
	if (!is_used)
		close(file);
	return mapping ? &mapping->memory : NULL;
}

void session_memory_unmap(struct session_memory *memory)
{
	struct mapping *mapping = (struct mapping *)memory;
	struct session_memory given_back = *memory;
	struct mapping **place = &mappings;
	bool last;

	pthread_mutex_lock(&lock);
	last = --mapping->users == 0;
	if (last) {
		while (*place != mapping)
			place = &(*place)->next;
		*place = mapping->next;
	}
	pthread_mutex_unlock(&lock);
	if (!last)
		return;
	free(mapping);
	session_memory_free(&given_back);
}
