/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tactus's own descriptors: a bit for each number. Larger numbers are not recorded. */
#define _GNU_SOURCE
#include "posix/state/internal_fds.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "posix/libc/real.h"

#define NUMBERS 65536u
#define BITS    64u

static _Atomic uint64_t own[NUMBERS / BITS];

static uint64_t bit_of(int fd)
{
	return 1ull << ((unsigned)fd % BITS);
}

/* NULL: the number is negative or too large. */
static _Atomic uint64_t *word_of(int fd)
{
	return (unsigned)fd < NUMBERS ? &own[(unsigned)fd / BITS] : NULL;
}

int posix_internal_fd(int fd)
{
	_Atomic uint64_t *word = word_of(fd);

	if (word)
		atomic_fetch_or_explicit(word, bit_of(fd), memory_order_relaxed);
	return fd;
}

bool posix_is_internal_fd(int fd)
{
	const _Atomic uint64_t *word = word_of(fd);

	return word && atomic_load_explicit(word, memory_order_relaxed) & bit_of(fd);
}

bool posix_internal_fd_end(int fd)
{
	_Atomic uint64_t *word = word_of(fd);

	return word &&
	       atomic_fetch_and_explicit(word, ~bit_of(fd), memory_order_relaxed) & bit_of(fd);
}

void posix_internal_fd_close(int fd)
{
	(void)posix_internal_fd_end(fd);
	(void)posix_real.syscall(SYS_close, fd);
}

int posix_internal_fd_next(unsigned first)
{
	for (unsigned at = first / BITS; at < NUMBERS / BITS; at++) {
		uint64_t bits = atomic_load_explicit(&own[at], memory_order_relaxed);

		if (at == first / BITS)
			bits &= ~0ull << first % BITS;
		if (bits)
			return (int)(at * BITS) + __builtin_ctzll(bits);
	}
	return -1;
}

static int number_of(const char *name)
{
	int fd = 0;

	if (*name < '0' || *name > '9')
		return -1;
	for (; *name; name++)
		fd = fd * 10 + (*name - '0');
	return fd;
}

static bool close_listed(int folder, int first, const char *list, long bytes)
{
	bool closed = false;

	for (long at = 0; at < bytes;) {
		const struct dirent64 *entry = (const void *)(list + at);
		const int fd = number_of(entry->d_name);

		if (fd >= first && fd != folder && !posix_is_internal_fd(fd))
			closed |= !posix_real.syscall(SYS_close, fd);
		at += entry->d_reclen;
	}
	return closed;
}

/* This uses no memory of the heap, as it may run in a fork's child. Source: getdents64(2),
 * proc(5). */
bool posix_internal_fd_close_others(int first)
{
	const int folder = (int)posix_real.syscall(SYS_openat, AT_FDCWD, "/proc/self/fd",
						   O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	_Alignas(struct dirent64) char list[2048];
	long bytes;

	if (folder < 0)
		return false;
	do {
		bytes = posix_real.syscall(SYS_getdents64, folder, list, sizeof(list));
		/* A closed descriptor disappears from the list, and one that follows may be
		 * skipped. */
		if (bytes > 0 && close_listed(folder, first, list, bytes))
			(void)posix_real.syscall(SYS_lseek, folder, 0L, SEEK_SET);
	} while (bytes > 0);
	(void)posix_real.syscall(SYS_close, folder);
	return !bytes;
}

void posix_internal_fds_forked(void)
{
	for (unsigned at = 0; at < NUMBERS / BITS; at++)
		if (atomic_load_explicit(&own[at], memory_order_relaxed))
			atomic_store_explicit(&own[at], 0, memory_order_relaxed);
}
