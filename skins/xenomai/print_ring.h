/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Rings of printed text: from the thread that owns one for the moment to the writer. */
#ifndef SKINS_PRINT_RING_H
#define SKINS_PRINT_RING_H

#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define PRINT_RINGS_MAX 64u

/* Where a text is to be written. */
struct print_entry {
	uint64_t sequence; /* among all rings */
	FILE *stream;      /* NULL: the system's log */
	int32_t priority;  /* there */
	uint32_t bytes;    /* of the text, which follows */
	uint32_t skip;     /* not a text: the rest of the ring is unused */
	uint32_t unused;
};

struct print_ring {
	_Atomic uint64_t busy; /* the thread that prints into it, see print_pool.c; 0: none */
	_Atomic uint32_t head; /* bytes ever put, by the owner of `busy` */
	_Atomic uint32_t tail; /* bytes ever taken, by the writer */
	uint32_t size;         /* a power of two */
	char *bytes;
};

/* Prints a text and returns its length. A length of more than room means that it does not fit. */
typedef size_t print_text_fn(char *to, size_t room, void *arg);

/* Put what text() prints; text() may be called twice. Returns the length of the text, or -1: no
 * room. */
int print_ring_put(struct print_ring *ring, const struct print_entry *what, print_text_fn *text,
		   void *arg);

/* The first entry, its text behind it; NULL: there is none. */
const struct print_entry *print_ring_first(struct print_ring *ring);
void print_ring_drop(struct print_ring *ring);

#endif
