/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Descriptors that may be resident, and the threads that are in Linux for them: see files.h. */
#define _GNU_SOURCE
#include "posix/fd/files.h"

#include "posix/park/wait.h"

struct posix_file posix_files[POSIX_FILES];
_Atomic int posix_files_highest = -1;
struct posix_residency_domain posix_files_domain = POSIX_RESIDENCY_DOMAIN_FREE;

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
		atomic_store_explicit(&file->residency.kind, NULL, memory_order_release);
	}
	/* For any kind: a task that watched the former file has to watch again. Only the owner of
	 * the number writes this, so it needs no locked instruction. */
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
	/* The number was closed in a way that this library does not see. */
	posix_file_forget(fd);
	file = &posix_files[fd];
	/* A thread that is still in Linux for the former file counts for this one until it comes
	 * back. The other fields are not read before the file has a kind. */
	atomic_store_explicit(&file->residency.pinned, false, memory_order_relaxed);
	atomic_store_explicit(&file->residency.settled, false, memory_order_relaxed);
	atomic_store_explicit(&file->notifies_space, false, memory_order_relaxed);
	atomic_store_explicit(&file->nonblocking, nonblocking, memory_order_relaxed);
	return file;
}

void posix_files_forked(void)
{
	posix_residency_forked(&posix_files_domain);
	for (int fd = 0; fd <= atomic_load(&posix_files_highest); fd++)
		posix_residency_object_forked(&posix_files[fd].residency);
}

static bool is_linuxs(const struct posix_file *file)
{
	if (atomic_load(&file->residency.pinned) || atomic_load(&file->users))
		return true;
	for (unsigned i = 0; i < POSIX_FILE_REGULARS; i++)
		if (atomic_load(&file->regulars[i].in))
			return true;
	return false;
}

bool posix_file_is_quiet(const struct posix_residency *residency)
{
	const struct posix_file *file = (const struct posix_file *)residency;
	const struct posix_file *set = atomic_load(&file->set);

	return !is_linuxs(file) && !(set && is_linuxs(set));
}

void posix_file_has_left(const struct posix_residency *residency)
{
	posix_file_changed((const struct posix_file *)residency);
}

/*
 * The caller's place among the threads that enter often. It counts without a locked instruction. A
 * place that was taken is kept, whichever file has the number, so that a thread leaves by the place
 * by which it entered. NULL: other threads have all places.
 */
static struct posix_file_regular *regular_of(struct posix_file *file)
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

/* A handler that interrupts this restores the depth. */
static uint32_t depth(const struct posix_file_regular *place)
{
	return atomic_load_explicit(&place->in, memory_order_relaxed);
}

static void export_member(struct posix_file *member)
{
	posix_residency_export(&member->residency);
}

void posix_file_enter(struct posix_file *file)
{
	struct posix_file_regular *place = regular_of(file);

	if (place) {
		atomic_store_explicit(&place->in, depth(place) + 1, memory_order_release);
		/* Pairs with posix_residency_import(), which moves the object before it looks for
		 * threads in Linux. */
		if (!posix_files_fence())
			return;
	} else {
		atomic_fetch_add(&file->users, 1);
	}
	posix_residency_export(&file->residency);
	posix_file_each(file, export_member);
}

void posix_file_leave(struct posix_file *file)
{
	struct posix_file_regular *place = regular_of(file);

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
