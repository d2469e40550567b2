/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The pool of rings. A thread that prints tries the rings from the first on, and owns one for the
 * time of its call. So the number of rings limits how many threads may be preempted while they
 * print. The texts of all rings are written out in the order of their numbers.
 */
#define _GNU_SOURCE
#include "print_pool.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <syslog.h>
#include <time.h>
#include <unistd.h>

#include <tactus/tact.h>

#include "runtime/linux_thread.h"

#define RING_BYTES_MIN 1024u
#define RING_BYTES_MAX (1u << 26)
#define RING_BYTES     (16u << 10)
#define RINGS          16u
#define NO_TASK        UINT64_MAX /* owner of a ring that is a Linux thread or a handler */
#define PERIOD_MS      100u
#define PERIOD_MS_MAX  60000u

static struct print_ring rings[PRINT_RINGS_MAX];
static _Atomic uint32_t ring_count;
static _Atomic uint32_t lost;
static uint32_t period_ms;
static _Atomic uint32_t has_writer;
static pthread_mutex_t writing = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t starting = PTHREAD_MUTEX_INITIALIZER;

/* A setting of the environment. If it is not a number in its range, this is reported and the
 * default is used. */
static uint32_t setting(const char *name, uint32_t low, uint32_t high, uint32_t usual)
{
	const char *text = getenv(name);
	unsigned long value;
	char *end;

	if (!text || !*text)
		return usual;
	errno = 0;
	value = strtoul(text, &end, 10);
	if (!errno && !*end && *text != '-' && value >= low && value <= high)
		return (uint32_t)value;
	fprintf(stderr, "%s: %s=%s: use a number from %u to %u; %u is used\n",
		program_invocation_short_name, name, text, low, high, usual);
	return usual;
}

/* Add a ring whose later use causes no page fault. Context: `starting` is locked. */
static int add_ring(size_t bytes)
{
	uint32_t count = atomic_load_explicit(&ring_count, memory_order_relaxed);
	uint32_t size = RING_BYTES_MIN;

	if (count == PRINT_RINGS_MAX || bytes > RING_BYTES_MAX)
		return -ENOMEM;
	while (size < bytes)
		size *= 2;
	rings[count].bytes = aligned_alloc(64, size);
	if (!rings[count].bytes)
		return -ENOMEM;
	memset(rings[count].bytes, 0, size);
	(void)mlock(rings[count].bytes, size);
	rings[count].size = size;
	/* Release: a thread that sees the count sees the ring. */
	atomic_store_explicit(&ring_count, count + 1, memory_order_release);
	return 0;
}

static void write_entry(const struct print_entry *entry)
{
	const char *text = (const char *)(entry + 1);

	if (entry->stream)
		(void)fwrite(text, 1, entry->bytes, entry->stream);
	else
		syslog(entry->priority, "%.*s", (int)entry->bytes, text);
}

/* The ring whose first text is the oldest; NULL: all are empty. */
static struct print_ring *oldest(void)
{
	uint32_t count = atomic_load_explicit(&ring_count, memory_order_acquire);
	struct print_ring *found = NULL;
	uint64_t sequence = UINT64_MAX;

	for (uint32_t i = 0; i < count; i++) {
		const struct print_entry *entry = print_ring_first(&rings[i]);

		if (entry && entry->sequence < sequence) {
			sequence = entry->sequence;
			found = &rings[i];
		}
	}
	return found;
}

void print_pool_flush(void)
{
	struct print_ring *ring;
	uint32_t missing;
	int cancel;

	/* Writing is a cancellation point: a thread that ended there with the lock would keep
	 * it. */
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
	pthread_mutex_lock(&writing);
	while ((ring = oldest())) {
		write_entry(print_ring_first(ring));
		print_ring_drop(ring);
	}
	missing = atomic_exchange_explicit(&lost, 0, memory_order_relaxed);
	if (missing)
		fprintf(stderr,
			"%s: %u printed texts are lost, because the buffers were full: raise "
			"RT_PRINT_BUFFER, or lower RT_PRINT_PERIOD\n",
			program_invocation_short_name, missing);
	pthread_mutex_unlock(&writing);
	pthread_setcancelstate(cancel, NULL);
}

static void *write_out(void *unused)
{
	const struct timespec period = {period_ms / 1000, period_ms % 1000 * 1000000L};

	(void)unused;
	for (;;) {
		(void)nanosleep(&period, NULL);
		print_pool_flush();
	}
	return NULL;
}

