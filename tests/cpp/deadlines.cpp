/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Clocks and deadlines of std::chrono: no rounding to nothing, no overflow. */
#include <limits>

#include "check.hpp"

#include "exact.h"

namespace chrono = std::chrono;
using monotonic = tactus::clock;
using tactus::length;
using tactus::timeout;

static constexpr auto most = std::numeric_limits<std::uint64_t>::max();
static constexpr double endless = std::numeric_limits<double>::infinity();
static constexpr double no_number = std::numeric_limits<double>::quiet_NaN();

template <class Rep, class Period = std::ratio<1>> using of = chrono::duration<Rep, Period>;

/* As std::chrono::is_clock_v with the other demands of a TrivialClock. */
template <class Clock>
inline constexpr bool is_trivial_clock =
	chrono::is_clock_v<Clock> &&noexcept(Clock::now()) &&
	std::is_same_v<typename Clock::time_point, chrono::time_point<Clock>> &&std::is_same_v<
		typename Clock::duration, of<typename Clock::rep, typename Clock::period>>;

static_assert(is_trivial_clock<monotonic> && monotonic::is_steady);
static_assert(is_trivial_clock<tactus::wall_clock> && !tactus::wall_clock::is_steady);

/* Whole numbers. */
static_assert(length(1ns).ns() == 1 && length(3us).ns() == 3000 &&
	      length(2h).ns() == 7200000000000);
static_assert(length(of<int>(5)).ns() == 5000000000 &&
	      length(of<unsigned char>(5)).ns() == 5000000000);
static_assert(length(of<std::int64_t, std::ratio<7, 3>>(3)).ns() == 7000000000);
/* Up, never to 0. */
static_assert(length(of<std::int64_t, std::pico>(1)).ns() == 1);
static_assert(length(of<std::int64_t, std::pico>(1000)).ns() == 1);
static_assert(length(of<std::int64_t, std::pico>(1001)).ns() == 2);
static_assert(length(of<std::int64_t, std::ratio<1, 3>>(1)).ns() == 333333334);
static_assert(length(of<double, std::nano>(0.001)).ns() == 1);
static_assert(length(of<float>(0.5f)).ns() == 500000000);
static_assert(length(of<double, std::nano>(2.5)).ns() == 3);
/* 0 and below. */
static_assert(length(0ns).ns() == 0 && length(-1ns).ns() == 0 && length(-1h).ns() == 0);
static_assert(length(chrono::nanoseconds::min()).ns() == 0 &&
	      length(chrono::hours::min()).ns() == 0);
static_assert(length(of<double>(-endless)).ns() == 0 && length(of<double>(no_number)).ns() == 0);
static_assert(length(of<double>(-0.5)).ns() == 0);
/* Too large. */
static_assert(length(chrono::nanoseconds::max()).ns() == std::uint64_t{INT64_MAX});
static_assert(length(chrono::microseconds::max()).ns() == most);
static_assert(length(chrono::hours::max()).ns() == most &&
	      length(chrono::years::max()).ns() == most);
static_assert(length(of<std::uint64_t, std::nano>(most)).ns() == most);
static_assert(length(of<std::uint64_t>(most)).ns() == most);
static_assert(length(of<std::int64_t, std::ratio<7, 3>>(INT64_MAX)).ns() == most);
static_assert(length(of<double>(endless)).ns() == most && length(of<double>(1e30)).ns() == most);
static_assert(length(of<double, std::nano>(18446744073709551616.0)).ns() == most);
static_assert(length(18446744073s).ns() == 18446744073000000000u &&
	      length(18446744074s).ns() == most);

constexpr bool is(timeout actual, std::uint64_t ns, tact_timeout_kind kind)
{
	return actual.c().ns == ns && actual.c().kind == static_cast<std::uint32_t>(kind);
}

static_assert(is(tactus::forever, 0, TACT_TIMEOUT_FOREVER));
static_assert(is(tactus::no_wait, 0, TACT_TIMEOUT_NOWAIT));
static_assert(is(1ms, 1000000, TACT_TIMEOUT_RELATIVE) && is(-1ms, 0, TACT_TIMEOUT_RELATIVE));
static_assert(is(monotonic::time_point(5us), 5000, TACT_TIMEOUT_ABSOLUTE));
static_assert(is(monotonic::time_point(-5us), 0, TACT_TIMEOUT_ABSOLUTE));
static_assert(is(chrono::time_point<monotonic, chrono::hours>(chrono::hours::max()), most,
		 TACT_TIMEOUT_ABSOLUTE));
