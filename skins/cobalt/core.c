/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The core as Cobalt's programs see it: the program's own real-time half. */
#include "cobalt_internal.h"

#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>

#include "wakeup.h"
#include "warn.h"
#include "watchdog.h"

#define VERSION_CODE (3 << 16 | 3 << 8) /* the interfaces are those of Xenomai 3.3 */
#define PIPES        32

int cobalt_extend(unsigned int magic)
{
	(void)magic;
	return -ENOSYS;
}

static int figure(int request, int *value)
{
	switch (request) {
	case _CC_COBALT_GET_VERSION:
		*value = VERSION_CODE;
		return 0;
	case _CC_COBALT_GET_NR_PIPES:
		*value = PIPES;
		return 0;
	case _CC_COBALT_GET_NR_TIMERS: /* limited by memory only */
		*value = INT32_MAX;
		return 0;
	case _CC_COBALT_GET_DEBUG:
		*value = _CC_COBALT_DEBUG_MUTEX_RELAXED;
		return 0;
	case _CC_COBALT_GET_WATCHDOG:
		*value = (int)cobalt_watchdog_s();
		return 0;
	case _CC_COBALT_GET_POLICIES:
		*value = _CC_COBALT_SCHED_FIFO | _CC_COBALT_SCHED_RR | _CC_COBALT_SCHED_WEAK |
			 _CC_COBALT_SCHED_SPORADIC | _CC_COBALT_SCHED_QUOTA | _CC_COBALT_SCHED_TP;
		return 0;
	case _CC_COBALT_GET_CORE_STATUS: /* it starts when the first thread needs it */
		*value = posix_startable() ? COBALT_STATE_RUNNING : COBALT_STATE_STOPPED;
		return 0;
	default:
		return -EINVAL;
	}
}

int cobalt_corectl(int request, void *buf, size_t bufsz)
{
	if (request == _CC_COBALT_START_CORE)
		return posix_start() ? 0 : -EPERM;
	if (request == _CC_COBALT_STOP_CORE)
		return -ENOTSUP;
	if (!buf || bufsz < sizeof(int))
		return -EINVAL;
	return figure(request, buf);
}

int cobalt_serial_debug(const char *fmt, ...)
{
	char text[512];
	va_list args;
	int length;

	va_start(args, fmt);
	length = vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	if (length >= (int)sizeof(text))
		length = sizeof(text) - 1;
	return length < 0 ? length : (int)write(STDERR_FILENO, text, (size_t)length);
}

void cobalt_assert_nrt(void)
{
	if (tact_mode() != TACT_MODE_PRIMARY)
		return;
	posix_say("cobalt_assert_nrt(): called in primary mode, in which the program makes no "
		  "Linux call");
	abort();
}

unsigned long long cobalt_read_ns(void)
{
	return tact_now().ns;
}

void cobalt_sigdebug_handler(int sig, siginfo_t *si, void *context)
{
	skin_warned(sig, si, context);
}

/* Was this a signal of Cobalt? Its arrival alone has the effect, so nothing is left to do. */
int cobalt_sigshadow_handler(int sig, siginfo_t *si, void *context)
{
	(void)context;
	return sig == SIGSHADOW && cobalt_wakeup_is(si);
}
