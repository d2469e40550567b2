/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Descriptors that may be here: see files.h. Nothing is lost between here and Linux because of two
 * rules. Who brings one here looks afterwards whether anybody has gone to Linux for it, and gives
 * it back then; who goes to Linux says so first, and gives back what is here. And each is in one of
 * the two places at a time, which a word of its own tells.
 */
#define _GNU_SOURCE
#include "posix/fd/files.h"

#include <errno.h>

#include "posix/libc/guard.h"
#include "posix/park/wait.h"
#include "posix/state/linux_call.h"

struct posix_file posix_files[POSIX_FILES];
static struct posix_guard guard = POSIX_GUARD_FREE;
_Atomic int posix_files_highest = -1;
struct posix_fence posix_files_entering;

void posix_files_lock(void)
{
	posix_guard_lock(&guard);
}

void posix_files_unlock(void)
{
	posix_guard_unlock(&guard);
}

void posix_file_changed(const struct posix_file *file)
{
	posix_wait_wake_events(posix_files, 1ull << (posix_file_fd(file) % 64));
}

void posix_files_changed(void)
{
	posix_wait_wake_events(posix_files, UINT64_MAX);
}

static void leave_set(struct posix_file *file)
{
	atomic_store(&file->set, NULL);
}

void posix_file_forget(int fd)
{
	struct posix_file *file = posix_file_of(fd);

	if (posix_is_vfork_child()) {
		posix_vfork_child_lose(fd);
		return;
	}
	if (file) {
		posix_file_each(file, leave_set);
		if (atomic_load(&file->set))
			leave_set(file);
		atomic_store_explicit(&file->kind, NULL, memory_order_release);
	}
	/* Of any kind: who watched the former file has to watch anew. By a number's owner alone, so
	 * without a locked instruction. */
	if ((unsigned)fd < POSIX_FILES)
		atomic_store_explicit(
			&posix_files[fd].generation,
			atomic_load_explicit(&posix_files[fd].generation, memory_order_relaxed) + 1,
			memory_order_release);
	if (file && posix_files_fence())
		posix_file_changed(file);
}

struct posix_file *posix_file_begin(int fd, bool nonblocking)
{
	struct posix_file *file;
	int former = atomic_load(&posix_files_highest);

	if (fd < 0 || fd >= POSIX_FILES || posix_is_vfork_child())
		return NULL;
	while (former < fd && !atomic_compare_exchange_weak(&posix_files_highest, &former, fd))
		;
	/* A number that was closed by a way that is not seen. */
	posix_file_forget(fd);
	file = &posix_files[fd];
	/* Who is still in Linux for the former one counts for this one until it comes back. Nobody
	 * looks at the rest before it has a kind. */
	atomic_store_explicit(&file->pinned, false, memory_order_relaxed);
	atomic_store_explicit(&file->exported, false, memory_order_relaxed);
	atomic_store_explicit(&file->notifies_space, false, memory_order_relaxed);
	atomic_store_explicit(&file->nonblocking, nonblocking, memory_order_relaxed);
	return file;
}

/* In Linux, when this returns; by which time who waits for it looks there. */
void posix_file_export(struct posix_file *file)
{
	const struct posix_file_kind *kind;
	const int former = errno;
	bool denied, gave = false;

	/* One that is on its way, either way, may be found where it is not any more. */
	if (!atomic_load(&file->moves) && !posix_file_is_resident(file) &&
	    !atomic_load(&file->moves))
		return;
	denied = posix_linux_begin();
	posix_files_lock();
	kind = atomic_load(&file->kind);
	if (kind && kind->is_resident(file)) {
		atomic_store(&file->moves, true);
		kind->export(file);
		atomic_store(&file->moves, false);
		gave = true;
	}
	posix_files_unlock();
	posix_linux_end(denied);
	if (gave)
		posix_file_changed(file);
	errno = former;
}

void posix_files_forked(void)
{
	posix_guard_forked(&guard);
}

