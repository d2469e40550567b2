/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Named semaphores that no other program has: see sole.h. A semaphore is a file that programs map,
 * and a write lease on a file is given to who alone has it open: whoever opens it then waits in
 * open() until the lease is given back, for at most fs/lease-break-time. The C library has opened
 * the file itself and mapped it; this mapping is replaced by one of the same file through a
 * descriptor of ours, which has the lease from the first wait of a task on. A thread of this
 * library's is told by SIGIO who else comes. Source: fcntl(2), F_SETLEASE; glibc, sem_open(),
 * shm-directory.h.
 */
#define _GNU_SOURCE
#include "sole.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "guard.h"
#include "helper.h"
#include "layout.h"
#include "real.h"
#include "thread.h"
#include "wait.h"

#define SEMAPHORES 64u /* further ones are Linux's */
#define PATH_BYTES 96u /* those with longer names, too */
#define FOLDER     "/dev/shm/sem."
#define FIRST_FILE 256 /* out of the way of the program's numbers */

enum state {
	SHARED,  /* or maybe */
	UNASKED, /* it was when it was opened */
	SOLE,
};

/* All but address and state under the lock. */
static struct named {
	_Atomic uintptr_t address; /* 0: free */
	_Atomic uint32_t state;
	uint32_t opened; /* times */
	int fd;          /* unless it is SHARED */
	char path[PATH_BYTES];
} semaphores[SEMAPHORES];

static struct posix_guard guard = POSIX_GUARD_FREE;
static _Atomic pid_t watcher; /* thread number; 0: none yet */

static struct named *find(const sem_t *sem)
{
	for (uint32_t i = 0; i < SEMAPHORES; i++)
		if (atomic_load_explicit(&semaphores[i].address, memory_order_acquire) ==
		    (uintptr_t)sem)
			return &semaphores[i];
	return NULL;
}

/* Who waits here looks again, and waits in Linux. Then others may come. */
static void share(struct named *named)
{
	enum state former = atomic_exchange(&named->state, SHARED);

	if (former == SHARED)
		return;
	if (former == SOLE)
		(void)posix_wait_wake((const void *)atomic_load(&named->address), UINT_MAX);
	(void)posix_real.fcntl(named->fd, F_SETLEASE, F_UNLCK);
	(void)posix_real.close(named->fd);
}

static void *watch(void *unused)
{
	sigset_t told;
	int number;

	sigemptyset(&told);
	sigaddset(&told, SIGIO);
	atomic_store(&watcher, posix_real.gettid());
	for (;;) {
		(void)posix_real.sigwait(&told, &number);
		posix_guard_lock(&guard);
		for (uint32_t i = 0; i < SEMAPHORES; i++)
			if (atomic_load(&semaphores[i].state) == SOLE &&
			    posix_real.fcntl(semaphores[i].fd, F_GETLEASE) != F_WRLCK)
				share(&semaphores[i]);
		posix_guard_unlock(&guard);
	}
	return unused;
}

/* Its thread number, or 0. */
static pid_t watcher_started(void)
{
	if (!atomic_load(&watcher) && posix_helper_begin(watch))
		return 0;
	while (!atomic_load(&watcher))
		(void)posix_real.sched_yield();
	return atomic_load(&watcher);
}

static bool take_lease(const struct named *named)
{
	struct f_owner_ex owner = {F_OWNER_TID, watcher_started()};

	return owner.pid && !posix_real.fcntl(named->fd, F_SETOWN_EX, &owner) &&
	       !posix_real.fcntl(named->fd, F_SETLEASE, F_WRLCK);
}

bool posix_sem_is_sole(const sem_t *sem)
{
	struct named *named = find(sem);

	return named && atomic_load(&named->state) == SOLE;
}

bool posix_sem_is_asked_sole(const sem_t *sem)
{
	struct named *named = find(sem);
	int before = errno;
	bool denied;

	if (!named || atomic_load(&named->state) != UNASKED)
		return named && atomic_load(&named->state) == SOLE;
	denied = posix_linux_begin();
	posix_guard_lock(&guard);
	if (atomic_load(&named->state) == UNASKED) {
		if (take_lease(named))
			atomic_store(&named->state, SOLE);
		else
			share(named);
	}
	posix_guard_unlock(&guard);
	posix_linux_end(denied);
	errno = before;
	return atomic_load(&named->state) == SOLE;
}

