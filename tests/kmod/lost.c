/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Linux begins to mistrust the time-stamp counters while a core reads the clock: lost CPU MODULE;
 * the module causes that (kmod/tsc_unstable.c). The program continues with the last known line, and
 * no other program can begin.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "cases.h"

#define CLOCK "/sys/devices/system/clocksource/clocksource0/current_clocksource"

static const volatile struct tact_bare_clock *page;
static struct {
	_Atomic uint64_t readings;
	_Atomic bool ends;
	uint64_t backwards, rateless;
} seen;

static uint64_t read_always(struct ring3 *self)
{
	uint64_t last = 0;

	while (!seen.ends) {
		uint64_t now = clock_read(page);

		seen.backwards += now < last;
		seen.rateless += page->mult == 0;
		last = now;
		seen.readings++;
	}
	return self->core + 9;
}

static bool is_lost(void *data)
{
	(void)data;
	return !page->valid;
}

static bool has_read(void *data)
{
	return seen.readings > *(uint64_t *)data;
}

static bool reads_on(void)
{
	uint64_t before = seen.readings + 1000;

	return becomes(has_read, &before);
}

static void make_unstable(const char *module)
{
	int image = open(module, O_RDONLY | O_CLOEXEC);
	long result = image < 0 ? -1 : syscall(SYS_finit_module, image, "", 0);
	FILE *clock = fopen(CLOCK, "w");

	check(result == 0, "lost: Linux mistrusts the counters");
	close(image);
	/* If Linux watches this clock, it would leave it by itself. */
	check(clock && fputs("hpet\n", clock) > 0 && !fclose(clock), "lost: and reads the HPET");
}

static void check_newcomer(void)
{
	struct tact_bare_hello hello = {.revision = TACT_BARE_REVISION};
	int file = open(TACT_BARE_DEVICE, O_RDWR | O_CLOEXEC);
	int result = ioctl(file, TACT_BARE_HELLO, &hello);

	check(result == -1 && errno == ENOSYS && strstr(hello.reason, "tsc=reliable"),
	      "lost: nobody else begins: %s", hello.reason);
	close(file);
}

int case_lost(int count, char **words)
{
	int file = ring3_open(), result;
	uint64_t told, linux_ns;
	uint32_t mult;
	struct ring3 *self;

	if (count < 3)
		return 2;
	self = ring3_take(file, (uint32_t)atoi(words[1]));
	page = mmap(NULL, TACT_BARE_PAGE, PROT_READ, MAP_SHARED, file, TACT_BARE_MAP_CLOCK);
	mult = page->mult;
	ring3_add_all(file);
	ring3_start(self, read_always);
	owner_begin(self);
	check(reads_on() && page->valid, "lost: a core reads the clock");
	make_unstable(words[2]);
	check(becomes(is_lost, NULL), "lost: the page says that it is not valid");
	check(page->mult, "lost: it keeps its line (%u, %u before)", page->mult, mult);
	check(reads_on(), "lost: the core reads on");
	usleep(500000);
	told = clock_read(page);
	linux_ns = (uint64_t)(now_ms() * 1e6);
	check(told < linux_ns + 50000000 && linux_ns < told + 50000000,
	      "lost: half a second later it tells the time to %lld ns",
	      (long long)(told - linux_ns));
	check_newcomer();
	seen.ends = true;
	result = owner_end(self);
	check(!result && self->run.cause == 9 && !seen.backwards && !seen.rateless,
	      "lost: of %llu readings %llu were before the last, %llu without a rate",
	      (unsigned long long)seen.readings, (unsigned long long)seen.backwards,
	      (unsigned long long)seen.rateless);
	ring3_give(self);
	close(file);
	return checks_failed();
}
