/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Clocks that POSIX does not have, and what programs see of them. */
#include <time.h>

#include <cobalt/uapi/kernel/vdso.h>
#include <cobalt/uapi/time.h>

static struct xnvdso nothing;
struct xnvdso *cobalt_vdso = &nothing;
/* Where the memory that programs share with the core would begin. */
void *cobalt_umm_shared = &nothing;

int __wrap_clock_gettime(clockid_t clock, struct timespec *now);
int __wrap_clock_getres(clockid_t clock, struct timespec *resolution);

static clockid_t of_linux(clockid_t clock)
{
	return clock == CLOCK_HOST_REALTIME ? CLOCK_REALTIME : clock;
}

int __wrap_clock_gettime(clockid_t clock, struct timespec *now)
{
	return clock_gettime(of_linux(clock), now);
}

int __wrap_clock_getres(clockid_t clock, struct timespec *resolution)
{
	return clock_getres(of_linux(clock), resolution);
}
