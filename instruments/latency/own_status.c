/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Finds the segment among the descriptors of the process, as tools do, and maps it while it is
 * read. */
#include "own_status.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "abi/status.h"

#define FOLDER "/proc/self/fd"

static int open_segment(void)
{
	DIR *directory = opendir(FOLDER);
	const struct dirent *entry;
	int fd = -1;

	if (directory == NULL)
		return -1;
	while (fd < 0 && (entry = readdir(directory)) != NULL) {
		char path[64], target[64];
		ssize_t length;

		(void)snprintf(path, sizeof(path), FOLDER "/%.20s", entry->d_name);
		length = readlink(path, target, sizeof(target) - 1);
		if (length <= 0)
			continue;
		target[length] = '\0';
		if (strstr(target, "memfd:tactus-status") != NULL)
			fd = open(path, O_RDONLY | O_CLOEXEC);
	}
	(void)closedir(directory);
	return fd;
}

static bool readable(const struct tact_status_header *header)
{
	return header->magic == TACT_STATUS_MAGIC && header->revision == TACT_STATUS_REVISION;
}

static uint64_t sum_spun_ns(const struct tact_status_header *header, uint64_t bytes)
{
	uint64_t sum_ns = 0;

	if (!readable(header) ||
	    header->cpu_offset + (uint64_t)header->cpus * header->cpu_stride > bytes)
		return 0;
	for (uint32_t i = 0; i < header->cpus; i++) {
		const struct tact_status_cpu *cpu =
			(const void *)((const char *)header + header->cpu_offset +
				       i * header->cpu_stride);

		sum_ns += cpu->spun_ns;
	}
	return sum_ns;
}

/* NULL: there is none. */
static const struct tact_status_header *map_segment(uint64_t *bytes)
{
	const int fd = open_segment();
	struct stat file;
	void *segment = MAP_FAILED;

	if (fd < 0)
		return NULL;
	if (fstat(fd, &file) == 0 && (size_t)file.st_size >= sizeof(struct tact_status_header)) {
		*bytes = (uint64_t)file.st_size;
		segment = mmap(NULL, *bytes, PROT_READ, MAP_SHARED, fd, 0);
	}
	(void)close(fd);
	return segment == MAP_FAILED ? NULL : segment;
}

uint64_t own_status_spun_ns(void)
{
	uint64_t bytes, spun_ns;
	const struct tact_status_header *header = map_segment(&bytes);

	if (header == NULL)
		return 0;
	spun_ns = sum_spun_ns(header, bytes);
	(void)munmap((void *)header, bytes);
	return spun_ns;
}

uint32_t own_status_back_end(void)
{
	uint32_t core = TACT_STATUS_CORE_UNKNOWN;
	uint64_t bytes;
	const struct tact_status_header *header = map_segment(&bytes);

	if (header == NULL)
		return core;
	if (readable(header))
		core = header->core;
	(void)munmap((void *)header, bytes);
	return core;
}
