/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Mutexes, reader-writer locks and conditions in C++: mutex.h, rwlock.h and cond.h.
 *
 * A lock has two interfaces. acquire() and release() return a result, as the calls of C do.
 * lock(), try_lock(), unlock() and their variants are those that std::unique_lock, std::scoped_lock
 * and std::shared_lock call, and have no result:
 *
 *   lock()                goes on waiting after error::interrupted and error::operation_canceled
 *   try_lock…()           false if the lock is owned, or did not become free in time
 *   unlock()              does nothing if the lock was deleted meanwhile
 *
 * Where std:: would throw, they stop: a trap, which is a fault of the task with a report. This is
 * so if the lock was deleted before, if the wait would close a circle, if the caller is no task,
 * and if the last owner ended while it owned the lock (error::owner_dead). A program that repairs
 * what its lock protects, or deletes locks in use, calls acquire().
 */
#ifndef TACTUS_CPP_LOCK_HPP
#define TACTUS_CPP_LOCK_HPP

#include <concepts>

#include <tactus/cond.h>
#include <tactus/cpp/object.hpp>
#include <tactus/mutex.h>
#include <tactus/safe.h>
#include <tactus/rwlock.h>

namespace tactus
{
inline namespace v1
{

namespace detail
{

template <class Acquire> void lock(const Acquire &acquire)
{
	result<void> locked;

	do {
		locked = acquire();
	} while (locked == error::interrupted || locked == error::operation_canceled);
	locked.value();
}

/* The caller owns it already, no one gave it back in time, or it is owned now. */
inline bool tried(result<void> locked)
{
	if (locked == error::resource_unavailable_try_again || locked == error::timed_out ||
	    locked == error::resource_deadlock_would_occur || locked == error::interrupted ||
	    locked == error::operation_canceled)
		return false;
	locked.value();
	return true;
}

inline void unlocked(result<void> released)
{
	if (!(released == error::identifier_removed))
		released.value();
}

/* TimedLockable over acquire() and release() of Ref, which derives from it. */
template <class Ref, class Handle> class lockable : public handle<Handle>
{
      public:
	using handle<Handle>::handle;

	void lock() const
	{
		detail::lock([this] { return self().acquire(); });
	}
	[[nodiscard]] bool try_lock() const
	{
		return tried(self().acquire(no_wait));
	}
	template <class Rep, class Period>
	[[nodiscard]] bool try_lock_for(const std::chrono::duration<Rep, Period> &duration) const
	{
		return tried(self().acquire(duration));
	}
	template <class Clock, class Duration>
	[[nodiscard]] bool try_lock_until(
		const std::chrono::time_point<Clock, Duration> &instant) const
	{
		return tried(self().acquire(instant));
	}
	void unlock() const
	{
		unlocked(self().release());
	}

      private:
	const Ref &self() const
	{
		return static_cast<const Ref &>(*this);
	}
};

} // namespace detail

/* A mutex, mutex.h: Lockable and TimedLockable. Cost: that of the calls of C, and a comparison of
 * the result where there is none. */
class mutex_ref : public detail::lockable<mutex_ref, tact_mutex_t>
{
      public:
	using view = mutex_ref;
	using info = tact_mutex_info;
	using lockable::lockable;

	/* After error::owner_dead the caller owns the mutex, too. */
	result<void> acquire(timeout until = forever) const
	{
		return result<void>::from_c(tact_mutex_lock(handle_, until.c()));
	}
	result<void> release() const
	{
		return result<void>::from_c(tact_mutex_unlock(handle_));
	}
	result<void> consistent() const
	{
		return result<void>::from_c(tact_mutex_consistent(handle_));
	}
	/* The old ceiling. */
	result<std::uint32_t> set_ceiling(std::uint32_t ceiling) const
	{
		std::uint32_t old = 0;
		int returned = tact_mutex_set_ceiling(handle_, ceiling, &old);

		return result<std::uint32_t>::from_c(returned, old);
	}

	result<info> inquire() const
	{
		return detail::inquire<info>(tact_mutex_inquire, handle_);
	}
	result<void> check() const
	{
		return result<void>::from_c(tact_mutex_inquire(handle_, nullptr));
	}

      protected:
	static int erase(tact_mutex_t handle)
	{
		return tact_mutex_delete(handle);
	}
};

/* What a mutex does to the priority of its owner. */
enum class protocol : std::uint32_t {
	inheritance = 0,
	ceiling = TACT_MUTEX_CEILING,
	none = TACT_MUTEX_PLAIN,
};

struct mutex_attributes {
	const char *name = nullptr;
	protocol against_inversion = protocol::inheritance;
	std::uint32_t ceiling = 0; /* with protocol::ceiling */
	bool recursive = false;
	queueing order = queueing::fifo;
	std::uint32_t cpu = any_cpu;
	bool safe = false; /* TACT_MUTEX_SAFE: safe.h */
};

/* Owns a mutex: the object, not its lock. */
class mutex : public detail::owner<mutex_ref>
{
      public:
	using attributes = mutex_attributes;
	using owner::owner;

	static result<mutex> create(const attributes &with = {})
	{
		return detail::made<mutex>([&](tact_mutex_t *made) {
			return tact_mutex_create(
				with.name,
				detail::flags(with.order, with.cpu) |
					static_cast<std::uint32_t>(with.against_inversion) |
					detail::when(with.recursive, TACT_MUTEX_RECURSIVE) |
					detail::when(with.safe, TACT_MUTEX_SAFE),
				with.ceiling, made);
		});
	}
};

/* A reader-writer lock, rwlock.h: as std::shared_timed_mutex. Cost: as mutex_ref. */
class rwlock_ref : public detail::lockable<rwlock_ref, tact_rwlock_t>
{
      public:
	using view = rwlock_ref;
	using info = tact_rwlock_info;
	using lockable::lockable;

	/* For writing, and for reading. After error::owner_dead the caller owns the lock, too. */
	result<void> acquire(timeout until = forever) const
	{
		return result<void>::from_c(tact_rwlock_write(handle_, until.c()));
	}
	result<void> acquire_shared(timeout until = forever) const
	{
		return result<void>::from_c(tact_rwlock_read(handle_, until.c()));
	}
	result<void> release() const
	{
		return result<void>::from_c(tact_rwlock_unlock(handle_));
	}
	result<void> consistent() const
	{
		return result<void>::from_c(tact_rwlock_consistent(handle_));
	}

	void lock_shared() const
	{
		detail::lock([this] { return acquire_shared(); });
	}
	[[nodiscard]] bool try_lock_shared() const
	{
		return detail::tried(acquire_shared(no_wait));
	}
	template <class Rep, class Period>
	[[nodiscard]] bool try_lock_shared_for(
		const std::chrono::duration<Rep, Period> &duration) const
	{
		return detail::tried(acquire_shared(duration));
	}
	template <class Clock, class Duration>
	[[nodiscard]] bool try_lock_shared_until(
		const std::chrono::time_point<Clock, Duration> &instant) const
	{
		return detail::tried(acquire_shared(instant));
	}
	void unlock_shared() const
	{
		unlock();
	}

	result<info> inquire() const
	{
		return detail::inquire<info>(tact_rwlock_inquire, handle_);
	}
	result<void> check() const
	{
		return result<void>::from_c(tact_rwlock_inquire(handle_, nullptr));
	}

      protected:
	static int erase(tact_rwlock_t handle)
	{
		return tact_rwlock_delete(handle);
	}
};

/* Which goes first if readers and writers wait. */
enum class preference : std::uint32_t {
	writers = 0,
	readers = TACT_RWLOCK_READERS,
	fair = TACT_RWLOCK_FAIR,
};

struct rwlock_attributes {
	const char *name = nullptr;
	std::uint32_t readers = 1; /* that may own it at a time */
	preference prefer = preference::writers;
	queueing order = queueing::fifo;
	std::uint32_t cpu = any_cpu;
};

/* Owns a reader-writer lock: the object, not its lock. */
class rwlock : public detail::owner<rwlock_ref>
{
      public:
	using attributes = rwlock_attributes;
	using owner::owner;

	static result<rwlock> create(const attributes &with)
	{
		return detail::made<rwlock>([&](tact_rwlock_t *made) {
			return tact_rwlock_create(with.name, with.readers,
						  detail::flags(with.order, with.cpu) |
							  static_cast<std::uint32_t>(with.prefer),
						  made);
		});
	}
};

/* A guard of a mutex, as std::unique_lock<mutex>. */
template <class Guard>
concept mutex_guard = requires(Guard &guard)
{
	{
		*guard.mutex()
		} -> std::convertible_to<mutex_ref>;
	guard.release();
};

/* A condition, cond.h. Cost: that of the calls of C. */
class condition_ref : public detail::handle<tact_cond_t>
{
      public:
	using view = condition_ref;
	using info = tact_cond_info;
	using handle::handle;

	result<void> wait(mutex_ref held, timeout until = forever) const
	{
		return result<void>::from_c(tact_cond_wait(handle_, held.c(), until.c()));
	}
	/* If the mutex is not the caller's any more (cond.h), the guard has released it. */
	template <mutex_guard Guard> result<void> wait(Guard &guard, timeout until = forever) const
	{
		const result<void> waited = wait(mutex_ref(*guard.mutex()), until);

		if (waited == error::state_not_recoverable ||
		    waited == error::resource_deadlock_would_occur)
			guard.release();
		return waited;
	}
	/* Wait until true() is so, however often that takes. An error is returned with true()
	 * still false; a timeout is for the whole. */
	template <mutex_guard Guard, std::predicate Predicate>
	result<void> wait(Guard &guard, timeout until, Predicate holds) const
	{
		const timeout end = until.fixed();
		result<void> waited;

		while (waited && !holds())
			waited = wait(guard, end);
		if (waited == error::timed_out && holds())
			return {};
		return waited;
	}
	template <mutex_guard Guard, std::predicate Predicate>
	result<void> wait(Guard &guard, Predicate holds) const
	{
		return wait(guard, forever, std::move(holds));
	}
	result<void> signal() const
	{
		return result<void>::from_c(tact_cond_signal(handle_));
	}
	/* How many callers were released. */
	result<unsigned> broadcast() const
	{
		return detail::count(tact_cond_broadcast(handle_));
	}
	result<info> inquire() const
	{
		return detail::inquire<info>(tact_cond_inquire, handle_);
	}
	result<void> check() const
	{
		return result<void>::from_c(tact_cond_inquire(handle_, nullptr));
	}

      protected:
	static int erase(tact_cond_t handle)
	{
		return tact_cond_delete(handle);
	}
};

struct condition_attributes {
	const char *name = nullptr;
	queueing order = queueing::fifo;
	std::uint32_t cpu = any_cpu; /* that of the mutexes */
};

/* Owns a condition. */
class condition : public detail::owner<condition_ref>
{
      public:
	using attributes = condition_attributes;
	using owner::owner;

	static result<condition> create(const attributes &with = {})
	{
		return detail::made<condition>([&](tact_cond_t *made) {
			return tact_cond_create(with.name, detail::flags(with.order, with.cpu),
						made);
		});
	}
};

} // namespace v1
} // namespace tactus

#endif
