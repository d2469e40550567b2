/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Kicks of a real-time CPU. */
#ifndef THREAD_CPU_H
#define THREAD_CPU_H

struct thread_port;

/* Pass a kick on, in the way that the state of the dispatcher needs. */
void thread_kick_pass(struct thread_port *port);
/* A kick by signal, which cannot fail. */
void thread_signal_send(struct thread_port *port);

#endif
