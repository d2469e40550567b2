/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Vectors: by which other processes tell threads of this one that something has come. A process has
 * one doorbell, and in memory that it shares a pending bit for each vector; a vector gives a unit
 * to a semaphore of the nucleus. So a task that waits for another process does so in primary mode,
 * and a process that tells it something makes one Linux call at most.
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
 * This process's, which are made by the first call, and again after another start of the nucleus.
 * By the node's thread alone: a task may be ended in a service of the nucleus, and leave them half
 * made. Returns 0, -ENOMEM, -EPERM (there are no real-time CPUs: a fork's child).
 */
int session_vectors_open(void);
/* Are they of the present start of the nucleus? Context: any. */
bool session_vectors_are_open(void);
/* Its files, which stay its own. Only while they are open. */
void session_vectors_files(int files[SESSION_VECTOR_FILES]);
/* Which start of the nucleus they are of: what was told of another one's is lost. 0: none. */
uint32_t session_vectors_life(void);

/* A vector that gives units to sem. SESSION_NO_VECTOR: there is none left. Context: any. */
uint32_t session_vector_get(tact_sem_t sem);
/* This task waits there: it has the priority of what it is given a unit for, before that. */
void session_vector_serve(uint32_t vector, tact_task_t task);
void session_vector_put(uint32_t vector);

/* Another process's. */
struct session_peer_vectors {
	struct session_vector_page *page;
	struct tact_bell *bell;
};
/* 0 or -ENOMEM; the files stay the caller's. Context: linux. */
int session_vectors_map(const int files[SESSION_VECTOR_FILES], struct session_peer_vectors *peer);
void session_vectors_unmap(struct session_peer_vectors *peer);
/* Raise a vector of it, for something of this priority. Context: any; in primary mode, too. */
void session_vector_raise(const struct session_peer_vectors *peer, uint32_t vector,
			  uint32_t priority);

/* In a fork's child. */
void session_vectors_forget(void);

#endif
