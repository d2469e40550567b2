/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The sets of epoll that are known here. */
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
	/* the mark that was reported last, for a member that reports edges; or 0 */
	_Atomic uint64_t told;
};

struct posix_epoll {
	/* the file to which it belongs, as long as that file is this set */
	const struct posix_file *file;
	struct posix_epoll_member members[POSIX_EPOLL_MEMBERS];
	unsigned used;            /* number of places that have ever had a member, from the first */
	_Atomic uint32_t changes; /* odd: it is being changed */
	_Atomic uint32_t first;   /* the member that is reported first, in turn */
};

/* Is it still a member? */
static inline bool posix_epoll_is_resident(const struct posix_epoll_member *member)
{
	return member->file && atomic_load(&member->file->generation) == member->generation;
}

void posix_epolls_forked(void); /* in a fork's child */

/* NULL: the file is no set, or the set is not known. */
struct posix_epoll *posix_epoll_of(const struct posix_file *file);

#endif
