/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Signals that were sent to the program, and that Linux gave to a dispatcher. */
#ifndef THREAD_FORWARD_H
#define THREAD_FORWARD_H

#include <signal.h>

void thread_signal_forward(int signal, siginfo_t *info);

#endif
