/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Linked to the suite: each thread has this much thread-local storage. */
#define LARGE_BYTES (1u << 20)

__thread char large_tls[LARGE_BYTES];
