/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The life of the dispatchers, as start.c leads it. Context: linux. */
#ifndef THREAD_DISPATCHER_H
#define THREAD_DISPATCHER_H

struct thread_port;

enum dispatcher_verdict { DISPATCHER_WAIT, DISPATCHER_SERVE, DISPATCHER_END };

/* Returns 0 or -errno. */
int dispatcher_create(struct thread_port *port);
/* Wait until so many are ready. Returns the error of the first one that has one, or 0. */
int dispatchers_ready(unsigned count);
void dispatchers_report(enum dispatcher_verdict what);
void dispatchers_join(unsigned count);

/* page_faults.c: the page faults of a real-time CPU. hal_cpu.page_faults stays NULL if Linux
 * refuses. */
void thread_page_faults_open(struct thread_port *port);
void thread_page_faults_close(struct thread_port *port);

#endif
