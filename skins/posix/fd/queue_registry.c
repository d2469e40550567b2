/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Descriptors of message queues. They are known from the first use by a task, or while tasks wait,
 * until they are closed. A change of the flags makes a descriptor unknown again.
 */
#define _GNU_SOURCE
#include "posix/fd/queue_registry.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <unistd.h>

#include "posix/fd/files.h"
#include "posix/fd/queue_handoff.h"
#include "posix/fd/watches.h"
#include "posix/libc/guard.h"
#include "posix/libc/real.h"
#include "posix/state/high_fd.h"
#include "posix/state/linux_call.h"
#include "posix/state/internal_fds.h"
#include "posix/state/vfork_child.h"

#define QUEUES      128u
#define DESCRIPTORS POSIX_FILES

/* A descriptor in one word: the number of its queue + 1 (0: unknown), what it allows, and how often
 * it was made unknown. */
#define QUEUE_MASK 0xffu
#define USE_SHIFT  8
#define GENERATION (1u << 12)

static struct posix_queue queues[QUEUES];
static _Atomic uint32_t known[DESCRIPTORS];
static _Atomic uint32_t known_any; /* there has ever been one */
static struct posix_guard guard = POSIX_GUARD_FREE;

/* How often the number became another file's: files.h counts this for every kind of file. */
static uint32_t generation_of(mqd_t fd)
{
	return atomic_load(&posix_files[fd].generation);
}

/*
 * With the lock. No thread begins to use a queue without users. Messages that are already in Linux
 * are noted, because an existing watch of the descriptor may not report them: a queue with waiting
 * senders never becomes full again. Later messages are reported to the watches, or seen when a
 * watch begins.
 */
static struct posix_queue *take_place(const struct stat *file, const struct mq_attr *attributes)
{
	struct posix_queue *free_place = NULL;

	for (uint32_t i = 0; i < QUEUES; i++) {
		int users = atomic_load(&queues[i].users);

		if (!users && !free_place)
			free_place = &queues[i];
		if (queues[i].device != file->st_dev || queues[i].inode != file->st_ino)
			continue;
		while (users)
			if (atomic_compare_exchange_weak(&queues[i].users, &users, users + 1))
				return &queues[i];
	}
	if (!free_place)
		return NULL;
	free_place->device = file->st_dev;
	free_place->inode = file->st_ino;
	free_place->bytes = (size_t)attributes->mq_msgsize;
	atomic_store(&free_place->maybe, attributes->mq_curmsgs != 0);
	atomic_store(&free_place->notifies, 0);
	atomic_store(&free_place->receivers, 0);
	atomic_store(&free_place->kept, -1);
	atomic_store(&free_place->users, 1);
	return free_place;
}

/* A descriptor that never waits for a message receives from Linux. If the flags change meanwhile,
 * the next look sees it. */
static void register_descriptor(mqd_t fd)
{
	uint32_t before = atomic_load(&known[fd]);
	struct posix_queue *queue;
	struct mq_attr attributes;
	struct stat file;
	uint32_t use;
	int flags;

	if (mq_getattr(fd, &attributes) || fstat(fd, &file))
		return;
	atomic_store(&known_any, 1);
	flags = fcntl(fd, F_GETFL);
	if (flags < 0)
		return;
	use = (flags & O_ACCMODE) == O_RDONLY   ? POSIX_QUEUE_RECEIVES
	      : (flags & O_ACCMODE) == O_WRONLY ? POSIX_QUEUE_SENDS
						: POSIX_QUEUE_RECEIVES | POSIX_QUEUE_SENDS;
	if (flags & O_NONBLOCK)
		use &= ~(uint32_t)POSIX_QUEUE_RECEIVES;
	posix_guard_lock(&guard);
	queue = before & QUEUE_MASK ? NULL : take_place(&file, &attributes);
	if (queue && !atomic_compare_exchange_strong(&known[fd], &before,
						     before | (uint32_t)(queue - queues + 1) |
							     use << USE_SHIFT))
		atomic_fetch_sub(&queue->users, 1);
	posix_guard_unlock(&guard);
}

bool posix_queues_unknown(void)
{
	return !atomic_load(&known_any);
}

/* True: the word of the descriptor is still the same, and the caller now uses the queue. */
static bool begin_use(struct posix_queue *queue, mqd_t fd, uint32_t word, enum posix_queue_use use)
{
	int users = atomic_load(&queue->users);

	do {
		if (!users)
			return false;
	} while (!atomic_compare_exchange_weak(&queue->users, &users, users + 1));
	if (use == POSIX_QUEUE_RECEIVES)
		atomic_fetch_add(&queue->receivers, 1);
	if (atomic_load(&known[fd]) == word)
		return true;
	posix_queue_leave(queue, use);
	return false;
}

struct posix_queue *posix_queue_enter(mqd_t fd, enum posix_queue_use use)
{
	struct posix_queue *queue;
	uint32_t word;

	/* A vfork's child counts as another program. */
	if (fd < 0 || fd >= DESCRIPTORS || posix_is_vfork_child())
		return NULL;
	do {
		word = atomic_load(&known[fd]);
		if (!(word & QUEUE_MASK)) {
			const int former = errno;
			bool denied = posix_linux_begin();

			register_descriptor(fd);
			posix_linux_end(denied);
			errno = former;
			word = atomic_load(&known[fd]);
		}
		if (!(word & QUEUE_MASK) || !(word >> USE_SHIFT & use))
			return NULL;
		queue = &queues[(word & QUEUE_MASK) - 1];
	} while (!begin_use(queue, fd, word, use));
	return queue;
}

