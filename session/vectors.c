/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * To raise a vector is to set its bit, then the bit of its word, then to ring. The handler clears
 * in the opposite order. So a process that is killed or preempted between two of these steps delays
 * what it has raised itself, and nothing that another process has raised.
 */
#define _GNU_SOURCE
#include "vectors.h"

#include <errno.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <unistd.h>

#include "sealed.h"

#define WORDS      (SESSION_VECTORS / 64u)
#define PAGE_BYTES sizeof(struct session_vector_page)

struct session_vector_page {
	_Atomic uint64_t words; /* which words of `pending` are not zero */
	_Atomic uint64_t pending[WORDS];
	_Atomic uint16_t priority[SESSION_VECTORS];
};
_Static_assert(WORDS == 64, "one word tells of all words");

static struct {
	struct session_vector_page *page;
	int file; /* of the page */
	tact_device_t doorbell;
	tact_interrupt_t interrupt;
	int doorbell_file;
	_Atomic uint32_t life;
} own = {.file = -1, .doorbell_file = -1};

/* The semaphore's handle; 0: the vector is free. */
static _Atomic tact_sem_t sems[SESSION_VECTORS];
static _Atomic tact_task_t tasks[SESSION_VECTORS];

static void give(uint32_t vector)
{
	tact_task_t task = atomic_load(&tasks[vector]);
	uint32_t priority = atomic_load(&own.page->priority[vector]);

	if (task.id && priority)
		(void)tact_task_set_priority(task, priority, 0, NULL);
	(void)tact_sem_post(atomic_load(&sems[vector]));
}

/* Context: handler. */
static void rung(void *unused)
{
	uint64_t words = atomic_exchange(&own.page->words, 0);

	(void)unused;
	for (; words; words &= words - 1) {
		uint32_t word = (uint32_t)__builtin_ctzll(words);
		uint64_t bits = atomic_exchange(&own.page->pending[word], 0);

		for (; bits; bits &= bits - 1)
			give(word * 64u + (uint32_t)__builtin_ctzll(bits));
	}
}

static int make_page(void)
{
	if (own.page)
		return 0;
	own.page = sealed_make("tactus vectors", PAGE_BYTES, &own.file);
	if (!own.page)
		return -ENOMEM;
	(void)madvise(own.page, PAGE_BYTES, MADV_DONTFORK);
	return 0;
}

static void close_doorbell_file(void)
{
	if (own.doorbell_file >= 0)
		close(own.doorbell_file);
	own.doorbell_file = -1;
}

static int open_doorbell(void)
{
	int error = tact_device_open(NULL, TACT_DOORBELL, 1, &own.doorbell, NULL);

	if (error)
		return error == -TACT_EPERM ? -EPERM : -ENOMEM;
	close_doorbell_file();
	error = tact_doorbell_file(own.doorbell, &own.doorbell_file);
	if (!error)
		error = tact_interrupt_create(NULL, own.doorbell, 0, rung, NULL, 0, &own.interrupt);
	if (!error)
		return 0;
	(void)tact_device_close(own.doorbell);
	return -ENOMEM;
}

bool session_vectors_are_open(void)
{
	return atomic_load(&own.life) && !tact_interrupt_inquire(own.interrupt, NULL);
}

int session_vectors_open(void)
{
	int error;

	if (session_vectors_are_open())
		return 0;
	error = make_page();
	if (!error)
		error = open_doorbell();
	if (!error)
		atomic_fetch_add(&own.life, 1);
	return error;
}

void session_vectors_files(int files[SESSION_VECTOR_FILES])
{
	files[0] = own.file;
	files[1] = own.doorbell_file;
}

uint32_t session_vectors_life(void)
{
	return atomic_load(&own.life);
}

uint32_t session_vector_get(tact_sem_t sem)
{
	for (uint32_t vector = 0; vector < SESSION_VECTORS; vector++) {
		tact_sem_t none = {0};

		if (atomic_compare_exchange_strong(&sems[vector], &none, sem))
			return vector;
	}
	return SESSION_NO_VECTOR;
}

void session_vector_serve(uint32_t vector, tact_task_t task)
{
	atomic_store(&tasks[vector], task);
}

/* A unit that comes too late goes to the next user of the vector, which finds nothing to do. */
void session_vector_put(uint32_t vector)
{
	if (vector == SESSION_NO_VECTOR)
		return;
	atomic_store(&tasks[vector], ((tact_task_t){0}));
	atomic_store(&sems[vector], ((tact_sem_t){0}));
}

int session_vectors_map(const int files[SESSION_VECTOR_FILES], struct session_peer_vectors *peer)
{
	peer->page = sealed_map(files[0], PAGE_BYTES);
	if (!peer->page)
		return -ENOMEM;
	if (!tact_doorbell_attach(files[1], &peer->doorbell))
		return 0;
	peer->doorbell = NULL;
	session_vectors_unmap(peer);
	return -ENOMEM;
}

void session_vectors_unmap(struct session_peer_vectors *peer)
{
	if (peer->page)
		(void)munmap(peer->page, sizeof(*peer->page));
	tact_doorbell_detach(peer->doorbell);
	*peer = (struct session_peer_vectors){NULL, NULL};
}

void session_vector_raise(const struct session_peer_vectors *peer, uint32_t vector,
			  uint32_t priority)
{
	struct session_vector_page *page = peer->page;

	if (!page || vector >= SESSION_VECTORS)
		return;
	atomic_store_explicit(&page->priority[vector], (uint16_t)priority, memory_order_relaxed);
	atomic_fetch_or(&page->pending[vector / 64u], 1ull << vector % 64u);
	atomic_fetch_or(&page->words, 1ull << vector / 64u);
	tact_doorbell_ring(peer->doorbell);
}

/* The page is not mapped in the child. */
void session_vectors_forget(void)
{
	if (own.file >= 0)
		close(own.file);
	own.file = -1;
	own.page = NULL;
	close_doorbell_file();
	atomic_store(&own.life, 0);
	for (uint32_t vector = 0; vector < SESSION_VECTORS; vector++)
		session_vector_put(vector);
}
