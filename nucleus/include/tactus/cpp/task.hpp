/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Tasks in C++: task.h.
 *
 *     auto body = [&] { … };
 *     result<task> control = task::spawn({.name = "control", .priority = 80}, body);
 *
 * The owner of a task joins it at its end, as std::jthread does; a task that was not started is
 * deleted. spawn_detached() starts a task that is not joined.
 */
#ifndef TACTUS_CPP_TASK_HPP
#define TACTUS_CPP_TASK_HPP

#include <tactus/cpp/callback.hpp>
#include <tactus/cpp/object.hpp>
#include <tactus/cpp/sched.hpp>
#include <tactus/data.h>
#include <tactus/handler_lock.h>
#include <tactus/restart.h>
#include <tactus/routine.h>
#include <tactus/safe.h>
#include <tactus/suspension.h>
#include <tactus/task.h>

namespace tactus
{
inline namespace v1
{

/* How a task has ended. */
enum class ending {
	returned = 0,
	faulted = 1,
};

/* A task. The calling task is task_ref(TACT_SELF); the calls of a view that names no task fail with
 * bad_file_descriptor. Cost: that of the calls of C. */
class task_ref : public detail::handle<tact_task_t>
{
      public:
	using view = task_ref;
	using info = tact_task_info;
	using handle::handle;

	struct priorities {
		std::uint32_t base = 0;
		std::uint32_t effective = 0;
	};

	result<void> suspend() const
	{
		return result<void>::from_c(tact_task_suspend(handle_));
	}
	result<void> resume() const
	{
		return result<void>::from_c(tact_task_resume(handle_));
	}
	/* false: it was suspended already, and nothing has changed. */
	result<bool> suspend_once() const
	{
		int returned = tact_task_suspend_once(handle_);

		return result<bool>::from_c(returned, returned == 0);
	}
	/* The number of suspensions undone. */
	result<std::uint32_t> resume_all() const
	{
		int returned = tact_task_resume_all(handle_);

		return result<std::uint32_t>::from_c(returned,
						     static_cast<std::uint32_t>(returned));
	}
	/* code: the error of the wait that is broken. */
	result<void> unblock(error code = error::operation_canceled) const
	{
		return result<void>::from_c(tact_task_unblock(handle_, -static_cast<int>(code)));
	}
	/* flags: 0 or TACT_PRIORITY_AHEAD. */
	result<void> set_priority(std::uint32_t priority, std::uint32_t flags = 0) const
	{
		return result<void>::from_c(
			tact_task_set_priority(handle_, priority, flags, nullptr));
	}
	result<priorities> priority() const
	{
		priorities now;
		int returned = tact_task_get_priority(handle_, &now.base, &now.effective);

		return result<priorities>::from_c(returned, now);
	}
	result<void> set_scheduling(const scheduling &with) const
	{
		return result<void>::from_c(tact_task_set_sched(handle_, &with.c()));
	}
	result<tact_sched_param> get_scheduling() const
	{
		return detail::inquire<tact_sched_param>(tact_task_get_sched, handle_);
	}
	result<void> set_quantum(length quantum) const
	{
		return result<void>::from_c(tact_task_set_quantum(handle_, quantum.ns()));
	}
	/* A period of 0 or less is error::invalid_argument, as any that is too short. Without an
	 * instant the first release is one period from now. */
	result<void> set_periodic(length period) const
	{
		return periodic(tact_time_t{0}, period);
	}
	result<void> set_periodic(length period, clock::time_point first) const
	{
		return periodic(detail::some(first), period);
	}
	result<void> set_aperiodic() const
	{
		return result<void>::from_c(tact_task_set_periodic(handle_, tact_time_t{0}, 0));
	}
	result<void> migrate(std::uint32_t cpu) const
	{
		return result<void>::from_c(tact_task_migrate(handle_, cpu));
	}
	/* TACT_TASK_NO_LINUX, TACT_TASK_WARN, TACT_TASK_SIGNAL. */
	result<void> set_flags(std::uint32_t set, std::uint32_t clear) const
	{
		return result<void>::from_c(tact_task_set_flags(handle_, set, clear));
	}
	/* The task's word: data.h. */
	result<void> set_data(std::uint64_t data) const
	{
		return result<void>::from_c(tact_task_set_data(handle_, data));
	}
	result<std::uint64_t> data() const
	{
		std::uint64_t now = 0;
		int returned = tact_task_get_data(handle_, &now);

		return result<std::uint64_t>::from_c(returned, now);
	}
	/* function: runs in handler context when the task has ended; nullptr: none. Without
	 * captures: it has the task's word. */
	result<void> on_end(void (*function)(tact_task_t task, std::uint64_t data,
					     std::uint32_t faulted)) const
	{
		return result<void>::from_c(tact_task_on_end(handle_, function));
	}
	/* The entry is called anew, with this argument. Local objects are not destroyed. */
	result<void> restart(void *argument) const
	{
		return result<void>::from_c(tact_task_restart(handle_, argument));
	}
	/* run gets the requests; masked and at_switch as in struct tact_routine. */
	result<void> set_routine(void (*run)(std::uint64_t requests, void *argument),
				 void *argument = nullptr, std::uint64_t masked = 0,
				 std::uint64_t at_switch = 0) const
	{
		const tact_routine routine = {sizeof(routine), 0, run, argument, masked, at_switch};

		return result<void>::from_c(tact_task_set_routine(handle_, &routine));
	}
	result<void> remove_routine() const
	{
		return result<void>::from_c(tact_task_set_routine(handle_, nullptr));
	}
	result<void> request(std::uint64_t requests) const
	{
		return result<void>::from_c(tact_task_request(handle_, requests));
	}
	result<tact_routine_info> inquire_routine() const
	{
		return detail::inquire<tact_routine_info>(tact_task_inquire_routine, handle_);
	}
	result<info> inquire() const
	{
		return detail::inquire<info>(tact_task_inquire, handle_);
	}
	result<void> check() const
	{
		return result<void>::from_c(tact_task_inquire(handle_, nullptr));
	}

      private:
	result<void> periodic(tact_time_t first, length period) const
	{
		return result<void>::from_c(
			tact_task_set_periodic(handle_, first, period.ns() ? period.ns() : 1));
	}
};

struct task_attributes {
	const char *name = nullptr;
	std::uint32_t priority = 1;
	bool light = false;     /* TACT_TASK_LIGHT */
	bool suspended = false; /* TACT_TASK_SUSPENDED */
	bool no_linux = false;  /* TACT_TASK_NO_LINUX */
	bool warn = false;      /* TACT_TASK_WARN */
	bool signal = false;    /* TACT_TASK_SIGNAL */
	std::size_t stack_bytes = 0;
	scheduling sched = {};
	std::uint32_t cpu = any_cpu;
};

namespace detail
{

/* sched has to stay as long as what it returns is used. */
inline tact_task_attr to_c(const task_attributes &with, std::uint32_t more)
{
	tact_task_attr made{};

	made.size = sizeof(made);
	made.name = with.name;
	made.priority = with.priority;
	made.flags = home(with.cpu) | when(with.light, TACT_TASK_LIGHT) |
		     when(with.suspended, TACT_TASK_SUSPENDED) |
		     when(with.no_linux, TACT_TASK_NO_LINUX) | when(with.warn, TACT_TASK_WARN) |
		     when(with.signal, TACT_TASK_SIGNAL) | more;
	made.stack_bytes = with.stack_bytes;
	made.sched = &with.sched.c();
	return made;
}

} // namespace detail

/* Owns a task and joins it. Cost: that of the calls of C, and a byte that says whether it was
 * started. */
class task : public task_ref
{
      public:
	using attributes = task_attributes;

	constexpr task() noexcept = default;
	/* Own a task that was created otherwise. */
	constexpr task(tact_task_t from, bool started) noexcept : task_ref(from), started_(started)
	{
	}
	constexpr task(task &&other) noexcept
	    : task_ref(std::exchange(other.handle_, tact_task_t{})), started_(other.started_)
	{
	}
	task &operator=(task &&other) noexcept
	{
		task next(std::move(other));

		std::swap(handle_, next.handle_);
		std::swap(started_, next.started_);
		return *this;
	}
	/* Waits for the end of the task, also if the wait is broken meanwhile. */
	~task()
	{
		if (*this && started_) {
			int returned;

			do {
				returned = tact_task_join(handle_, forever.c());
			} while (returned == -TACT_EINTR || returned == -TACT_ECANCELED);
		} else if (*this) {
			(void)tact_task_delete(handle_);
		}
	}

	/* Create a task that does not run yet. */
	static result<task> create(const attributes &with = {})
	{
		const tact_task_attr attr = detail::to_c(with, 0);
		tact_task_t made{};
		int returned = tact_task_create(&attr, &made);

		return result<task>::from_c(returned, task(made, false));
	}
	/* body: see callback for how long it has to stay. */
	result<void> start(callback body)
	{
		/* It may have ended when the call returns. */
		int returned = tact_task_start(handle_, body.function(), body.argument());

		started_ = started_ || returned >= 0;
		return result<void>::from_c(returned);
	}
	static result<task> spawn(const attributes &with, callback body)
	{
		const tact_task_attr attr = detail::to_c(with, 0);
		tact_task_t made{};
		int returned = tact_task_spawn(&attr, body.function(), body.argument(), &made);

		return result<task>::from_c(returned, task(made, true));
	}
	/* The handle becomes invalid when the task ends. */
	static result<task_ref> spawn_detached(const attributes &with, callback body)
	{
		const tact_task_attr attr = detail::to_c(with, TACT_TASK_NO_JOIN);
		tact_task_t made{};
		int returned = tact_task_spawn(&attr, body.function(), body.argument(), &made);

		return result<task_ref>::from_c(returned, task_ref(made));
	}

	/* After an error the task is still owned. */
	result<ending> join(timeout until = forever)
	{
		int returned = tact_task_join(handle_, until.c());

		if (returned >= 0)
			handle_ = tact_task_t{};
		return result<ending>::from_c(returned,
					      returned > 0 ? ending::faulted : ending::returned);
	}
	/* End it now: tact_task_delete(). Its callable and what its stack holds is not destroyed.
	 */
	result<void> destroy()
	{
		/* TACT_SELF is not what an empty owner means. */
		int returned = *this ? tact_task_delete(handle_) : -TACT_EBADF;

		if (returned >= 0)
			handle_ = tact_task_t{};
		return result<void>::from_c(returned);
	}
	/* The same when nothing protects the task: tact_task_delete_unsafe(). After an error the
	 * task is still owned; it is joined no more if the order stays, and goes by itself. */
	result<void> destroy_unsafe(timeout until = forever)
	{
		int returned = *this ? tact_task_delete_unsafe(handle_, until.c()) : -TACT_EBADF;

		if (returned >= 0)
			handle_ = tact_task_t{};
		return result<void>::from_c(returned);
	}
	friend task_ref release(task &&from) noexcept
	{
		return task_ref(std::exchange(from.handle_, tact_task_t{}));
	}

      private:
	bool started_ = false;
};

enum class mode {
	none = TACT_MODE_NONE, /* not a task */
	primary = TACT_MODE_PRIMARY,
	secondary = TACT_MODE_SECONDARY,
	handler = TACT_MODE_HANDLER,
};

/* The calling task, as std::this_thread. Cost: that of the calls of C. */
namespace this_task
{

/* A release of a periodic task. */
struct release {
	clock::time_point instant; /* with missed releases: the last of them */
	std::uint64_t missed = 0;  /* since the release before */
};

/* false if the caller is no task. */
[[nodiscard]] inline task_ref self()
{
	return task_ref(tact_task_self());
}
[[nodiscard]] inline tactus::mode mode()
{
	return static_cast<tactus::mode>(tact_mode());
}
/* 0 if it was not set, or if the caller is no task. */
[[nodiscard]] inline std::uint64_t data()
{
	return tact_task_data();
}
inline result<void> set_data(std::uint64_t data)
{
	return task_ref(TACT_SELF).set_data(data);
}
inline result<void> yield()
{
	return result<void>::from_c(tact_task_yield());
}
/* A duration of 0 or less yields. */
inline result<void> sleep_for(length duration)
{
	return result<void>::from_c(tact_task_sleep(duration.ns()));
}
/* An instant of clock or wall_clock. */
inline result<void> sleep_until(timeout until)
{
	return result<void>::from_c(tact_task_sleep_until(until.c()));
}
inline result<void> set_periodic(length period)
{
	return task_ref(TACT_SELF).set_periodic(period);
}
inline result<void> set_periodic(length period, clock::time_point first)
{
	return task_ref(TACT_SELF).set_periodic(period, first);
}
/* Missed releases are no error here, as in C, but told in the release. */
inline result<release> wait_period()
{
	std::uint64_t missed = 0;
	tact_time_t instant{};
	int returned = tact_task_wait_period(&missed, &instant);

	/* Without them, it is the code of tact_task_unblock(). */
	if (returned == -TACT_ETIMEDOUT && missed)
		returned = 0;
	else
		missed = 0;
	return result<release>::from_c(returned, release{clock::from_c(instant), missed});
}
inline result<void> relax()
{
	return result<void>::from_c(tact_task_relax());
}
inline result<void> harden()
{
	return result<void>::from_c(tact_task_harden());
}
inline result<void> lock_scheduler()
{
	return result<void>::from_c(tact_task_lock_scheduler());
}
inline result<void> unlock_scheduler()
{
	return result<void>::from_c(tact_task_unlock_scheduler());
}
/* Protect the calling task from destroy_unsafe() and restart(), counted. */
inline result<void> safe()
{
	return result<void>::from_c(tact_task_safe());
}
/* If the end of the task was ordered meanwhile, it ends here. */
inline result<void> unsafe()
{
	return result<void>::from_c(tact_task_unsafe());
}
/* The number of handler locks before: for restore_handlers(). */
inline result<std::uint32_t> lock_handlers()
{
	int returned = tact_task_lock_handlers();

	return result<std::uint32_t>::from_c(returned, static_cast<std::uint32_t>(returned));
}
inline result<void> restore_handlers(std::uint32_t locks)
{
	return result<void>::from_c(tact_task_restore_handlers(locks));
}
/* The mask as it was. What is in both is not masked any more. */
inline result<std::uint64_t> mask_requests(std::uint64_t set, std::uint64_t clear)
{
	std::uint64_t former = 0;
	int returned = tact_task_mask_requests(set, clear, &former);

	return result<std::uint64_t>::from_c(returned, former);
}
/* Local objects are not destroyed: return from the callable instead where that is possible. */
[[noreturn]] inline void exit()
{
	tact_task_exit();
}

} // namespace this_task

/* The time for which a thread of Linux is a task: it is detached at the end, by the same thread.
 * Cost: that of the calls of C. */
class attachment
{
      public:
	constexpr attachment() noexcept = default;
	constexpr attachment(attachment &&other) noexcept
	    : task_(std::exchange(other.task_, task_ref()))
	{
	}
	attachment &operator=(attachment &&other) noexcept
	{
		attachment next(std::move(other));

		std::swap(task_, next.task_);
		return *this;
	}
	~attachment()
	{
		if (task_)
			(void)tact_task_detach();
	}
	/* with: not light, not suspended. */
	static result<attachment> attach(const task_attributes &with = {})
	{
		const tact_task_attr attr = detail::to_c(with, 0);
		tact_task_t made{};
		int returned = tact_task_attach(&attr, &made);

		return result<attachment>::from_c(returned, attachment(task_ref(made)));
	}
	/* After an error the thread is still a task. */
	result<void> detach()
	{
		int returned = tact_task_detach();

		if (returned >= 0)
			task_ = task_ref();
		return result<void>::from_c(returned);
	}
	[[nodiscard]] constexpr task_ref task() const noexcept
	{
		return task_;
	}

      private:
	constexpr explicit attachment(task_ref made) noexcept : task_(made)
	{
	}

	task_ref task_;
};

} // namespace v1
} // namespace tactus

#endif
