/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What Xenomai's test programs use beside its interface: clocks, products, registers, marks. */
#include "cobalt_test.h"

#include <asm/xenomai/features.h>
#include <asm/xenomai/syscall.h>
#include <asm/xenomai/tsc.h>
#include <asm/xenomai/uapi/fptest.h>
#include <boilerplate/trace.h>
#include <cobalt/arith.h>
#include <cobalt/uapi/kernel/vdso.h>
#include <time.h>

static void host_clock_is_the_wall_clock(void)
{
	struct timespec before;
	struct timespec now;
	struct timespec after;
	struct timespec resolution;

	expect_ok(clock_gettime(CLOCK_REALTIME, &before));
	expect_ok(clock_gettime(CLOCK_HOST_REALTIME, &now));
	expect_ok(clock_gettime(CLOCK_REALTIME, &after));
	expect_eq(before.tv_sec <= now.tv_sec && now.tv_sec <= after.tv_sec, 1);
	expect_ok(clock_getres(CLOCK_HOST_REALTIME, &resolution));
	expect_eq(resolution.tv_sec, 0);
	expect_errno(clock_gettime(__COBALT_CLOCK_EXT(3), &now), EINVAL);
	expect_eq(__COBALT_CLOCK_EXT_P(__COBALT_CLOCK_EXT(3)), 1);
	expect_eq(__COBALT_CLOCK_EXT_INDEX(__COBALT_CLOCK_EXT(3)), 3);
	expect_eq(__COBALT_CLOCK_EXT_P(CLOCK_HOST_REALTIME), 0);
	expect_eq(xnvdso_test_feature(cobalt_vdso, XNVDSO_FEAT_HOST_REALTIME), 0);
}

static void products_of_64_bits_keep_their_digits(void)
{
	unsigned int factor;
	unsigned int shift;

	expect_eq(xnarch_llimd(0x3ffffffffffffffLL, 1000000000, 33000000), 0x79364d9364d9362fLL);
	expect_eq(xnarch_llimd(-7, 1, 2), -3);
	expect_eq(xnarch_llmulshft(-7, 1, 1), -4);
	xnarch_init_llmulshft(1000000000, 33000000, &factor, &shift);
	/* 30.3030… */
	expect_eq(factor, 2033601939);
	expect_eq(shift, 26);
	xnarch_init_llmulshft(3, 4, &factor, &shift);
	expect_eq(factor, 3u << 29);
	expect_eq(shift, 31);
	expect_eq(xnarch_llmulshft(4000000000000LL, factor, shift), 3000000000000LL);
}

static int reports;

static int count(const char *format, ...)
{
	(void)format;
	return ++reports;
}

static void registers_are_filled_and_seen(void)
{
	const int features = cobalt_fp_detect();

	fp_regs_set(features, 4000000000u);
	expect_eq(fp_regs_check(features, 4000000000u, count), 4000000000u);
	expect_eq(reports, 0);
	fp_regs_set(features, 5);
	expect_eq(fp_regs_check(features, 6, count), 5);
	/* Eight of each kind; the vectors count by their words. */
	expect_eq(reports, 8 + (features & __COBALT_HAVE_AVX ? 64 : features ? 32 : 0));
}

static void *mark_a_peak(void *unused)
{
	const unsigned long long before = cobalt_read_tsc();

	xntrace_latpeak_freeze(1234);
	expect_ok(xntrace_special(1, 2));
	expect_eq(cobalt_read_tsc() >= before, 1);
	return unused;
}

static void tasks_mark_their_latencies(void)
{
	in_task(mark_a_peak, NULL);
}

int main(void)
{
	static const struct test_case cases[] = {
		CASE(host_clock_is_the_wall_clock),
		CASE(products_of_64_bits_keep_their_digits),
		CASE(registers_are_filled_and_seen),
		CASE(tasks_mark_their_latencies),
	};

	return run_cases(cases, sizeof(cases) / sizeof(cases[0]));
}
