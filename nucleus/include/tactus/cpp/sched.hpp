/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Scheduling classes in C++: sched.h, quota.h and partition.h. Each class is a structure that has
 * the parameters of this class and no others.
 */
#ifndef TACTUS_CPP_SCHED_HPP
#define TACTUS_CPP_SCHED_HPP

#include <tactus/cpp/object.hpp>
#include <tactus/cpp/sync.hpp>
#include <tactus/partition.h>
#include <tactus/quota.h>
#include <tactus/sched.h>
#include <tactus/turn.h>

namespace tactus
{
inline namespace v1
{

/* A quota group, quota.h. Cost: that of the calls of C. */
class quota_ref : public detail::handle<tact_quota_t>
{
      public:
	using view = quota_ref;
	using info = tact_quota_info;
	using handle::handle;

	/* peak: 0 is the quota. */
	result<void> set(length interval, length quota, length peak = {}) const
	{
		return result<void>::from_c(
			tact_quota_set(handle_, interval.ns(), quota.ns(), peak.ns()));
	}
	result<info> inquire() const
	{
		return detail::inquire<info>(tact_quota_inquire, handle_);
	}
	result<void> check() const
	{
		return result<void>::from_c(tact_quota_inquire(handle_, nullptr));
	}

      protected:
	static int erase(tact_quota_t handle)
	{
		return tact_quota_delete(handle);
	}
};

struct quota_attributes {
	const char *name = nullptr;
	length interval = {};
	length quota = {};
	length peak = {}; /* 0: the quota */
	std::uint32_t cpu = any_cpu;
};

/* Owns a quota group, which can be deleted when it has no tasks: they end before it. */
class quota : public detail::owner<quota_ref>
{
      public:
	using attributes = quota_attributes;
	using owner::owner;

	static result<quota> create(const attributes &with)
	{
		return detail::made<tactus::quota>([&](tact_quota_t *made) {
			return tact_quota_create(with.name, with.interval.ns(), with.quota.ns(),
						 with.peak.ns(), detail::home(with.cpu), made);
		});
	}
};

namespace sched
{

struct fifo {
};
struct round_robin {
	length quantum = {};
};
struct edf {
	length deadline = {};
};
struct sporadic {
	length budget = {};
	length replenish = {};
	std::uint32_t low_priority = 1;
	std::uint16_t replenish_max = 0; /* 0: 8 */
};
struct partition {
	std::uint16_t number = 0;
};
struct quota {
	quota_ref group = {};
};
struct weak {
};
struct cbs {
	length budget = {};
	length deadline = {};
	length period = {};
	semaphore_ref overrun = {}; /* posted when the budget is used up */
};

} // namespace sched

/* The class of a task and its parameters, from any structure of sched. */
class scheduling
{
      public:
	constexpr scheduling() noexcept : scheduling(sched::fifo{})
	{
	}
	constexpr explicit scheduling(const tact_sched_param &from) noexcept : param_(from)
	{
	}
	constexpr scheduling(sched::fifo) noexcept : param_(of(TACT_SCHED_FIFO))
	{
	}
	constexpr scheduling(const sched::round_robin &with) noexcept : param_(of(TACT_SCHED_RR))
	{
		param_.quantum_ns = with.quantum.ns();
	}
	constexpr scheduling(const sched::edf &with) noexcept : param_(of(TACT_SCHED_EDF))
	{
		param_.deadline_ns = with.deadline.ns();
	}
	constexpr scheduling(const sched::sporadic &with) noexcept : param_(of(TACT_SCHED_SPORADIC))
	{
		param_.budget_ns = with.budget.ns();
		param_.replenish_ns = with.replenish.ns();
		param_.low_priority = with.low_priority;
		param_.replenish_max = with.replenish_max;
	}
	constexpr scheduling(const sched::partition &with) noexcept
	    : param_(of(TACT_SCHED_PARTITION))
	{
		param_.partition = with.number;
	}
	constexpr scheduling(const sched::quota &with) noexcept : param_(of(TACT_SCHED_QUOTA))
	{
		param_.quota_group = with.group.c();
	}
	constexpr scheduling(sched::weak) noexcept : param_(of(TACT_SCHED_WEAK))
	{
	}
	constexpr scheduling(const sched::cbs &with) noexcept : param_(of(TACT_SCHED_CBS))
	{
		param_.budget_ns = with.budget.ns();
		param_.deadline_ns = with.deadline.ns();
		param_.replenish_ns = with.period.ns();
		param_.overrun_sem = with.overrun.c();
	}
	[[nodiscard]] constexpr const tact_sched_param &c() const noexcept
	{
		return param_;
	}

      private:
	static constexpr tact_sched_param of(tact_sched_class which) noexcept
	{
		tact_sched_param made{};

		made.size = sizeof(made);
		made.sched_class = which;
		return made;
	}

	tact_sched_param param_;
};

namespace sched
{

using limits = struct ::tact_sched_limits; /* a function has its name, too */

inline result<limits> inquire_limits()
{
	limits now{};
	int returned;

	now.size = sizeof(now);
	returned = tact_sched_limits(&now);
	return result<limits>::from_c(returned, now);
}
/* The first ready task of a priority goes behind its equals. */
inline result<void> rotate(std::uint32_t priority, std::uint32_t cpu = any_cpu)
{
	return result<void>::from_c(tact_sched_rotate(cpu, priority));
}

} // namespace sched

/* The schedule of time partitions of a real-time CPU, partition.h. Cost: that of the calls of C. */
class partition_schedule
{
      public:
	using info = tact_partition_info;
	using window = tact_partition_window;

	constexpr explicit partition_schedule(std::uint32_t cpu) noexcept : cpu_(cpu)
	{
	}
	result<void> set(std::span<const window> windows, length frame) const
	{
		/* Any number above the most is refused alike. */
		const auto count = static_cast<std::uint32_t>(
			windows.size() > UINT32_MAX ? UINT32_MAX : windows.size());

		return result<void>::from_c(
			tact_partition_set(cpu_, windows.data(), count, frame.ns()));
	}
	result<void> start() const
	{
		return result<void>::from_c(tact_partition_start(cpu_, tact_time_t{0}));
	}
	result<void> start(clock::time_point at) const
	{
		return result<void>::from_c(tact_partition_start(cpu_, detail::some(at)));
	}
	result<void> stop() const
	{
		return result<void>::from_c(tact_partition_stop(cpu_));
	}
	result<info> inquire() const
	{
		return detail::inquire<info>(tact_partition_inquire, cpu_);
	}

      private:
	std::uint32_t cpu_;
};

} // namespace v1
} // namespace tactus

#endif
