/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Sealed memory, by memfd_create(). Source: memfd_create(2), fcntl(2). */
#define _GNU_SOURCE
#include "sealed.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#define SEALS (F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL)

static void *map(int file, size_t bytes)
{
	void *memory =
		mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, file, 0);

	if (memory == MAP_FAILED)
		return NULL;
	/* Without the right to lock it stays where it is as long as there is memory. */
	(void)mlock(memory, bytes);
	return memory;
}

void *sealed_make(const char *name, size_t bytes, int *file)
{
	void *memory = NULL;

	*file = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (*file < 0)
		return NULL;
	if (!ftruncate(*file, (off_t)bytes) && !fcntl(*file, F_ADD_SEALS, SEALS))
		memory = map(*file, bytes);
	if (memory)
		return memory;
	close(*file);
	*file = -1;
	return NULL;
}

void *sealed_map(int file, size_t bytes)
{
	int seals = fcntl(file, F_GET_SEALS);

	if (seals < 0 || (seals & SEALS) != SEALS || lseek(file, 0, SEEK_END) != (off_t)bytes)
		return NULL;
	return map(file, bytes);
}
