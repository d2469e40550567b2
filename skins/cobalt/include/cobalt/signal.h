/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Signals: those of POSIX, with the names of Xenomai's conventions (cobalt/wrappers.h). */
#pragma GCC system_header
#include_next <signal.h>

#ifndef COBALT_SIGNAL_H
#define COBALT_SIGNAL_H

#include <cobalt/uapi/signal.h>
#include <cobalt/wrappers.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __USE_GNU
COBALT_SAME(kill);
COBALT_SAME(sigpending);
COBALT_SAME(sigqueue);
COBALT_SAME(sigtimedwait);
COBALT_SAME(sigwait);
COBALT_SAME(sigwaitinfo);
#endif

#ifdef __USE_POSIX199309
/* The handlers that Xenomai installs for SIGDEBUG and SIGSHADOW. A program with a handler of its
 * own for such a signal may call them for a signal that it does not know.
 * cobalt_sigshadow_handler() returns 1 if the signal is the wake-up of a timer with TFD_WAKEUP,
 * otherwise 0. */
void cobalt_sigdebug_handler(int sig, siginfo_t *si, void *context);
int cobalt_sigshadow_handler(int sig, siginfo_t *si, void *context);
#endif

#ifdef __cplusplus
}
#endif

#endif