static bool is_linuxs(const struct posix_file *file)
{
	if (atomic_load(&file->pinned) || atomic_load(&file->users))
		return true;
	for (unsigned i = 0; i < POSIX_FILE_REGULARS; i++)
		if (atomic_load(&file->regulars[i].in))
			return true;
	return false;
}

bool posix_file_may_be_resident(const struct posix_file *file)
{
	const struct posix_file *set = atomic_load(&file->set);

	return !is_linuxs(file) && !(set && is_linuxs(set));
}

bool posix_files_may_come(void)
{
	const bool denied = posix_linux_begin();
	const bool done = posix_fence_begin(&posix_files_entering);

	posix_linux_end(denied);
	return done;
}

bool posix_file_import(struct posix_file *file)
{
	const struct posix_file_kind *kind = atomic_load(&file->kind);
	const int former = errno;
	bool denied, done = false;

	if (!kind)
		return false;
	if (kind->is_resident(file))
		return true;
	if (!posix_file_may_be_resident(file))
		return false;
	if (!posix_files_may_come())
		return false;
	denied = posix_linux_begin();
	posix_files_lock();
	/* Who goes to Linux from here on waits until it is here altogether. */
	atomic_fetch_add(&file->moved, 1);
	atomic_store(&file->moves, true);
	if (atomic_load(&file->kind) == kind && posix_file_may_be_resident(file))
		done = kind->is_resident(file) || kind->import(file);
	atomic_store(&file->moves, false);
	posix_files_unlock();
	posix_linux_end(denied);
	errno = former;
	if (!done || posix_file_may_be_resident(file))
		return done;
	posix_file_export(file);
	return false;
}

/*
 * The caller's place among those who come often, which counts without a locked instruction. Once
 * taken it is kept, for whatever file has the number: so who leaves finds the place where it
 * entered. NULL: others have them all.
 */
static struct posix_file_regular *place_of(struct posix_file *file)
{
	for (unsigned i = 0; i < POSIX_FILE_REGULARS; i++) {
		struct posix_file_regular *place = &file->regulars[i];
		const struct posix_thread *thread =
			atomic_load_explicit(&place->thread, memory_order_relaxed);

		if (thread == &posix_me ||
		    (!thread && atomic_compare_exchange_strong(&place->thread, &thread, &posix_me)))
			return place;
	}
	return NULL;
}

/* A handler that interrupts this leaves the depth as it found it. */
static uint32_t depth(const struct posix_file_regular *place)
{
	return atomic_load_explicit(&place->in, memory_order_relaxed);
}

void posix_file_enter(struct posix_file *file)
{
	struct posix_file_regular *place = place_of(file);

	if (place) {
		atomic_store_explicit(&place->in, depth(place) + 1, memory_order_release);
		/* Pairs with posix_file_import(), which is here before it looks who is in. */
		if (!posix_files_fence())
			return;
	} else {
		atomic_fetch_add(&file->users, 1);
	}
	posix_file_export(file);
	posix_file_each(file, posix_file_export);
}

void posix_file_leave(struct posix_file *file)
{
	struct posix_file_regular *place = place_of(file);

	if (place)
		atomic_store_explicit(&place->in, depth(place) - 1, memory_order_release);
	else
		atomic_fetch_sub(&file->users, 1);
}

void posix_file_left(void *file)
{
	posix_file_leave(file);
}

void posix_files_enter(struct posix_files_entered *entered, int fd)
{
	struct posix_file *file = posix_file_to_notify(fd);

	if (!file)
		return;
	if (entered->count == sizeof(entered->files) / sizeof(entered->files[0])) {
		posix_file_share(fd);
		return;
	}
	posix_file_enter(file);
	entered->files[entered->count++] = file;
}

void posix_files_left(void *argument)
{
	struct posix_files_entered *entered = argument;

	while (entered->count)
		posix_file_leave(entered->files[--entered->count]);
}
