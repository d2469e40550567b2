/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Sets of epoll, as far as they are known here. */
#ifndef POSIX_EPOLL_H
#define POSIX_EPOLL_H

#include <stdbool.h>
#include <sys/epoll.h>

#include "posix/fd/files.h"

#define POSIX_EPOLL_MEMBERS 32

struct posix_epoll_member {
	struct posix_file *file; /* NULL: none */
	uint32_t generation;
	struct epoll_event event;
	_Atomic uint64_t told; /* the mark of a member that tells of edges, or 0 */
};

struct posix_epoll {
	const struct posix_file *file; /* whose it is, while that is a set */
	struct posix_epoll_member members[POSIX_EPOLL_MEMBERS];
	unsigned used;            /* of the members: none beyond was ever one */
	_Atomic uint32_t changes; /* odd: it is being changed */
	_Atomic uint32_t first;   /* who is told first, in turn */
};

/* Is it one still? */
static inline bool posix_epoll_is_resident(const struct posix_epoll_member *member)
{
	return member->file && atomic_load(&member->file->generation) == member->generation;
}

void posix_epolls_forked(void); /* in a fork's child */

/* NULL: it is none, or not known. */
struct posix_epoll *posix_epoll_of(const struct posix_file *file);

#endif
