/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Watches of descriptors, a list for each task: see watches.h. */
#define _GNU_SOURCE
#include "posix/fd/watches.h"

#include <stddef.h>
#include <stdlib.h>

#include "posix/state/linux_call.h"
#include "posix/state/record.h"

struct watched {
	struct tact_watch watch;
	uint32_t generation;
	struct watched *next;
};

static __thread struct watched *watched __attribute__((tls_model("initial-exec")));

static struct watched *add(int fd)
{
	struct watched *added = calloc(1, sizeof(*added));

	if (!added)
		return NULL;
	added->watch.fd = fd;
	added->watch.sem = posix_me.wait.parking;
	added->next = watched;
	watched = added;
	return added;
}

struct tact_watch *posix_watch(int fd, uint32_t generation, bool *fresh)
{
	struct watched *mine = watched;
	bool denied;
	int error;

	while (mine && mine->watch.fd != fd)
		mine = mine->next;
	if (fresh)
		*fresh = !mine || mine->generation != generation;
	if (mine && mine->generation == generation)
		return &mine->watch;
	denied = posix_linux_begin();
	if (!mine)
		mine = add(fd);
	error = mine ? tact_task_watch(&mine->watch) : -TACT_ENOMEM;
	posix_linux_end(denied);
	/* The generation has changed, but the same file is already watched. */
	if (error == -TACT_EEXIST)
		error = 0;
	if (mine)
		mine->generation = error ? ~generation : generation;
	return error ? NULL : &mine->watch;
}

void posix_watches_leave(void)
{
	while (watched) {
		struct watched *next = watched->next;

		free(watched);
		watched = next;
	}
}