static void start_writer(void)
{
	pthread_t writer;

	if (runtime_linux_thread(&writer, write_out, NULL)) {
		fprintf(stderr,
			"%s: the thread that writes what tasks print cannot be made: it is written "
			"at the end\n",
			program_invocation_short_name);
		return;
	}
	(void)pthread_setname_np(writer, "rt_print");
	pthread_detach(writer);
}

/* The child has copies of its parent's texts, which the parent will write. It has no writer until
 * it prints. */
static void forget(void)
{
	uint32_t count = atomic_load_explicit(&ring_count, memory_order_relaxed);

	pthread_mutex_init(&writing, NULL);
	pthread_mutex_init(&starting, NULL);
	for (uint32_t i = 0; i < count; i++) {
		atomic_store_explicit(&rings[i].head, 0, memory_order_relaxed);
		atomic_store_explicit(&rings[i].tail, 0, memory_order_relaxed);
		atomic_store_explicit(&rings[i].busy, 0, memory_order_relaxed);
	}
	atomic_store_explicit(&has_writer, 0, memory_order_relaxed);
}

static void make_rings(void)
{
	uint32_t count = setting("RT_PRINT_BUFFERS_COUNT", 1, PRINT_RINGS_MAX, RINGS);
	uint32_t bytes = setting("RT_PRINT_BUFFER", RING_BYTES_MIN, RING_BYTES_MAX, RING_BYTES);

	period_ms = setting("RT_PRINT_PERIOD", 1, PERIOD_MS_MAX, PERIOD_MS);
	for (uint32_t i = 0; i < count && !add_ring(bytes); i++)
		;
	(void)pthread_atfork(NULL, NULL, forget);
}

void print_pool_start(void)
{
	pthread_mutex_lock(&starting);
	if (!atomic_load_explicit(&ring_count, memory_order_relaxed))
		make_rings();
	if (!atomic_load_explicit(&has_writer, memory_order_relaxed)) {
		start_writer();
		/* Release: a thread that sees it sees the rings. */
		atomic_store_explicit(&has_writer, 1, memory_order_release);
	}
	pthread_mutex_unlock(&starting);
}

/* Runs before the C library closes its streams. */
__attribute__((destructor)) static void finish(void)
{
	if (atomic_load_explicit(&ring_count, memory_order_relaxed))
		print_pool_flush();
}

int print_pool_provide(size_t bytes)
{
	uint32_t count;
	int error = 0;

	print_pool_start();
	pthread_mutex_lock(&starting);
	count = atomic_load_explicit(&ring_count, memory_order_relaxed);
	while (count && rings[count - 1].size < bytes)
		count--;
	if (!count)
		error = add_ring(bytes);
	pthread_mutex_unlock(&starting);
	return error;
}

static int put(const struct print_entry *what, print_text_fn *text, void *arg)
{
	const uint32_t count = atomic_load_explicit(&ring_count, memory_order_acquire);
	const uint32_t task = tact_task_self().id;

	for (uint32_t i = 0; i < count; i++) {
		struct print_ring *ring = &rings[i];
		uint64_t nobody = 0;
		int length;

		/* Acquire and release: the head that its former owner has set. */
		if (!atomic_compare_exchange_strong_explicit(
			    &ring->busy, &nobody, task ? task : NO_TASK, memory_order_acquire,
			    memory_order_relaxed))
			continue;
		length = print_ring_put(ring, what, text, arg);
		atomic_store_explicit(&ring->busy, 0, memory_order_release);
		if (length >= 0)
			return length;
	}
	return -1;
}

static bool has_ended(tact_task_t task)
{
	struct tact_task_info info = {0};

	return tact_task_inquire(task, &info) || info.state & TACT_TASK_STATE_ENDED;
}

/* A task that was deleted while it printed still owns its ring: take it back. */
static bool win_back(void)
{
	const uint32_t count = atomic_load_explicit(&ring_count, memory_order_acquire);
	bool won = false;

	if (tact_mode() == TACT_MODE_HANDLER)
		return false;
	for (uint32_t i = 0; i < count; i++) {
		uint64_t holder = atomic_load_explicit(&rings[i].busy, memory_order_relaxed);

		if (holder && holder != NO_TASK && has_ended((tact_task_t){(uint32_t)holder}))
			won |= atomic_compare_exchange_strong(&rings[i].busy, &holder, 0);
	}
	return won;
}

int print_pool_put(const struct print_entry *what, print_text_fn *text, void *arg)
{
	int length;

	if (!atomic_load_explicit(&has_writer, memory_order_acquire))
		print_pool_start();
	length = put(what, text, arg);
	if (length < 0 && win_back())
		length = put(what, text, arg);
	if (length >= 0)
		return length;
	atomic_fetch_add_explicit(&lost, 1, memory_order_relaxed);
	return -1;
}
