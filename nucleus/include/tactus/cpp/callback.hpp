/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What tasks, timers and interrupts call. Nothing is allocated for it.
 */
#ifndef TACTUS_CPP_CALLBACK_HPP
#define TACTUS_CPP_CALLBACK_HPP

#include <cstddef>
#include <functional>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

namespace tactus
{
inline namespace v1
{

/**
 * A function without arguments and without a result, by one of these:
 *
 *   a named callable    auto body = [&] { … }; it is called where it is, so it has to stay until
 * the task has ended, or the timer or interrupt is deleted a small temporary   [this] { … }: it is
 * copied if it fits into a pointer and its copy is that of its bytes; a larger one is refused by
 * the compiler: give it a name a function          void body() function, argument  as in C
 *
 * A callable of a timer or interrupt runs in handler context, where it may not wait. An exception
 * that leaves it ends the program.
 * Cost: a call through a pointer, as in C.
 */
class callback
{
      public:
	using function_type = void (*)(void *);

	constexpr callback(function_type calls, void *with) noexcept
	    : function_(calls), argument_(with)
	{
	}
	template <class Callable>
	requires(!std::is_same_v<std::remove_cvref_t<Callable>, callback> &&
		 std::is_invocable_v<Callable &>) callback(Callable &&callable)
	noexcept
	{
		using target = std::remove_reference_t<Callable>;
		static_assert(std::is_void_v<std::invoke_result_t<Callable &>>,
			      "what it returned would be lost");
		if constexpr (std::is_function_v<target>) {
			store(&callable);
		} else if constexpr (std::is_lvalue_reference_v<Callable>) {
			function_ = [](void *at) { (*static_cast<target *>(at))(); };
			argument_ = const_cast<void *>(
				static_cast<const void *>(std::addressof(callable)));
		} else {
			store(callable);
		}
	}

	[[nodiscard]] constexpr function_type function() const noexcept
	{
		return function_;
	}
	[[nodiscard]] constexpr void *argument() const noexcept
	{
		return argument_;
	}

      private:
	template <class Callable> void store(const Callable &callable) noexcept
	{
		static_assert(
			sizeof(Callable) <= sizeof(void *) &&
				alignof(Callable) <= alignof(void *) &&
				std::is_trivially_copyable_v<Callable>,
			"a temporary that does not fit into a pointer: give it a name, and keep "
			"it until the end");
		__builtin_memcpy(&argument_, std::addressof(callable), sizeof(Callable));
		function_ = [](void *held) {
			alignas(Callable) std::byte bytes[sizeof(Callable)];

			__builtin_memcpy(bytes, &held, sizeof(Callable));
			(*std::launder(reinterpret_cast<Callable *>(bytes)))();
		};
	}

	function_type function_ = nullptr;
	void *argument_ = nullptr;
};

} // namespace v1
} // namespace tactus

#endif
