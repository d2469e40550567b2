/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * eventfd. If it is resident, its count is kept here. What the kernel, a driver or another program
 * adds in Linux is added to this count as soon as the shadow of a waiting task sees it. So the
 * value is always the sum of what is here and what is in Linux. Source: eventfd(2).
 */
#define _GNU_SOURCE
#include <errno.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "posix/fd/files.h"
#include "posix/libc/real.h"

#define IN_LINUX UINT64_MAX
/* of the count here, far below the count at which Linux makes writers wait */
#define MOST  UINT32_MAX
#define UNITS 1024 /* of a semaphore, fetched at once */

static bool is_resident(const struct posix_residency *residency)
{
	const struct posix_file *file = (const struct posix_file *)residency;

	return atomic_load(&file->count) != IN_LINUX;
}

bool posix_eventfd_add(struct posix_file *file, uint64_t value)
{
	uint64_t now = atomic_load(&file->count);

	do {
		if (now == IN_LINUX || value > MOST || now + value > MOST)
			return false;
	} while (!atomic_compare_exchange_weak(&file->count, &now, now + value));
	atomic_fetch_add(&file->edges, 1);
	posix_file_changed(file);
	return true;
}

static bool take(struct posix_file *file, uint64_t *value)
{
	uint64_t now = atomic_load(&file->count);

	do {
		if (now == IN_LINUX || !now)
			return false;
		*value = file->counts_down ? 1 : now;
	} while (!atomic_compare_exchange_weak(&file->count, &now, now - *value));
	if (atomic_load_explicit(&file->notifies_space, memory_order_relaxed)) {
		atomic_fetch_add(&file->edges, 1);
		posix_file_changed(file);
	}
	return true;
}

/* By syscall(), which is no cancellation point. */
static void add_in_linux(const struct posix_file *file, uint64_t value)
{
	(void)posix_real.syscall(SYS_write, posix_file_fd(file), &value, sizeof(value));
}

/* Take what Linux has, without a wait. Returns 8, or -1 with EAGAIN, or with EOPNOTSUPP if Linux
 * would always wait. */
static ssize_t take_in_linux(const struct posix_file *file, uint64_t *value)
{
	const struct iovec place = {value, sizeof(*value)};

	return posix_real.syscall(SYS_preadv2, posix_file_fd(file), &place, 1, -1L, -1L,
				  RWF_NOWAIT);
}

/* The units of a semaphore come one by one. If there are very many, the rest is fetched the next
 * time. */
static void fetch(struct posix_file *file, struct tact_watch *watch)
{
	const int former = errno;
	uint64_t value;

	if (watch)
		__atomic_store_n(&watch->told, 0, __ATOMIC_SEQ_CST);
	for (int i = 0; i < UNITS; i++) {
		if (take_in_linux(file, &value) != sizeof(value)) {
			errno = former;
			return;
		}
		/* It was exported meanwhile, or the sum is too large: put the value back. */
		if (!posix_eventfd_add(file, value)) {
			add_in_linux(file, value);
			break;
		}
		if (!file->counts_down)
			break;
	}
	if (watch)
		__atomic_store_n(&watch->told, 1, __ATOMIC_SEQ_CST);
	errno = former;
}

/* Nothing is fetched while it moves to Linux: what is in Linux then belongs there. */
static void fetch_if_resident(struct posix_file *file, struct tact_watch *watch)
{
	posix_residency_lock(&posix_files_domain);
	if (is_resident(&file->residency))
		fetch(file, watch);
	posix_residency_unlock(&posix_files_domain);
}

/* If the kernel cannot be asked without a wait, the eventfd stays in Linux. */
static bool import(struct posix_residency *residency)
{
	struct posix_file *file = (struct posix_file *)residency;
	uint64_t value = 0;

	if (take_in_linux(file, &value) != sizeof(value) && errno != EAGAIN)
		return false;
	if (value > MOST) {
		add_in_linux(file, value);
		return false;
	}
	atomic_fetch_add(&file->edges, 1);
	atomic_store(&file->count, value);
	if (value && file->counts_down)
		fetch(file, NULL);
	return true;
}

static void export(struct posix_residency *residency)
{
	struct posix_file *file = (struct posix_file *)residency;
	uint64_t value = atomic_exchange(&file->count, IN_LINUX);

	if (value && value != IN_LINUX)
		add_in_linux(file, value);
}

static short ready(const struct posix_file *file)
{
	return atomic_load(&file->count) ? POLLIN | POLLOUT : POLLOUT;
}

static uint64_t sequence(const struct posix_file *file)
{
	return atomic_load(&file->edges);
}

const struct posix_file_kind posix_eventfd = {
	.residency =
		{
			.domain = &posix_files_domain,
			.is_resident = is_resident,
			.is_quiet = posix_file_is_quiet,
			.is_quiet_guarded = posix_file_is_quiet,
			.import = import,
			.export = export,
			.left = posix_file_has_left,
		},
	.ready = ready,
	.sequence = sequence,
	.fetch = fetch_if_resident,
	.take = take,
};

int eventfd(unsigned initial, int flags)
{
	int fd = posix_real.eventfd(initial, flags);
	struct posix_file *file;

	if (fd < 0 || posix_from_tactus(__builtin_return_address(0)))
		return fd;
	file = posix_file_begin(fd, flags & EFD_NONBLOCK);
	if (!file)
		return fd;
	file->counts_down = flags & EFD_SEMAPHORE;
	atomic_store_explicit(&file->count, IN_LINUX, memory_order_relaxed);
	posix_file_begin_kind(file, &posix_eventfd);
	return fd;
}

int eventfd_read(int fd, eventfd_t *value)
{
	return read(fd, value, sizeof(*value)) == sizeof(*value) ? 0 : -1;
}

int eventfd_write(int fd, eventfd_t value)
{
	return write(fd, &value, sizeof(value)) == sizeof(value) ? 0 : -1;
}
