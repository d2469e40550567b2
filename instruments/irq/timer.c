/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A timer as the source: a timerfd. Its handler is that of the local timer interrupt. */
#include <errno.h>
#include <sys/timerfd.h>
#include <string.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/complain.h"
#include "source.h"

int irq_timer_open(struct irq_source *source)
{
	*source = (struct irq_source){
		.name = "timer",
		.trace_event = "irq_vectors/local_timer_entry",
		.fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC),
		.config_fd = -1,
	};
	return source->fd >= 0 ? 0 : complain("timerfd_create(): %s", strerror(errno));
}

void irq_timer_arm(struct irq_source *source, uint64_t release_ns)
{
	const struct itimerspec at = {.it_value = clock_timespec(release_ns)};

	(void)timerfd_settime(source->fd, TFD_TIMER_ABSTIME, &at, NULL);
}

int irq_timer_wait(struct irq_source *source)
{
	uint64_t expirations;

	while (read(source->fd, &expirations, sizeof(expirations)) < 0)
		if (errno != EINTR)
			return -errno;
	return 0;
}