/* If there are no receivers, no descriptor is kept. */
static void drop_kept(struct posix_queue *queue)
{
	const int former = errno;
	mqd_t kept = -1;

	posix_guard_lock(&guard);
	if (!atomic_load(&queue->receivers))
		kept = atomic_exchange(&queue->kept, -1);
	posix_guard_unlock(&guard);
	if (kept >= 0)
		posix_internal_fd_close(kept);
	errno = former;
}

void posix_queue_leave(struct posix_queue *queue, enum posix_queue_use use)
{
	if (use == POSIX_QUEUE_RECEIVES && atomic_fetch_sub(&queue->receivers, 1) == 1 &&
	    atomic_load(&queue->kept) >= 0)
		drop_kept(queue);
	atomic_fetch_sub(&queue->users, 1);
}

/* A known descriptor does not change while the lock is held. */
bool posix_queue_return(const struct posix_queue *queue, const char *text, size_t bytes,
			unsigned priority)
{
	const struct timespec past = {0};
	bool done = false;

	posix_guard_lock(&guard);
	for (mqd_t fd = 0; fd < DESCRIPTORS; fd++) {
		if ((known[fd] & QUEUE_MASK) != (uint32_t)(queue - queues + 1) ||
		    !(known[fd] >> USE_SHIFT & POSIX_QUEUE_SENDS))
			continue;
		done = !posix_real.mq_timedsend(fd, text, bytes, priority, &past);
		break;
	}
	posix_guard_unlock(&guard);
	return done;
}

struct tact_watch *posix_queue_watch(struct posix_queue *queue, mqd_t fd, uint32_t *generation)
{
	struct tact_watch *watch;
	struct mq_attr now;
	bool fresh, denied;

	*generation = generation_of(fd);
	watch = posix_watch(fd, *generation, &fresh);
	if (!watch || !fresh)
		return watch;
	denied = posix_linux_begin();
	if (!mq_getattr(fd, &now) && now.mq_curmsgs)
		posix_queue_note(queue);
	posix_linux_end(denied);
	return watch;
}

mqd_t posix_queue_fd(const struct posix_queue *queue, mqd_t fd, uint32_t generation)
{
	return generation_of(fd) == generation ? fd : atomic_load(&queue->kept);
}

/* With the lock. In Linux a thread continues to receive by a descriptor that is closed
 * meanwhile. */
static void keep(struct posix_queue *queue, mqd_t fd)
{
	const int former = errno;

	if (atomic_load(&queue->receivers) && atomic_load(&queue->kept) < 0)
		atomic_store(&queue->kept, posix_internal_fd(posix_real.fcntl(fd, F_DUPFD_CLOEXEC,
									      POSIX_HIGH_FD)));
	errno = former;
}

/* Make it unknown. ends: from now on the number is another file's. */
static void forget(mqd_t fd, bool ends)
{
	struct posix_queue *queue;
	uint32_t word;

	if (fd < 0 || fd >= DESCRIPTORS || !atomic_load_explicit(&known_any, memory_order_relaxed))
		return;
	/* What a vfork's child closes remains open in its parent. */
	if (!(atomic_load(&known[fd]) & QUEUE_MASK) || (ends && posix_is_vfork_child()))
		return;
	posix_guard_lock(&guard);
	word = atomic_load(&known[fd]);
	if (word & QUEUE_MASK) {
		queue = &queues[(word & QUEUE_MASK) - 1];
		atomic_store(&known[fd], (word & -GENERATION) + GENERATION);
		if (ends) {
			keep(queue, fd);
			atomic_fetch_add(&posix_files[fd].generation, 1);
		}
		atomic_fetch_sub(&queue->users, 1);
	}
	posix_guard_unlock(&guard);
}

void posix_queue_forget(int fd)
{
	forget(fd, true);
}

/* Only the descriptors remain, and another thread may have been changing one at the fork. */
void posix_queues_forked(void)
{
	posix_guard_forked(&guard);
	for (uint32_t i = 0; i < QUEUES; i++) {
		if (atomic_load(&queues[i].receivers) && atomic_load(&queues[i].kept) >= 0)
			posix_internal_fd_close(atomic_load(&queues[i].kept));
		if (atomic_load(&queues[i].kept) != -1)
			atomic_store(&queues[i].kept, -1);
		if (atomic_load(&queues[i].receivers))
			atomic_store(&queues[i].receivers, 0);
		if (atomic_load(&queues[i].users))
			atomic_store(&queues[i].users, 0);
	}
	for (mqd_t fd = 0; fd < DESCRIPTORS; fd++)
		if (known[fd] & QUEUE_MASK)
			atomic_fetch_add(&queues[(known[fd] & QUEUE_MASK) - 1].users, 1);
}

void posix_queue_flags_changed(int fd)
{
	if (fd < 0 || fd >= DESCRIPTORS || !atomic_load_explicit(&known_any, memory_order_relaxed))
		return;
	/* A thread that looks at the flags at this moment may have seen the former ones. */
	if (atomic_fetch_add(&known[fd], GENERATION) & QUEUE_MASK)
		forget(fd, false);
}

int mq_close(mqd_t fd)
{
	posix_queue_forget(fd);
	posix_file_forget(fd);
	return posix_real.mq_close(fd);
}

int mq_setattr(mqd_t fd, const struct mq_attr *restrict now, struct mq_attr *restrict former)
{
	const int result = posix_real.mq_setattr(fd, now, former);

	posix_queue_flags_changed(fd);
	return result;
}
