/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Start and stop of the nucleus in a program, and the figures of its CPUs: start.h and stat.h. */
#ifndef TACTUS_CPP_PROGRAM_HPP
#define TACTUS_CPP_PROGRAM_HPP

#include <tactus/cpp/object.hpp>
#include <tactus/start.h>
#include <tactus/stat.h>

namespace tactus
{
inline namespace v1
{

enum class idle {
	hybrid = TACT_IDLE_HYBRID,
	sleep = TACT_IDLE_SLEEP,
	spin = TACT_IDLE_SPIN,
};

enum class fault_policy {
	stop_task = TACT_FAULT_STOP_TASK,
	stop_program = TACT_FAULT_STOP_PROGRAM,
};

/* tact_config, where each member is explained. */
struct configuration {
	const char *name = nullptr;
	std::uint32_t cpus = 0;                         /* 0: those of linux_cpus, at least 1 */
	std::span<const std::uint32_t> linux_cpus = {}; /* empty: the back end chooses */
	std::uint32_t priority = 0;
	tactus::idle when_idle = idle::hybrid;
	bool share = false;
	bool require = false;
	std::size_t pool_bytes = 0;
	std::uint32_t task_slots = 0;
	std::uint32_t trace_events = 0;
	std::uint32_t watchdog_ms = 0;
	bool watchdog_signals = false;
	std::uint32_t hog_timeout_ms = 0;
	fault_policy on_fault = fault_policy::stop_task;
	bool program_faults = false;
	tact_gravity gravity = {};
	const char *options = nullptr;
};

/* What tact_start() has to say: what helps after an error, otherwise what the machine could not
 * give. */
struct reason {
	char text[TACT_REASON_BYTES] = "";

	constexpr explicit operator bool() const noexcept
	{
		return text[0] != '\0';
	}
};

/* A program that is started, and stops at the end of its owner. Cost: that of the calls of C. */
class program
{
      public:
	constexpr program() noexcept = default;
	constexpr program(program &&other) noexcept : started_(std::exchange(other.started_, false))
	{
	}
	program &operator=(program &&other) noexcept
	{
		program next(std::move(other));

		std::swap(started_, next.started_);
		return *this;
	}
	~program()
	{
		if (started_)
			(void)tact_stop();
	}

	static result<program> start(const configuration &with = {}, reason *why = nullptr)
	{
		tact_config config{};
		program made;
		int returned;

		/* tact_start() reads as many as there are CPUs. */
		if (!with.linux_cpus.empty() && with.cpus > with.linux_cpus.size())
			return error::invalid_argument;
		config.size = sizeof(config);
		config.name = with.name;
		config.cpus =
			with.cpus ? with.cpus : static_cast<std::uint32_t>(with.linux_cpus.size());
		config.linux_cpu = with.linux_cpus.empty() ? nullptr : with.linux_cpus.data();
		config.priority = with.priority;
		config.idle = static_cast<tact_idle>(with.when_idle);
		config.share = with.share;
		config.require = with.require;
		config.pool_bytes = with.pool_bytes;
		config.task_slots = with.task_slots;
		config.trace_events = with.trace_events;
		config.watchdog_ms = with.watchdog_ms;
		config.watchdog_signals = with.watchdog_signals;
		config.hog_timeout_ms = with.hog_timeout_ms;
		config.fault = static_cast<tact_fault_policy>(with.on_fault);
		config.program_faults = with.program_faults;
		config.gravity = with.gravity;
		config.options = with.options;
		returned = tact_start(&config, why ? why->text : nullptr);
		made.started_ = returned >= 0;
		return result<program>::from_c(returned, std::move(made));
	}
	/* Stop now, and learn the result. After an error the program is still started. */
	result<void> stop()
	{
		int returned = tact_stop();

		started_ = started_ && returned < 0;
		return result<void>::from_c(returned);
	}
	constexpr explicit operator bool() const noexcept
	{
		return started_;
	}

      private:
	bool started_ = false;
};

/* The number of real-time CPUs; 0: not started. */
[[nodiscard]] inline std::uint32_t cpus()
{
	return tact_cpus();
}

inline result<tact_cpu_info> inquire_cpu(std::uint32_t cpu)
{
	return detail::inquire<tact_cpu_info>(tact_cpu_inquire, cpu);
}

} // namespace v1
} // namespace tactus

#endif
