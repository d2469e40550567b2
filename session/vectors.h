/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Vectors: by which other processes wake threads of this one. A process has one doorbell and, in
 * memory that it shares, a pending bit for each vector. A vector gives a unit to a semaphore of the
 * nucleus. So a task waits for another process in primary mode, and that process makes one Linux
 * call at most to wake it.
 */
#ifndef SESSION_VECTORS_H
#define SESSION_VECTORS_H

#include <stdbool.h>
#include <stdint.h>

#include <tactus/tact.h>

#define SESSION_VECTORS   4096u
#define SESSION_NO_VECTOR UINT32_MAX

/* What another process needs: the pending bits, and the doorbell. */
#define SESSION_VECTOR_FILES 2

/*
 * Make the vectors of this process, by the first call, and again after another start of the
 * nucleus. Only the node's thread calls this: a task may be ended in a service of the nucleus, and
 * would leave them half made. Returns 0, -ENOMEM, -EPERM (there are no real-time CPUs: a fork's
 * child).
 */
int session_vectors_open(void);
/* Are they of the present start of the nucleus? Context: any. */
bool session_vectors_are_open(void);
/* The files of this process's vectors, which stay its own. Only while the vectors are open. */
void session_vectors_files(int files[SESSION_VECTOR_FILES]);
/* Grows with each start of the nucleus for which they were made. What is raised for the vectors of
 * an earlier start is lost. 0: none were made yet. */
uint32_t session_vectors_life(void);

/* Get a vector that gives units to sem. SESSION_NO_VECTOR: none is left. Context: any. */
uint32_t session_vector_get(tact_sem_t sem);
/* This task waits at the semaphore of the vector. When the vector is raised, the task first gets
 * the priority with which it was raised, and then the unit. */
void session_vector_serve(uint32_t vector, tact_task_t task);
void session_vector_put(uint32_t vector);

/* The vectors of another process. */
struct session_peer_vectors {
	struct session_vector_page *page;
	struct tact_doorbell *doorbell;
};
/* 0 or -ENOMEM; the files are not taken over. Context: linux. */
int session_vectors_map(const int files[SESSION_VECTOR_FILES], struct session_peer_vectors *peer);
void session_vectors_unmap(struct session_peer_vectors *peer);
/* Raise a vector of that process. priority: for session_vector_serve(); 0: none. Context: any; also
 * in primary mode. */
void session_vector_raise(const struct session_peer_vectors *peer, uint32_t vector,
			  uint32_t priority);

/* In a fork's child. */
void session_vectors_forget(void);

#endif
