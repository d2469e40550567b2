/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The data about vfork's children, each in the storage of the thread that waits for the child: see
 * vfork_child.h. */
#define _GNU_SOURCE
#include "posix/state/vfork_child.h"

#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "posix/state/identity.h"
#include "posix/state/record.h"

__thread bool posix_vfork_child_maybe __attribute__((tls_model("initial-exec")));
__thread bool posix_vfork_child_always __attribute__((tls_model("initial-exec")));

static __thread struct {
	pid_t pid;
	bool inherited;
	uint64_t lost[POSIX_FILES / 64]; /* descriptors, a bit for each */
} child __attribute__((tls_model("initial-exec")));

/* The data of an earlier child are dropped, whatever its process id was. */
void posix_vfork_begins(bool waits)
{
	if (!posix_is_vfork_child())
		child.pid = 0;
	posix_vfork_child_maybe = true;
	posix_vfork_child_always |= !waits;
	/* So posix_is_task() checks by which process it is called. */
	if (atomic_load_explicit(&posix_me.state, memory_order_relaxed) != POSIX_PLAIN)
		atomic_fetch_or_explicit(&posix_me.state, POSIX_POLICY_CHANGED,
					 memory_order_relaxed);
}

bool posix_vfork_child_check(void)
{
	if (!posix_identity_is_own())
		return true;
	posix_vfork_child_maybe = posix_vfork_child_always;
	return false;
}

/* Drop the data that former children of the thread have left. */
static void begin(void)
{
	const pid_t pid = getpid();

	if (child.pid == pid)
		return;
	memset(&child, 0, sizeof(child));
	child.pid = pid;
}

void posix_vfork_child_lose(int fd)
{
	begin();
	if ((unsigned)fd < POSIX_FILES)
		child.lost[fd / 64] |= 1ull << (fd % 64);
}

bool posix_vfork_child_has_lost(int fd)
{
	begin();
	return (unsigned)fd < POSIX_FILES && child.lost[fd / 64] & 1ull << (fd % 64);
}

bool posix_vfork_child_inherits_now(void)
{
	begin();
	if (child.inherited)
		return false;
	child.inherited = true;
	return true;
}
