/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Devices, interrupts and doorbells in C++: device.h and doorbell.h. */
#ifndef TACTUS_CPP_DEVICE_HPP
#define TACTUS_CPP_DEVICE_HPP

#include <tactus/cpp/callback.hpp>
#include <tactus/cpp/object.hpp>
#include <tactus/device.h>
#include <tactus/doorbell.h>

namespace tactus
{
inline namespace v1
{

/* A device. Cost: that of the calls of C. */
class device_ref : public detail::handle<tact_device_t>
{
      public:
	using view = device_ref;
	using info = tact_device_info;
	using handle::handle;

	/* Registers, until the device is closed. */
	result<volatile void *> map(std::uint32_t bar, std::uint64_t offset,
				    std::uint64_t bytes) const
	{
		void *memory = nullptr;
		int returned = tact_device_map(handle_, bar, offset, bytes, &memory);

		return result<volatile void *>::from_c(returned, memory);
	}
	/* The address at which the device sees the memory; wanted: where it is to see it. */
	result<std::uint64_t> dma_add(std::span<std::byte> memory, std::uint64_t wanted,
				      std::uint32_t flags = 0) const
	{
		int returned =
			tact_device_dma_add(handle_, memory.data(), memory.size(), flags, &wanted);

		return result<std::uint64_t>::from_c(returned, wanted);
	}
	result<void> dma_remove(std::uint64_t address, std::size_t bytes) const
	{
		return result<void>::from_c(tact_device_dma_remove(handle_, address, bytes));
	}
	/* Of a doorbell: a descriptor that belongs to the caller. */
	result<int> doorbell_file() const
	{
		int file = -1;
		int returned = tact_doorbell_file(handle_, &file);

		return result<int>::from_c(returned, file);
	}
	result<info> inquire() const
	{
		return detail::inquire<info>(tact_device_inquire, handle_);
	}
	result<void> check() const
	{
		return result<void>::from_c(tact_device_inquire(handle_, nullptr));
	}

      protected:
	static int erase(tact_device_t handle)
	{
		return tact_device_close(handle);
	}
};

struct device_attributes {
	const char *name = nullptr;
	const char *address = nullptr; /* as Linux names it, or TACT_DOORBELL */
	std::uint32_t irq_lines = 0;   /* most that are wanted */
};

/* Owns a device, and closes it. Its interrupts end before it. */
class device : public detail::owner<device_ref>
{
      public:
	using attributes = device_attributes;
	using owner::owner;

	/* reason: TACT_REASON_BYTES bytes, or nullptr. */
	static result<device> open(const attributes &with, char *reason = nullptr)
	{
		return detail::made<device>([&](tact_device_t *made) {
			return tact_device_open(with.name, with.address, with.irq_lines, made,
						reason);
		});
	}
};

/* An interrupt. Cost: that of the calls of C. */
class interrupt_ref : public detail::handle<tact_interrupt_t>
{
      public:
	using view = interrupt_ref;
	using info = tact_interrupt_info;
	using handle::handle;

	/* How many have come since the last wait. */
	result<unsigned> wait(timeout until = forever) const
	{
		return detail::count(tact_interrupt_wait(handle_, until.c()));
	}
	result<void> enable() const
	{
		return result<void>::from_c(tact_interrupt_enable(handle_));
	}
	result<void> disable() const
	{
		return result<void>::from_c(tact_interrupt_disable(handle_));
	}
	result<info> inquire() const
	{
		return detail::inquire<info>(tact_interrupt_inquire, handle_);
	}
	result<void> check() const
	{
		return result<void>::from_c(tact_interrupt_inquire(handle_, nullptr));
	}

      protected:
	static int erase(tact_interrupt_t handle)
	{
		return tact_interrupt_delete(handle);
	}
};

struct interrupt_attributes {
	const char *name = nullptr;
	std::uint32_t irq_line = 0;
	std::uint32_t cpu = any_cpu;
};

/* Owns an interrupt. At its end it waits for a handler that runs. */
class interrupt : public detail::owner<interrupt_ref>
{
      public:
	using attributes = interrupt_attributes;
	using owner::owner;

	/* handler: runs in handler context; see callback for how long it has to stay. */
	static result<interrupt> create(const attributes &with, device_ref of, callback handler)
	{
		return create(with, of, handler.function(), handler.argument());
	}
	/* Without a handler, for tasks that wait for it. */
	static result<interrupt> create(const attributes &with, device_ref of)
	{
		return create(with, of, nullptr, nullptr);
	}

      private:
	static result<interrupt> create(const attributes &with, device_ref of,
					callback::function_type handler, void *argument)
	{
		return detail::made<interrupt>([&](tact_interrupt_t *made) {
			return tact_interrupt_create(with.name, of.c(), with.irq_line, handler,
						     argument, detail::home(with.cpu), made);
		});
	}
};

/* Has attached a doorbell of this or another process, to ring it. Cost: that of the calls of C. */
class doorbell
{
      public:
	constexpr doorbell() noexcept = default;
	constexpr doorbell(doorbell &&other) noexcept
	    : doorbell_(std::exchange(other.doorbell_, nullptr))
	{
	}
	doorbell &operator=(doorbell &&other) noexcept
	{
		doorbell former(std::exchange(doorbell_, std::exchange(other.doorbell_, nullptr)));

		return *this;
	}
	~doorbell()
	{
		tact_doorbell_detach(doorbell_);
	}
	static result<doorbell> attach(int file)
	{
		tact_doorbell *attached = nullptr;
		int returned = tact_doorbell_attach(file, &attached);

		return result<doorbell>::from_c(returned, doorbell(attached));
	}
	/* Not of a doorbell that was moved from. */
	void ring() const
	{
		tact_doorbell_ring(doorbell_);
	}
	constexpr explicit operator bool() const noexcept
	{
		return doorbell_ != nullptr;
	}

      private:
	constexpr explicit doorbell(tact_doorbell *attached) noexcept : doorbell_(attached)
	{
	}

	tact_doorbell *doorbell_ = nullptr;
};

} // namespace v1
} // namespace tactus

#endif
