/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Zero-copy queues in C++: zqueue.h. What C leaves to a rule among the callers is a type here: a
 * message is owned, and comes back to its queue if it is neither sent nor freed.
 */
#ifndef TACTUS_CPP_ZQUEUE_HPP
#define TACTUS_CPP_ZQUEUE_HPP

#include <tactus/cpp/object.hpp>
#include <tactus/zqueue.h>

namespace tactus
{
inline namespace v1
{

/* Owns a message that was allocated or received. Cost: two words beside the address of the message;
 * its end is tact_zqueue_free(). */
class zqueue_message
{
      public:
	constexpr zqueue_message() noexcept = default;
	/* Own what a call of C allocated or received. */
	constexpr zqueue_message(tact_zqueue_t queue, void *data, std::size_t bytes) noexcept
	    : data_(data), size_(bytes), queue_(queue)
	{
	}
	constexpr zqueue_message(zqueue_message &&other) noexcept
	    : data_(std::exchange(other.data_, nullptr)),
	      size_(std::exchange(other.size_, std::size_t{0})), queue_(other.queue_)
	{
	}
	zqueue_message &operator=(zqueue_message &&other) noexcept
	{
		zqueue_message next(std::move(other));

		std::swap(data_, next.data_);
		std::swap(size_, next.size_);
		std::swap(queue_, next.queue_);
		return *this;
	}
	~zqueue_message()
	{
		if (data_)
			(void)tact_zqueue_free(queue_, data_);
	}

	[[nodiscard]] constexpr void *data() const noexcept
	{
		return data_;
	}
	[[nodiscard]] constexpr std::size_t size() const noexcept
	{
		return size_;
	}
	[[nodiscard]] std::span<std::byte> bytes() const noexcept
	{
		return {static_cast<std::byte *>(data_), size_};
	}
	/* The message as a T; nullptr if it is shorter. It is aligned to 16 bytes. */
	template <class T> [[nodiscard]] T *as() const
	{
		static_assert(std::is_trivially_copyable_v<T> && alignof(T) <= 16);
		return size_ >= sizeof(T) ? static_cast<T *>(data_) : nullptr;
	}
	constexpr explicit operator bool() const noexcept
	{
		return data_ != nullptr;
	}
	/* Free now, and learn the result. After an error the message is still owned. */
	result<void> free()
	{
		int returned = tact_zqueue_free(queue_, data_);

		if (returned >= 0)
			data_ = nullptr;
		return result<void>::from_c(returned);
	}
	/* It is not owned any more: for calls of C. */
	[[nodiscard]] constexpr void *release() noexcept
	{
		return std::exchange(data_, nullptr);
	}

      private:
	void *data_ = nullptr;
	std::size_t size_ = 0;
	tact_zqueue_t queue_{};
};

/* A zero-copy queue. Cost: that of the calls of C. */
class zqueue_ref : public detail::handle<tact_zqueue_t>
{
      public:
	using view = zqueue_ref;
	using info = tact_zqueue_info;
	using handle::handle;

	result<zqueue_message> alloc(std::size_t bytes) const
	{
		void *data = nullptr;
		int returned = tact_zqueue_alloc(handle_, bytes, &data);

		return result<zqueue_message>::from_c(returned,
						      zqueue_message(handle_, data, bytes));
	}
	/* Send the first bytes of a message, or all of it, and lose it. It stays with the caller
	 * after an error, and if a broadcast had no receiver (the result is 0 then). The result is
	 * the number of receivers that it woke. */
	result<unsigned> send(zqueue_message &&message, std::size_t bytes,
			      std::uint32_t how = TACT_ZQUEUE_NORMAL) const
	{
		int returned = tact_zqueue_send(handle_, message.data(), bytes, how);

		if (returned > 0 || (returned == 0 && !(how & TACT_ZQUEUE_BROADCAST)))
			(void)message.release();
		return detail::count(returned);
	}
	result<unsigned> send(zqueue_message &&message) const
	{
		return send(std::move(message), message.size());
	}
	result<zqueue_message> receive(timeout until = forever) const
	{
		void *data = nullptr;
		int returned = tact_zqueue_receive(handle_, &data, until.c());

		return result<zqueue_message>::from_c(
			returned,
			zqueue_message(handle_, data, static_cast<std::size_t>(returned)));
	}
	/* By copy. */
	result<unsigned> write(std::span<const std::byte> data,
			       std::uint32_t how = TACT_ZQUEUE_NORMAL) const
	{
		return detail::count(tact_zqueue_write(handle_, data.data(), data.size(), how));
	}
	result<unsigned> read(std::span<std::byte> buffer, timeout until = forever) const
	{
		return detail::count(
			tact_zqueue_read(handle_, buffer.data(), buffer.size(), until.c()));
	}
	/* How many messages were freed. */
	result<unsigned> flush() const
	{
		return detail::count(tact_zqueue_flush(handle_));
	}
	result<info> inquire() const
	{
		return detail::inquire<info>(tact_zqueue_inquire, handle_);
	}
	result<void> check() const
	{
		return result<void>::from_c(tact_zqueue_inquire(handle_, nullptr));
	}

      protected:
	static int erase(tact_zqueue_t handle)
	{
		return tact_zqueue_delete(handle);
	}
};

struct zqueue_attributes {
	const char *name = nullptr;
	std::span<std::byte> memory = {}; /* of the program; empty: it takes its own, of … */
	std::size_t bytes = 0;            /* tact_zqueue_memory_bytes() */
	std::uint32_t depth = 0; /* most messages queued; 0: as many as there is room for */
	queueing order = queueing::fifo;
	std::uint32_t cpu = any_cpu;
};

/* Owns a zero-copy queue. Messages end before it. */
class zqueue : public detail::owner<zqueue_ref>
{
      public:
	using attributes = zqueue_attributes;
	using owner::owner;

	static result<zqueue> create(const attributes &with)
	{
		return detail::made<zqueue>([&](tact_zqueue_t *made) {
			const bool own = with.memory.empty();

			return tact_zqueue_create(with.name, own ? nullptr : with.memory.data(),
						  own ? with.bytes : with.memory.size(), with.depth,
						  detail::flags(with.order, with.cpu), made);
		});
	}
};

} // namespace v1
} // namespace tactus

#endif
