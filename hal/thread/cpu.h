/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Kicks of a real-time CPU. */
#ifndef THREAD_CPU_H
#define THREAD_CPU_H

struct thread_port;

/* Pass a kick on, by what the dispatcher does. */
void thread_kick_pass(struct thread_port *port);
/* A kick by signal, which cannot fail. */
void thread_signal_send(struct thread_port *port);

#endif
