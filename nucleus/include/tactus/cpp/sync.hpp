/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Semaphores, event flags and barriers in C++. The calls are those of sem.h, event.h, event_rule.h
 * and barrier.h, which say what they return, from where they may be called and what they cost.
 */
#ifndef TACTUS_CPP_SYNC_HPP
#define TACTUS_CPP_SYNC_HPP

#include <tactus/barrier.h>
#include <tactus/cpp/object.hpp>
#include <tactus/event_rule.h>
#include <tactus/sem.h>

namespace tactus
{
inline namespace v1
{

/* A semaphore, sem.h. Cost: that of the calls of C; post() and wait() add no instruction. */
class semaphore_ref : public detail::handle<tact_sem_t>
{
      public:
	using view = semaphore_ref;
	using info = tact_sem_info;
	using handle::handle;

	result<void> post() const
	{
		return result<void>::from_c(tact_sem_post(handle_));
	}
	result<void> wait(timeout until = forever) const
	{
		return result<void>::from_c(tact_sem_wait(handle_, until.c()));
	}
	/* Take a unit that is there; false also after an error. */
	[[nodiscard]] bool try_wait() const
	{
		return tact_sem_wait(handle_, no_wait.c()) == 0;
	}
	/* How many callers were released, or broken. */
	result<unsigned> broadcast() const
	{
		return detail::count(tact_sem_broadcast(handle_));
	}
	result<unsigned> flush() const
	{
		return detail::count(tact_sem_flush(handle_));
	}
	result<void> reset(std::uint32_t value) const
	{
		return result<void>::from_c(tact_sem_reset(handle_, value));
	}
	result<info> inquire() const
	{
		return detail::inquire<info>(tact_sem_inquire, handle_);
	}
	result<void> check() const
	{
		return result<void>::from_c(tact_sem_inquire(handle_, nullptr));
	}

      protected:
	static int erase(tact_sem_t handle)
	{
		return tact_sem_delete(handle);
	}
};

struct semaphore_attributes {
	const char *name = nullptr; /* entry in the registry, copied */
	std::uint32_t initial = 0;
	std::uint32_t maximum = TACT_SEM_VALUE_MAX;
	queueing order = queueing::fifo;
	bool pulse = false; /* TACT_SEM_PULSE */
	std::uint32_t cpu = any_cpu;
};

/* Owns a semaphore. */
class semaphore : public detail::owner<semaphore_ref>
{
      public:
	using attributes = semaphore_attributes;
	using owner::owner;

	static result<semaphore> create(const attributes &with = {})
	{
		return detail::made<semaphore>([&](tact_sem_t *made) {
			return tact_sem_create(with.name, with.initial, with.maximum,
					       detail::flags(with.order, with.cpu) |
						       detail::when(with.pulse, TACT_SEM_PULSE),
					       made);
		});
	}
};

/* What event_flags_ref::wait_any() and wait_all() clear before they return. */
enum class clearing : std::uint32_t {
	none = 0,
	waited = TACT_EVENT_CONSUME, /* the bits that were waited for */
	all = TACT_EVENT_CLEAR_ALL,
};

/* Event flags, event.h. Cost: that of the calls of C. */
class event_flags_ref : public detail::handle<tact_event_t>
{
      public:
	using view = event_flags_ref;
	using info = tact_event_info;
	using handle::handle;

	/* The bits of the group at the instant that ended the wait. */
	result<std::uint64_t> wait_any(std::uint64_t bits, timeout until = forever,
				       clearing clear = clearing::none) const
	{
		return wait(bits, TACT_EVENT_ANY, until, clear);
	}
	result<std::uint64_t> wait_all(std::uint64_t bits, timeout until = forever,
				       clearing clear = clearing::none) const
	{
		return wait(bits, TACT_EVENT_ALL, until, clear);
	}
	/* The same, when the rule is met: the group is one with rules. */
	result<std::uint64_t> wait_rule(const tact_event_rule &rule, timeout until = forever) const
	{
		std::uint64_t received = 0;
		int returned = tact_event_wait_rule(handle_, &rule, until.c(), &received);

		return result<std::uint64_t>::from_c(returned, received);
	}
	/* How many callers were released, or broken. */
	result<unsigned> change(std::uint64_t set, std::uint64_t clear) const
	{
		return detail::count(tact_event_change(handle_, set, clear, nullptr));
	}
	result<unsigned> set(std::uint64_t bits) const
	{
		return detail::count(tact_event_set(handle_, bits));
	}
	result<unsigned> pulse(std::uint64_t bits) const
	{
		return detail::count(tact_event_pulse(handle_, bits));
	}
	result<unsigned> flush() const
	{
		return detail::count(tact_event_flush(handle_));
	}
	result<void> clear(std::uint64_t bits) const
	{
		return result<void>::from_c(tact_event_clear(handle_, bits, nullptr));
	}
	/* Clears, and returns the group as it was. */
	result<std::uint64_t> exchange_clear(std::uint64_t bits) const
	{
		std::uint64_t before = 0;
		int returned = tact_event_clear(handle_, bits, &before);

		return result<std::uint64_t>::from_c(returned, before);
	}
	result<info> inquire() const
	{
		return detail::inquire<info>(tact_event_inquire, handle_);
	}
	result<void> check() const
	{
		return result<void>::from_c(tact_event_inquire(handle_, nullptr));
	}

      protected:
	static int erase(tact_event_t handle)
	{
		return tact_event_delete(handle);
	}

      private:
	result<std::uint64_t> wait(std::uint64_t bits, std::uint32_t how, timeout until,
				   clearing clear) const
	{
		std::uint64_t received = 0;
		int returned =
			tact_event_wait(handle_, bits, how | static_cast<std::uint32_t>(clear),
					until.c(), &received);

		return result<std::uint64_t>::from_c(returned, received);
	}
};

struct event_flags_attributes {
	const char *name = nullptr;
	std::uint64_t initial = 0;
	queueing order = queueing::fifo;
	bool single = false; /* TACT_EVENT_SINGLE */
	bool rules = false;  /* TACT_EVENT_RULES */
	std::uint32_t cpu = any_cpu;
};

/* Owns event flags. */
class event_flags : public detail::owner<event_flags_ref>
{
      public:
	using attributes = event_flags_attributes;
	using owner::owner;

	static result<event_flags> create(const attributes &with = {})
	{
		return detail::made<event_flags>([&](tact_event_t *made) {
			return tact_event_create(
				with.name, with.initial,
				detail::flags(with.order, with.cpu) |
					detail::when(with.single, TACT_EVENT_SINGLE) |
					detail::when(with.rules, TACT_EVENT_RULES),
				made);
		});
	}
};

/* A barrier, barrier.h. Cost: that of the calls of C. */
class barrier_ref : public detail::handle<tact_barrier_t>
{
      public:
	using view = barrier_ref;
	using info = tact_barrier_info;
	using handle::handle;

	/* true to the caller that opened the barrier. */
	result<bool> wait(timeout until = forever) const
	{
		int returned = tact_barrier_wait(handle_, until.c());

		return result<bool>::from_c(returned, returned > 0);
	}
	/* How many waits were broken. */
	result<unsigned> flush() const
	{
		return detail::count(tact_barrier_flush(handle_));
	}
	result<info> inquire() const
	{
		return detail::inquire<info>(tact_barrier_inquire, handle_);
	}
	result<void> check() const
	{
		return result<void>::from_c(tact_barrier_inquire(handle_, nullptr));
	}

      protected:
	static int erase(tact_barrier_t handle)
	{
		return tact_barrier_delete(handle);
	}
};

struct barrier_attributes {
	const char *name = nullptr;
	std::uint32_t count = 0; /* callers that open it */
	queueing order = queueing::fifo;
	std::uint32_t cpu = any_cpu;
};

/* Owns a barrier. */
class barrier : public detail::owner<barrier_ref>
{
      public:
	using attributes = barrier_attributes;
	using owner::owner;

	static result<barrier> create(const attributes &with)
	{
		return detail::made<barrier>([&](tact_barrier_t *made) {
			return tact_barrier_create(with.name, with.count,
						   detail::flags(with.order, with.cpu), made);
		});
	}
};

} // namespace v1
} // namespace tactus

#endif