static_assert(is(chrono::time_point<monotonic, of<double>>(of<double>(0.25)), 250000000,
		 TACT_TIMEOUT_ABSOLUTE));
static_assert(is(tactus::wall_clock::time_point(5us), 5000, TACT_TIMEOUT_WALL));
static_assert(monotonic::from_c(tact_time_t{most}) == monotonic::time_point::max());
static_assert(monotonic::from_c(tact_time_t{7}).time_since_epoch() == 7ns);
static_assert(!std::is_constructible_v<timeout, chrono::steady_clock::time_point>);
static_assert(!std::is_constructible_v<timeout, chrono::system_clock::time_point>);
static_assert(!std::is_constructible_v<timeout, int>);

TASK_TEST(waits_last_until_their_deadline)
{
	auto sem = good(tactus::semaphore::create());
	const auto begin = monotonic::now();

	expect_bad(sem.wait(2ms), error::timed_out);
	expect_true(monotonic::now() - begin >= 2ms);
	if (test_exact())
		expect_true(monotonic::now() - begin < 3ms);
	expect_bad(sem.wait(begin + 5ms), error::timed_out);
	expect_true(monotonic::now() - begin >= 5ms);
	if (test_exact())
		expect_true(monotonic::now() - begin < 6ms);
	expect_bad(sem.wait(tactus::wall_clock::now() + 1ms), error::timed_out);
	expect_true(monotonic::now() - begin >= 6ms);
	expect_bad(sem.wait(of<double, std::milli>(0.5)), error::timed_out);
	expect_true(monotonic::now() - begin >= 6500us);
}

TASK_TEST(what_has_passed_does_not_wait)
{
	auto sem = good(tactus::semaphore::create({.initial = 4}));

	good(sem.wait(0ns));
	good(sem.wait(-1h));
	good(sem.wait(monotonic::now() - 1h));
	good(sem.wait(tactus::no_wait));
	expect_bad(sem.wait(0ns), error::timed_out);
	expect_bad(sem.wait(-1h), error::timed_out);
	expect_bad(sem.wait(chrono::hours::min()), error::timed_out);
	expect_bad(sem.wait(monotonic::now() - 1h), error::timed_out);
	expect_bad(sem.wait(monotonic::time_point::min()), error::timed_out);
	expect_bad(sem.wait(tactus::no_wait), error::resource_unavailable_try_again);
}

/* Each of these would have ended at once if it had overflowed. */
TASK_TEST(what_is_too_large_does_not_end)
{
	auto sem = good(tactus::semaphore::create());
	auto post = [&] {
		good(tactus::this_task::sleep_for(1ms));
		good(sem.post());
	};
	const timeout ends[] = {chrono::hours::max(),
				chrono::nanoseconds::max(),
				of<double>(endless),
				monotonic::time_point::max(),
				chrono::time_point<monotonic, chrono::hours>(chrono::hours::max()),
				tactus::wall_clock::time_point::max()};

	for (const timeout &end : ends) {
		auto poster = good(tactus::task::spawn({}, post));

		good(sem.wait(end));
	}
}

TASK_TEST(fixed_ends_do_not_move)
{
	const timeout end = timeout(2ms).fixed();

	expect_eq(end.c().kind, TACT_TIMEOUT_ABSOLUTE);
	expect_true(is(timeout(chrono::hours::max()).fixed(), most, TACT_TIMEOUT_ABSOLUTE));
	expect_true(is(tactus::forever.fixed(), 0, TACT_TIMEOUT_FOREVER));
	good(tactus::this_task::sleep_for(3ms));
	expect_bad(good(tactus::semaphore::create()).wait(end), error::timed_out);
}

TASK_TEST(wall_clock_is_set)
{
	const auto before = tactus::wall_clock::now();

	good(tactus::wall_clock::set(before + 100h));
	expect_true(tactus::wall_clock::now() - before >= 100h);
	expect_bad(tactus::wall_clock::set(tactus::wall_clock::time_point(-1h)),
		   error::invalid_argument);
}

TASK_TEST(clock_goes_on_while_a_task_computes)
{
	const auto begin = monotonic::now();

	tactus::compute(50us);
	expect_true(monotonic::now() - begin >= 50us);
}