static bool any(void)
{
	for (uint32_t i = 0; i < SEMAPHORES; i++)
		if (atomic_load_explicit(&semaphores[i].address, memory_order_relaxed))
			return true;
	return false;
}

void posix_sems_share(void)
{
	if (!any())
		return;
	posix_guard_lock(&guard);
	for (uint32_t i = 0; i < SEMAPHORES; i++)
		share(&semaphores[i]);
	posix_guard_unlock(&guard);
}

void posix_sems_forked(void)
{
	posix_guard_forked(&guard);
	atomic_store(&watcher, 0);
}

/* Is that file mapped there? */
static bool is_mapped(int fd, const void *address)
{
	struct stat status;
	FILE *maps = fstat(fd, &status) ? NULL : fopen("/proc/self/maps", "re");
	bool found = false;
	char line[512];

	while (maps && !found && fgets(line, sizeof(line), maps)) {
		uintptr_t begin;
		unsigned int major, minor;
		uint64_t inode;

		found = sscanf(line, "%" SCNxPTR "-%*x %*s %*x %x:%x %" SCNu64, &begin, &major,
			       &minor, &inode) == 4 &&
			begin == (uintptr_t)address && inode == status.st_ino &&
			makedev(major, minor) == status.st_dev;
	}
	if (maps)
		fclose(maps);
	return found;
}

/* A descriptor of the file that is mapped there, by which it is mapped from here on; or -1. */
static int map_anew(const char *path, sem_t *sem)
{
	int first = open(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	int fd = first < 0 ? -1 : posix_real.fcntl(first, F_DUPFD_CLOEXEC, FIRST_FILE);

	if (first >= 0)
		(void)posix_real.close(first);
	if (fd < 0)
		return -1;
	if (is_mapped(fd, sem) && mmap(sem, sizeof(*sem), PROT_READ | PROT_WRITE,
				       MAP_SHARED | MAP_FIXED | MAP_POPULATE, fd, 0) == sem)
		return fd;
	(void)posix_real.close(fd);
	return -1;
}

/* False: too long. */
static bool path_of(const char *name, char path[PATH_BYTES])
{
	int length = snprintf(path, PATH_BYTES, FOLDER "%s", name + strspn(name, "/"));

	return length < (int)PATH_BYTES;
}

/* The program's own open() would wait for its lease, too. */
static void give_back(const char *path)
{
	for (uint32_t i = 0; i < SEMAPHORES; i++) {
		struct named *named = &semaphores[i];

		if (atomic_load(&named->state) != SOLE || strcmp(named->path, path) != 0)
			continue;
		atomic_store(&named->state, UNASKED);
		(void)posix_wait_wake((const void *)atomic_load(&named->address), UINT_MAX);
		(void)posix_real.fcntl(named->fd, F_SETLEASE, F_UNLCK);
	}
}

static void note(sem_t *sem, const char *path)
{
	struct named *named = find(sem);

	if (named) {
		named->opened++;
		return;
	}
	named = find(NULL);
	if (!named)
		return;
	named->fd = map_anew(path, sem);
	if (named->fd < 0)
		return;
	strcpy(named->path, path);
	named->opened = 1;
	atomic_store(&named->state, UNASKED);
	atomic_store_explicit(&named->address, (uintptr_t)sem, memory_order_release);
}

sem_t *sem_open(const char *name, int flags, ...)
{
	char path[PATH_BYTES];
	const bool is_kept = path_of(name, path);
	unsigned int value = 0;
	mode_t mode = 0;
	va_list list;
	sem_t *sem;
	int before;

	va_start(list, flags);
	if (flags & O_CREAT) {
		mode = va_arg(list, mode_t);
		value = va_arg(list, unsigned int);
	}
	va_end(list);
	if (!is_kept)
		return posix_real.sem_open(name, flags, mode, value);
	before = errno;
	posix_guard_lock(&guard);
	give_back(path);
	posix_guard_unlock(&guard);
	sem = posix_real.sem_open(name, flags, mode, value);
	if (sem == SEM_FAILED)
		return sem;
	posix_guard_lock(&guard);
	note(sem, path);
	posix_guard_unlock(&guard);
	errno = before;
	return sem;
}

int sem_close(sem_t *sem)
{
	struct named *named;

	posix_guard_lock(&guard);
	named = find(sem);
	if (named && named->opened && !--named->opened) {
		share(named);
		atomic_store(&named->address, 0);
	}
	posix_guard_unlock(&guard);
	return posix_real.sem_close(sem);
}
