/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The clocks for std::chrono, and how long to wait.
 *
 * Every duration and instant of std::chrono is accepted, whatever its type and period. What is no
 * whole number of nanoseconds is rounded up, so that no wait ends early and nothing short becomes
 * 0. What is too large becomes the largest value, which never comes. What is below 0 becomes 0. No
 * conversion overflows.
 */
#ifndef TACTUS_CPP_TIME_HPP
#define TACTUS_CPP_TIME_HPP

#include <chrono>
#include <cstdint>
#include <limits>
#include <ratio>
#include <type_traits>

#include <tactus/cpp/result.hpp>
#include <tactus/time.h>

namespace tactus
{
inline namespace v1
{

namespace detail
{

__extension__ typedef unsigned __int128 wide;

inline constexpr std::uint64_t most_ns = std::numeric_limits<std::uint64_t>::max();

/* count × Num ÷ Den nanoseconds of an integer, count above 0. */
template <std::uint64_t Num, std::uint64_t Den>
constexpr std::uint64_t scaled(std::uint64_t count) noexcept
{
	if constexpr (Num == 1 && Den == 1) {
		return count;
	} else if constexpr (Den == 1) {
		return count > most_ns / Num ? most_ns : count * Num;
	} else if constexpr (Num == 1) {
		return count / Den + (count % Den != 0);
	} else {
		const wide ns = (static_cast<wide>(count) * Num + (Den - 1)) / Den;
		return ns > most_ns ? most_ns : static_cast<std::uint64_t>(ns);
	}
}

template <class Rep, class Period>
constexpr std::uint64_t to_ns(const std::chrono::duration<Rep, Period> &length) noexcept
{
	static_assert(std::is_arithmetic_v<Rep>, "a duration counts by a number of the language");
	using scale = std::ratio_divide<Period, std::nano>;

	/* Also what is not a number. */
	if (!(length.count() > Rep{}))
		return 0;
	if constexpr (std::is_floating_point_v<Rep>) {
		const long double ns =
			static_cast<long double>(length.count()) * scale::num / scale::den;
		if (ns >= 18446744073709551616.0L)
			return most_ns;
		const auto whole = static_cast<std::uint64_t>(ns);
		return whole + (static_cast<long double>(whole) < ns);
	} else {
		static_assert(sizeof(Rep) <= sizeof(std::uint64_t));
		return scaled<scale::num, scale::den>(static_cast<std::uint64_t>(length.count()));
	}
}

/* Of a clock's type: its range is half that of C. */
constexpr std::chrono::nanoseconds from_ns(std::uint64_t ns) noexcept
{
	using counted = std::chrono::nanoseconds::rep;
	constexpr counted most = std::numeric_limits<counted>::max();

	return std::chrono::nanoseconds(ns > std::uint64_t{most} ? most : static_cast<counted>(ns));
}

} // namespace detail

/* The monotonic clock of the nucleus, tact_now(): a TrivialClock. On sim it is virtual time, so
 * instants of std::chrono::steady_clock are refused by the compiler. */
struct clock {
	using duration = std::chrono::nanoseconds;
	using rep = duration::rep;
	using period = duration::period;
	using time_point = std::chrono::time_point<clock>;
	static constexpr bool is_steady = true;

	static time_point now() noexcept
	{
		return from_c(tact_now());
	}
	static constexpr time_point from_c(tact_time_t instant) noexcept
	{
		return time_point(detail::from_ns(instant.ns));
	}
	template <class Duration>
	static constexpr tact_time_t to_c(
		const std::chrono::time_point<clock, Duration> &instant) noexcept
	{
		return tact_time_t{detail::to_ns(instant.time_since_epoch())};
	}
};

namespace detail
{

/* Where C has a meaning of its own for the instant 0. */
constexpr tact_time_t some(clock::time_point instant) noexcept
{
	const tact_time_t given = clock::to_c(instant);

	return tact_time_t{given.ns ? given.ns : 1};
}

} // namespace detail

/* The wall clock of the nucleus, tact_wall_now(), which counts from 1970-01-01 UTC as
 * std::chrono::system_clock does. A program can set it for itself. */
struct wall_clock {
	using duration = std::chrono::nanoseconds;
	using rep = duration::rep;
	using period = duration::period;
	using time_point = std::chrono::time_point<wall_clock>;
	static constexpr bool is_steady = false;

	static time_point now() noexcept
	{
		return from_c(tact_wall_now());
	}
	/* tact_wall_set(). */
	static result<void> set(time_point instant)
	{
		return result<void>::from_c(tact_wall_set(to_c(instant)));
	}
	static constexpr time_point from_c(tact_time_t instant) noexcept
	{
		return time_point(detail::from_ns(instant.ns));
	}
	template <class Duration>
	static constexpr tact_time_t to_c(
		const std::chrono::time_point<wall_clock, Duration> &instant) noexcept
	{
		return tact_time_t{detail::to_ns(instant.time_since_epoch())};
	}
};

/* A length of time, in nanoseconds, from any duration of std::chrono. */
class length
{
      public:
	constexpr length() noexcept = default;
	template <class Rep, class Period>
	constexpr length(const std::chrono::duration<Rep, Period> &from) noexcept
	    : ns_(detail::to_ns(from))
	{
	}
	[[nodiscard]] constexpr std::uint64_t ns() const noexcept
	{
		return ns_;
	}

      private:
	std::uint64_t ns_ = 0;
};

/**
 * How long to wait: forever, no_wait, a duration from the call on, or an instant of clock or
 * wall_clock. A duration of 0 or less does not wait, and neither does an instant that has passed:
 * what is there is taken, otherwise the error is error::timed_out. With no_wait the error is
 * error::resource_unavailable_try_again; in handlers only no_wait is allowed.
 * Cost: that of the conversion, which the compiler does for constants.
 */
class timeout
{
      public:
	constexpr timeout(tact_timeout_t from) noexcept : value_(from)
	{
	}
	template <class Rep, class Period>
	constexpr timeout(const std::chrono::duration<Rep, Period> &from) noexcept
	    : value_{detail::to_ns(from), TACT_TIMEOUT_RELATIVE}
	{
	}
	template <class Duration>
	constexpr timeout(const std::chrono::time_point<clock, Duration> &until) noexcept
	    : value_{clock::to_c(until).ns, TACT_TIMEOUT_ABSOLUTE}
	{
	}
	template <class Duration>
	constexpr timeout(const std::chrono::time_point<wall_clock, Duration> &until) noexcept
	    : value_{wall_clock::to_c(until).ns, TACT_TIMEOUT_WALL}
	{
	}
	/* The nucleus does not wait on other clocks. */
	template <class Clock, class Duration>
	timeout(const std::chrono::time_point<Clock, Duration> &) = delete;

	/* Made of its members, so that a constant one costs no load. */
	[[nodiscard]] constexpr tact_timeout_t c() const noexcept
	{
		return {value_.ns, value_.kind};
	}
	/* The same with an instant in the place of a duration: for several waits until one end. */
	[[nodiscard]] timeout fixed() const noexcept
	{
		if (value_.kind != TACT_TIMEOUT_RELATIVE)
			return *this;
		return tact_at(tact_time_add(tact_now(), value_.ns));
	}

      private:
	tact_timeout_t value_;
};

inline constexpr timeout forever{tact_timeout_t{0, TACT_TIMEOUT_FOREVER}};
inline constexpr timeout no_wait{tact_timeout_t{0, TACT_TIMEOUT_NOWAIT}};

/* tact_compute(). */
inline void compute(length duration)
{
	tact_compute(duration.ns());
}

} // namespace v1
} // namespace tactus

#endif
