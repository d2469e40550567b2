/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The program's thread-local data, which lies on the stacks of its threads. */
#ifndef LINUX_TLS_H
#define LINUX_TLS_H

#include <pthread.h>
#include <stddef.h>

/* In whole pages. */
size_t linux_tls_bytes(void);
/* A stack of this size, plus room for the thread-local data. */
void linux_set_stack(pthread_attr_t *attributes, size_t bytes);

#endif
