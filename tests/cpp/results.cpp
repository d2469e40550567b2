/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Results: values and errors, what they cost, and the names of the errors. */
#include <string>
#include <system_error>

#include "check.hpp"

template <class T>
inline constexpr bool passes_in_registers = std::is_trivially_copyable_v<T> && sizeof(T) <= 16;

static_assert(passes_in_registers<result<void>> && sizeof(result<void>) == sizeof(int));
static_assert(passes_in_registers<result<unsigned>> && passes_in_registers<result<bool>>);
static_assert(passes_in_registers<result<tactus::semaphore_ref>>);
static_assert(passes_in_registers<tactus::timeout>);
static_assert(sizeof(tactus::semaphore) == sizeof(tact_sem_t));
static_assert(std::is_trivially_copyable_v<result<tact_task_info>>);
static_assert(!std::is_copy_constructible_v<result<tactus::semaphore>>);
static_assert(std::is_nothrow_move_constructible_v<result<tactus::semaphore>>);
static_assert(!std::is_default_constructible_v<result<int>>);

template <class Owner, class View>
inline constexpr bool owns =
	std::is_nothrow_move_constructible_v<Owner> &&std::is_nothrow_move_assignable_v<Owner>
		&&std::is_nothrow_default_constructible_v<Owner> &&
	!std::is_copy_constructible_v<Owner> && !std::is_copy_assignable_v<Owner> &&
	std::is_convertible_v<const Owner &, View> && !std::is_convertible_v<View, Owner> &&
	std::is_trivially_copyable_v<View>;

static_assert(owns<tactus::barrier, tactus::barrier_ref>);
static_assert(owns<tactus::buffer, tactus::buffer_ref>);
static_assert(owns<tactus::condition, tactus::condition_ref>);
static_assert(owns<tactus::device, tactus::device_ref>);
static_assert(owns<tactus::event_flags, tactus::event_flags_ref>);
static_assert(owns<tactus::heap, tactus::heap_ref>);
static_assert(owns<tactus::interrupt, tactus::interrupt_ref>);
static_assert(owns<tactus::mailbox<int>, tactus::mailbox_ref<int>>);
static_assert(owns<tactus::mutex, tactus::mutex_ref>);
static_assert(owns<tactus::pipe, tactus::pipe_ref>);
static_assert(owns<tactus::pool, tactus::pool_ref>);
static_assert(owns<tactus::port, tactus::port_ref>);
static_assert(owns<tactus::queue<int>, tactus::queue_ref<int>>);
static_assert(owns<tactus::quota, tactus::quota_ref>);
static_assert(owns<tactus::rwlock, tactus::rwlock_ref>);
static_assert(owns<tactus::semaphore, tactus::semaphore_ref>);
static_assert(owns<tactus::task, tactus::task_ref>);
static_assert(owns<tactus::timer, tactus::timer_ref>);
static_assert(owns<tactus::zqueue, tactus::zqueue_ref>);

/* No handle of one type is that of another. */
static_assert(!std::is_constructible_v<tactus::queue_ref<int>, tact_sem_t>);
static_assert(!std::is_convertible_v<tactus::semaphore, tactus::queue_ref<int>>);
static_assert(!std::is_convertible_v<tactus::queue<int>, tactus::queue_ref<long>>);

constexpr result<int> half(int of)
{
	return of % 2 ? result<int>(error::invalid_argument) : result<int>(of / 2);
}

/* In constant expressions, too. */
static_assert(half(8).and_then(half).value() == 2);
static_assert(half(6).and_then(half) == error::invalid_argument);
static_assert(half(3).value_or(7) == 7 && half(4).value_or(7) == 2);
static_assert(half(4).error() == error{} && half(3).error() == error::invalid_argument);
static_assert(*half(4).transform([](int n) { return n + 0.5; }) == 2.5);
static_assert(half(3).transform([](int n) { return n + 0.5; }) == error::invalid_argument);
static_assert(half(4).transform([](int) {}).has_value());
static_assert(*half(3).or_else([](error code) { return result<int>(static_cast<int>(code)); }) ==
	      TACT_EINVAL);
