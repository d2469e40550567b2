/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Page faults of a real-time CPU, on the dispatcher. */
#ifndef THREAD_PAGE_FAULTS_H
#define THREAD_PAGE_FAULTS_H

struct thread_port;

/* hal_cpu.page_faults stays NULL if Linux refuses. */
void thread_page_faults_open(struct thread_port *port);
void thread_page_faults_close(struct thread_port *port);

#endif
