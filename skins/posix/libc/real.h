/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The C library's own functions, for the functions of this skin that replace them. They are
 * resolved before any constructor of the program runs.
 */
#ifndef POSIX_REAL_H
#define POSIX_REAL_H

#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

/* The headers declare these only for programs with checks of sizes (_FORTIFY_SOURCE). */
int __poll_chk(struct pollfd *files, nfds_t count, int timeout_ms, size_t room);
int __ppoll_chk(struct pollfd *files, nfds_t count, const struct timespec *timeout,
		const sigset_t *mask, size_t room);
ssize_t __read_chk(int fd, void *buffer, size_t bytes, size_t room);

#define POSIX_SLOT_NO(name)
#define POSIX_SLOT_OPTIONAL(name) __typeof__(&(name)) name;
#define POSIX_SLOT_NEEDED(name)   __typeof__(&(name)) name;
struct posix_real {
#define POSIX_CALL(name, ours, real, whose, handler) POSIX_SLOT_##real(name)
#include "posix/libc/calls.def"
#undef POSIX_CALL
};
extern struct posix_real posix_real;

/* The result of a function that reports an error by errno. */
static inline int posix_fail(int error)
{
	errno = error;
	return -1;
}

extern struct posix_text {
	uintptr_t begin, end;
} posix_tactus;

/*
 * Is this address in the text of libtactus? libtactus calls the C library and means its functions,
 * as this library does. address: the return address of a replaced function. Cost: O(1).
 */
static inline bool posix_from_tactus(const void *address)
{
	return (uintptr_t)address >= posix_tactus.begin && (uintptr_t)address < posix_tactus.end;
}

/*
 * Does the program, or a library that is loaded before this one, define functions of the same
 * names? It then also gets the calls of libtactus, and cannot tell them from the program's.
 */
bool posix_is_stood_before(void);

/* Free a lock of this skin in a fork's child. If it is free, which is usual, nothing is written,
 * because each page that a child writes is copied. */
static inline void posix_lock_forked(pthread_mutex_t *mutex)
{
	static const pthread_mutex_t free_one = PTHREAD_MUTEX_INITIALIZER;

	if (memcmp(mutex, &free_one, sizeof(*mutex)) != 0)
		memcpy(mutex, &free_one, sizeof(*mutex));
}

#endif