static_assert(*half(4).or_else([](error) { return result<int>(0); }) == 2);
static_assert(result<void>().and_then([] { return half(2); }).value() == 1);
static_assert(result<void>(error::timed_out).and_then([] { return half(2); }) == error::timed_out);
static_assert(result<void>(error::timed_out).or_else([](error) { return result<void>(); }));
static_assert(!result<void>(error::timed_out).transform([] {}));
static_assert(*result<void>().transform([] { return 5; }) == 5);
static_assert(result<void>::from_c(3).has_value() &&
	      result<void>::from_c(-TACT_EIDRM) == error::identifier_removed);

static_assert(!half(4).transform([](int) {}).and_then([] {
	return result<void>(error::timed_out);
}));

#define is_errc(name)                                                         \
	expect_true(static_cast<std::errc>(error::name) == std::errc::name && \
		    strcmp(tactus::name_of(error::name), "?"))

TEST_UNSTARTED(errors_are_those_of_std)
{
	is_errc(operation_not_permitted);
	is_errc(no_such_process);
	is_errc(interrupted);
	is_errc(no_such_device_or_address);
	is_errc(bad_file_descriptor);
	is_errc(resource_unavailable_try_again);
	is_errc(not_enough_memory);
	is_errc(bad_address);
	is_errc(device_or_resource_busy);
	is_errc(file_exists);
	is_errc(no_such_device);
	is_errc(invalid_argument);
	is_errc(no_space_on_device);
	is_errc(broken_pipe);
	is_errc(resource_deadlock_would_occur);
	is_errc(function_not_supported);
	is_errc(identifier_removed);
	is_errc(protocol_error);
	is_errc(value_too_large);
	is_errc(message_size);
	is_errc(not_supported);
	is_errc(timed_out);
	is_errc(operation_canceled);
	is_errc(owner_dead);
	is_errc(state_not_recoverable);
	expect_str(tactus::name_of(error::changed_meanwhile), "TACT_ESTALE");
	expect_str(tactus::name_of(error{4000}), "?");
	expect_str(tactus::name_of(error::timed_out), "TACT_ETIMEDOUT");
}

/* Counts what lives. */
struct counted {
	static inline int living;

	explicit counted(int with) noexcept : number(with)
	{
		living++;
	}
	counted(counted &&other) noexcept : number(std::exchange(other.number, 0))
	{
		living++;
	}
	counted &operator=(counted &&) noexcept = default;
	~counted()
	{
		living--;
	}
	int number;
};

TEST_UNSTARTED(values_that_are_not_trivial_live_once)
{
	{
		result<counted> one(counted(1));
		result<counted> none(error::timed_out);
		result<counted> two(std::move(one));

		expect_eq(counted::living, 2);
		expect_eq(two->number, 1);
		expect_eq(one->number, 0);
		none = std::move(two);
		expect_eq(counted::living, 3);
		expect_eq(none->number, 1);
		none = result<counted>(error::interrupted);
		expect_eq(counted::living, 2);
		expect_bad(none, error::interrupted);
		none = result<counted>(counted(5));
		expect_eq(std::move(none).value_or(counted(6)).number, 5);
		expect_eq(result<counted>(error::timed_out).value_or(counted(6)).number, 6);
		expect_eq(std::move(none).transform([](counted) {}).has_value(), 1);
	}
	expect_eq(counted::living, 0);
}

TEST_UNSTARTED(owning_types_are_values)
{
	result<std::string> text(std::string(100, 'x'));
	auto longer = std::move(text).transform([](std::string &&old) { return old + "y"; });

	expect_eq(longer->size(), 101);
	expect_eq((*longer)[100], 'y');
}

static void take_the_value_of_an_error()
{
	result<int>(error::timed_out).value();
}

TEST(value_of_an_error_is_a_fault)
{
	capture_reports();
	auto task = good(tactus::task::spawn({.name = "careless"}, take_the_value_of_an_error));

	expect_true(good(task.join()) == tactus::ending::faulted);
	expect_report("careless");
}
