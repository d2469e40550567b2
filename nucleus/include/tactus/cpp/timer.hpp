/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Timers in C++: timer.h. */
#ifndef TACTUS_CPP_TIMER_HPP
#define TACTUS_CPP_TIMER_HPP

#include <tactus/cpp/callback.hpp>
#include <tactus/cpp/object.hpp>
#include <tactus/timer.h>
#include <tactus/timer_discard.h>

namespace tactus
{
inline namespace v1
{

/* A timer. Cost: that of the calls of C. */
class timer_ref : public detail::handle<tact_timer_t>
{
      public:
	using view = timer_ref;
	using info = tact_timer_info;
	using expiry = struct ::tact_timer_expiry; /* a function has its name, too */
	using handle::handle;

	/* first: a duration or an instant, not forever or no_wait. */
	result<void> start_once(timeout first) const
	{
		return result<void>::from_c(tact_timer_start(handle_, first.c(), 0));
	}
	/* A period of 0 or less is error::invalid_argument, as any that is too short. */
	result<void> start_periodic(timeout first, length period) const
	{
		return result<void>::from_c(
			tact_timer_start(handle_, first.c(), period.ns() ? period.ns() : 1));
	}
	result<void> stop() const
	{
		return result<void>::from_c(tact_timer_stop(handle_));
	}
	/* In the handler of a timer: for which instant it runs. */
	static result<expiry> current()
	{
		expiry now{};
		int returned;

		now.size = sizeof(now);
		returned = tact_timer_expiry(&now);
		return result<expiry>::from_c(returned, now);
	}
	result<info> inquire() const
	{
		return detail::inquire<info>(tact_timer_inquire, handle_);
	}
	result<void> check() const
	{
		return result<void>::from_c(tact_timer_inquire(handle_, nullptr));
	}

      protected:
	static int erase(tact_timer_t handle)
	{
		return tact_timer_delete(handle);
	}
};

struct timer_attributes {
	const char *name = nullptr;
	std::uint32_t cpu = any_cpu;
};

/* Owns a timer. At its end it waits for a handler that runs. */
class timer : public detail::owner<timer_ref>
{
      public:
	using attributes = timer_attributes;
	using owner::owner;

	/* handler: runs in handler context; see callback for how long it has to stay. */
	static result<timer> create(const attributes &with, callback handler)
	{
		return detail::made<timer>([&](tact_timer_t *made) {
			return tact_timer_create(with.name, handler.function(), handler.argument(),
						 detail::home(with.cpu), made);
		});
	}
	/* Delete it without waiting for its handler, whose callable has to stay until it has
	 * returned. Also in the handler. After an error the timer is still owned. */
	result<void> discard()
	{
		int returned = tact_timer_discard(this->handle_);

		if (returned >= 0)
			this->handle_ = tact_timer_t{};
		return result<void>::from_c(returned);
	}
};

} // namespace v1
} // namespace tactus

#endif
