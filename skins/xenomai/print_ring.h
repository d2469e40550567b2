/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Rings of printed text: between whoever holds one for a moment, and who writes out. */
#ifndef SKINS_PRINT_RING_H
#define SKINS_PRINT_RING_H

#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define PRINT_RINGS_MAX 64u

/* What is to become of a text. */
struct print_entry {
	uint64_t sequence; /* among all rings */
	FILE *stream;      /* NULL: the system's log */
	int32_t priority;  /* there */
	uint32_t bytes;    /* of the text, which follows */
	uint32_t skip;     /* not a text: the rest of the ring is unused */
	uint32_t unused;
};

struct print_ring {
	_Atomic uint64_t busy; /* who prints into it, see print_pool.c; 0: nobody */
	_Atomic uint32_t head; /* bytes ever put, by whoever made it busy */
	_Atomic uint32_t tail; /* bytes ever taken, by who writes out */
	uint32_t size;         /* a power of two */
	char *bytes;
};

/* Prints a text and returns its length; more than room: it does not fit. */
typedef size_t print_text_fn(char *to, size_t room, void *arg);

/* Put what text() prints; it may be called twice. The length of the text, or -1: no room. */
int print_ring_put(struct print_ring *ring, const struct print_entry *what, print_text_fn *text,
		   void *arg);

/* The first entry, its text behind it; NULL: there is none. */
const struct print_entry *print_ring_first(struct print_ring *ring);
void print_ring_drop(struct print_ring *ring);

#endif
