/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The program's status segment: shared memory without a name in any file system. Tools find it by
 * the descriptor /proc/<pid>/fd/… -> "memfd:tactus-status". It is gone with the process.
 */
#define _GNU_SOURCE
#include <sys/mman.h>
#include <unistd.h>

#include "hal/linux.h"

/* It stays open as long as the segment is mapped, because tools find the segment by it. */
static int file = -1;

void *hal_status_map(size_t bytes)
{
	void *memory;

	if (file < 0)
		file = memfd_create("tactus-status", MFD_CLOEXEC);
	if (file < 0)
		return NULL;
	if (ftruncate(file, (off_t)bytes))
		goto close_file;
	memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	if (memory == MAP_FAILED)
		goto close_file;
	return memory;

close_file:
	close(file);
	file = -1;
	return NULL;
}

void hal_status_unmap(void *memory, size_t bytes)
{
	munmap(memory, bytes);
	close(file);
	file = -1;
}
