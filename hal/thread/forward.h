/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Signals that came to a dispatcher, but were sent to the program. */
#ifndef THREAD_FORWARD_H
#define THREAD_FORWARD_H

#include <signal.h>

void thread_signal_forward(int signal, siginfo_t *info);

#endif
