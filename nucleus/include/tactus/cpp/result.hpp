/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Results of calls in C++: a value or an error, in the manner of std::expected, which C++20 does
 * not have. Nothing is thrown. A result that is ignored gives a warning.
 */
#ifndef TACTUS_CPP_RESULT_HPP
#define TACTUS_CPP_RESULT_HPP

#include <concepts>
#include <functional>
#include <memory>
#include <type_traits>
#include <utility>

#include <tactus/error.h>

namespace tactus
{
inline namespace v1
{

/* The error codes, by the names of std::errc. The headers of C say when a call returns which. The
 * server of a port, and a caller that breaks a wait, may give other numbers. */
enum class error : int {
	operation_not_permitted = TACT_EPERM,
	no_such_process = TACT_ESRCH,
	interrupted = TACT_EINTR,
	no_such_device_or_address = TACT_ENXIO,
	bad_file_descriptor = TACT_EBADF,
	resource_unavailable_try_again = TACT_EAGAIN,
	not_enough_memory = TACT_ENOMEM,
	bad_address = TACT_EFAULT,
	device_or_resource_busy = TACT_EBUSY,
	file_exists = TACT_EEXIST,
	no_such_device = TACT_ENODEV,
	invalid_argument = TACT_EINVAL,
	no_space_on_device = TACT_ENOSPC,
	broken_pipe = TACT_EPIPE,
	resource_deadlock_would_occur = TACT_EDEADLK,
	function_not_supported = TACT_ENOSYS,
	identifier_removed = TACT_EIDRM,
	protocol_error = TACT_EPROTO,
	value_too_large = TACT_EOVERFLOW,
	message_size = TACT_EMSGSIZE,
	not_supported = TACT_ENOTSUP,
	timed_out = TACT_ETIMEDOUT,
	changed_meanwhile = TACT_ESTALE, /* std has no name for it */
	operation_canceled = TACT_ECANCELED,
	owner_dead = TACT_EOWNERDEAD,
	state_not_recoverable = TACT_ENOTRECOVERABLE,
};

/* The name of an error in C, for messages: "TACT_ETIMEDOUT". "?": a number that has no name. */
[[nodiscard]] constexpr const char *name_of(error code) noexcept
{
	switch (code) {
	case error::operation_not_permitted:
		return "TACT_EPERM";
	case error::no_such_process:
		return "TACT_ESRCH";
	case error::interrupted:
		return "TACT_EINTR";
	case error::no_such_device_or_address:
		return "TACT_ENXIO";
	case error::bad_file_descriptor:
		return "TACT_EBADF";
	case error::resource_unavailable_try_again:
		return "TACT_EAGAIN";
	case error::not_enough_memory:
		return "TACT_ENOMEM";
	case error::bad_address:
		return "TACT_EFAULT";
	case error::device_or_resource_busy:
		return "TACT_EBUSY";
	case error::file_exists:
		return "TACT_EEXIST";
	case error::no_such_device:
		return "TACT_ENODEV";
	case error::invalid_argument:
		return "TACT_EINVAL";
	case error::no_space_on_device:
		return "TACT_ENOSPC";
	case error::broken_pipe:
		return "TACT_EPIPE";
	case error::resource_deadlock_would_occur:
		return "TACT_EDEADLK";
	case error::function_not_supported:
		return "TACT_ENOSYS";
	case error::identifier_removed:
		return "TACT_EIDRM";
	case error::protocol_error:
		return "TACT_EPROTO";
	case error::value_too_large:
		return "TACT_EOVERFLOW";
	case error::message_size:
		return "TACT_EMSGSIZE";
	case error::not_supported:
		return "TACT_ENOTSUP";
	case error::timed_out:
		return "TACT_ETIMEDOUT";
	case error::changed_meanwhile:
		return "TACT_ESTALE";
	case error::operation_canceled:
		return "TACT_ECANCELED";
	case error::owner_dead:
		return "TACT_EOWNERDEAD";
	case error::state_not_recoverable:
		return "TACT_ENOTRECOVERABLE";
	}
	return "?";
}

template <class T> class result;
template <> class result<void>;

namespace detail
{

/* Where std:: would throw. In a task this is a fault: the nucleus reports it with a backtrace and
 * stops the task. */
[[noreturn]] inline void stop() noexcept
{
	__builtin_trap();
}

struct filled {
};

/* The code as the C call returned it, and a value if it is not negative. */
template <class T, bool = std::is_trivially_copyable_v<T>> struct storage {
	int code;
	union {
		char none;
		T value;
	};

	constexpr explicit storage(int returned) noexcept : code(returned), none()
	{
	}
	template <class U>
	constexpr storage(int returned, U &&with) noexcept
	    : code(returned), value(std::forward<U>(with))
	{
	}
	template <class Fill> storage(filled, const Fill &fill) noexcept : code(0), none()
	{
		code = fill(static_cast<void *>(std::addressof(value)));
	}
};

template <class T> struct storage<T, false> {
	int code;
	union {
		char none;
		T value;
	};

	explicit storage(int returned) noexcept : code(returned), none()
	{
	}
	storage(int returned, T &&with) noexcept : code(returned), none()
	{
		if (code >= 0)
			std::construct_at(std::addressof(value), std::move(with));
	}
	storage(storage &&other) noexcept : storage(other.code, std::move(other.value))
	{
	}
	storage &operator=(storage &&other) noexcept
	{
		if (this == &other)
			return *this;
		std::destroy_at(this);
		return *std::construct_at(this, std::move(other));
	}
	~storage()
	{
		if (code >= 0)
			std::destroy_at(std::addressof(value));
	}
};

template <class> inline constexpr bool is_result = false;
template <class T> inline constexpr bool is_result<result<T>> = true;

} // namespace detail

/* The result of a call that has no value. It is the number that C returned, and is passed in the
 * same register. */
template <> class [[nodiscard]] result<void>
{
      public:
	using value_type = void;
	using error_type = tactus::error;

	constexpr result() noexcept = default;
	constexpr result(tactus::error code) noexcept : code_(-static_cast<int>(code))
	{
	}
	static constexpr result from_c(int returned) noexcept
	{
		result made;

		made.code_ = returned;
		return made;
	}

	/* As a call of C returns it. */
	[[nodiscard]] constexpr int c() const noexcept
	{
		return code_;
	}
	[[nodiscard]] constexpr bool has_value() const noexcept
	{
		return code_ >= 0;
	}
	constexpr explicit operator bool() const noexcept
	{
		return has_value();
	}
	[[nodiscard]] constexpr tactus::error error() const noexcept
	{
		return has_value() ? tactus::error{} : static_cast<tactus::error>(-code_);
	}
	constexpr void value() const noexcept
	{
		if (!has_value())
			detail::stop();
	}
	constexpr void operator*() const noexcept
	{
	}
	template <class Next> constexpr auto and_then(Next &&next) const
	{
		using after = std::remove_cvref_t<std::invoke_result_t<Next>>;
		static_assert(detail::is_result<after>, "next returns a result");
		return has_value() ? std::invoke(std::forward<Next>(next)) : after(error());
	}
	template <class Change> constexpr auto transform(Change &&change) const
	{
		using after = std::remove_cv_t<std::invoke_result_t<Change>>;
		if constexpr (std::is_void_v<after>) {
			if (has_value())
				std::invoke(std::forward<Change>(change));
			return *this;
		} else {
			return has_value()
				       ? result<after>(std::invoke(std::forward<Change>(change)))
				       : result<after>(error());
		}
	}
	template <class Instead> constexpr result or_else(Instead &&instead) const
	{
		return has_value() ? *this : std::invoke(std::forward<Instead>(instead), error());
	}

	friend constexpr bool operator==(const result &one, tactus::error code) noexcept
	{
		return !one.has_value() && one.error() == code;
	}

      private:
	int code_ = 0;
};

/**
 * A value or an error. It has the members of std::expected, with these differences: the error is
 * always a tactus::error; value() of an error is a fault (a trap) and no exception; error() of a
 * value is error{}. Results of values that are trivially copyable are so themselves; others can
 * only be moved.
 * Cost: none beyond the value and the number that the C call returned.
 */
template <class T> class [[nodiscard]] result
{
	static_assert(std::is_object_v<T> && !std::is_same_v<T, tactus::error>);
	static_assert(std::is_nothrow_move_constructible_v<T>);

      public:
	using value_type = T;
	using error_type = tactus::error;

	constexpr result(T value) noexcept : stored_(0, std::move(value))
	{
	}
	constexpr result(tactus::error code) noexcept : stored_(-static_cast<int>(code))
	{
	}
	/* What a call of C returned, and the value that it has if that is not negative. */
	static constexpr result from_c(int returned, T value) noexcept
	{
		return result(detail::storage<T>(returned, std::move(value)));
	}
	/* For the other headers: fill(memory) writes the value and returns what C returned. */
	template <class Fill>
	result(detail::filled mark, const Fill &fill) noexcept : stored_(mark, fill)
	{
	}

	[[nodiscard]] constexpr bool has_value() const noexcept
	{
		return stored_.code >= 0;
	}
	constexpr explicit operator bool() const noexcept
	{
		return has_value();
	}
	[[nodiscard]] constexpr tactus::error error() const noexcept
	{
		return has_value() ? tactus::error{} : static_cast<tactus::error>(-stored_.code);
	}

	constexpr T &value() &noexcept
	{
		return has_value() ? stored_.value : (detail::stop(), stored_.value);
	}
	constexpr const T &value() const &noexcept
	{
		return has_value() ? stored_.value : (detail::stop(), stored_.value);
	}
	constexpr T &&value() &&noexcept
	{
		return std::move(value());
	}
	/* Not checked. */
	constexpr T &operator*() &noexcept
	{
		return stored_.value;
	}
	constexpr const T &operator*() const &noexcept
	{
		return stored_.value;
	}
	constexpr T &&operator*() &&noexcept
	{
		return std::move(stored_.value);
	}
	constexpr T *operator->() noexcept
	{
		return std::addressof(stored_.value);
	}
	constexpr const T *operator->() const noexcept
	{
		return std::addressof(stored_.value);
	}
	template <class U> constexpr T value_or(U &&otherwise) const &noexcept
	{
		return has_value() ? stored_.value : static_cast<T>(std::forward<U>(otherwise));
	}
	template <class U> constexpr T value_or(U &&otherwise) &&noexcept
	{
		return has_value() ? std::move(stored_.value)
				   : static_cast<T>(std::forward<U>(otherwise));
	}

	/* next(value) returns a result, which is that of the whole. */
	template <class Next> constexpr auto and_then(Next &&next) &&
	{
		using after = std::remove_cvref_t<std::invoke_result_t<Next, T &&>>;
		static_assert(detail::is_result<after>, "next returns a result");
		return has_value() ? std::invoke(std::forward<Next>(next), std::move(stored_.value))
				   : after(error());
	}
	/* change(value) returns the new value, or nothing. */
	template <class Change> constexpr auto transform(Change &&change) &&
	{
		using after = std::remove_cv_t<std::invoke_result_t<Change, T &&>>;
		if constexpr (std::is_void_v<after>) {
			if (!has_value())
				return result<void>(error());
			std::invoke(std::forward<Change>(change), std::move(stored_.value));
			return result<void>();
		} else {
			return has_value() ? result<after>(std::invoke(std::forward<Change>(change),
								       std::move(stored_.value)))
					   : result<after>(error());
		}
	}
	/* instead(error) returns the result that takes the place of an error. */
	template <class Instead> constexpr result or_else(Instead &&instead) &&
	{
		return has_value() ? std::move(*this)
				   : std::invoke(std::forward<Instead>(instead), error());
	}

	friend constexpr bool operator==(const result &one, tactus::error code) noexcept
	{
		return !one.has_value() && one.error() == code;
	}

      private:
	constexpr explicit result(detail::storage<T> stored) noexcept : stored_(std::move(stored))
	{
	}

	detail::storage<T> stored_;
};

namespace detail
{

/* Of calls that return a count. */
inline constexpr result<unsigned> count(int returned) noexcept
{
	return result<unsigned>::from_c(returned, static_cast<unsigned>(returned));
}

} // namespace detail

} // namespace v1
} // namespace tactus

#endif
