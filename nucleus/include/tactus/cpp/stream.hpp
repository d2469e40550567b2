/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Buffers and pipes in C++: buffer.h and pipe.h, which say what the calls return, from where they
 * may be called and what they cost.
 */
#ifndef TACTUS_CPP_STREAM_HPP
#define TACTUS_CPP_STREAM_HPP

#include <tactus/buffer.h>
#include <tactus/cpp/object.hpp>
#include <tactus/pipe.h>

namespace tactus
{
inline namespace v1
{

/* How much of it a call moves. */
enum class moving : std::uint32_t {
	whole = TACT_BUFFER_WHOLE,
	partial = TACT_BUFFER_PARTIAL,
};

/* A buffer. Results are numbers of bytes. Cost: that of the calls of C. */
class buffer_ref : public detail::handle<tact_buffer_t>
{
      public:
	using view = buffer_ref;
	using info = tact_buffer_info;
	using handle::handle;

	result<unsigned> write(std::span<const std::byte> data, timeout until = forever,
			       moving how = moving::whole) const
	{
		return detail::count(tact_buffer_write(handle_, data.data(), data.size(),
						       static_cast<std::uint32_t>(how), until.c()));
	}
	result<unsigned> read(std::span<std::byte> data, timeout until = forever,
			      moving how = moving::whole) const
	{
		return detail::count(tact_buffer_read(handle_, data.data(), data.size(),
						      static_cast<std::uint32_t>(how), until.c()));
	}
	/* Copy what is there, and leave it: TACT_BUFFER_PEEK. */
	result<unsigned> peek(std::span<std::byte> data) const
	{
		return detail::count(tact_buffer_read(handle_, data.data(), data.size(),
						      TACT_BUFFER_PEEK, no_wait.c()));
	}
	/* Drop the oldest where there is no room: TACT_BUFFER_OVERWRITE. */
	result<unsigned> overwrite(std::span<const std::byte> data) const
	{
		return detail::count(tact_buffer_write(handle_, data.data(), data.size(),
						       TACT_BUFFER_OVERWRITE, no_wait.c()));
	}
	result<unsigned> clear() const
	{
		return detail::count(tact_buffer_clear(handle_));
	}
	result<info> inquire() const
	{
		return detail::inquire<info>(tact_buffer_inquire, handle_);
	}
	result<void> check() const
	{
		return result<void>::from_c(tact_buffer_inquire(handle_, nullptr));
	}

      protected:
	static int erase(tact_buffer_t handle)
	{
		return tact_buffer_delete(handle);
	}
};

struct buffer_attributes {
	const char *name = nullptr;
	std::uint32_t bytes = 0;
	bool messages = false; /* TACT_BUFFER_MESSAGES */
	queueing order = queueing::fifo;
	std::uint32_t cpu = any_cpu;
};

/* Owns a buffer. */
class buffer : public detail::owner<buffer_ref>
{
      public:
	using attributes = buffer_attributes;
	using owner::owner;

	static result<buffer> create(const attributes &with)
	{
		return detail::made<buffer>([&](tact_buffer_t *made) {
			return tact_buffer_create(
				with.name, with.bytes,
				detail::flags(with.order, with.cpu) |
					detail::when(with.messages, TACT_BUFFER_MESSAGES),
				made);
		});
	}
};

/* Owns the Linux end of a pipe, and closes it. Context: linux. Cost: that of the calls of C. */
class pipe_end
{
      public:
	constexpr pipe_end() noexcept = default;
	constexpr explicit pipe_end(tact_pipe_end *opened) noexcept : end_(opened)
	{
	}
	constexpr pipe_end(pipe_end &&other) noexcept : end_(std::exchange(other.end_, nullptr))
	{
	}
	pipe_end &operator=(pipe_end &&other) noexcept
	{
		pipe_end former(std::exchange(end_, std::exchange(other.end_, nullptr)));

		return *this;
	}
	~pipe_end()
	{
		if (end_)
			(void)tact_pipe_close(end_);
	}

	result<unsigned> read(std::span<std::byte> buffer, timeout until = forever) const
	{
		return detail::count(
			tact_pipe_end_read(end_, buffer.data(), buffer.size(), until.c()));
	}
	result<void> write(std::span<const std::byte> data, timeout until = forever) const
	{
		return result<void>::from_c(
			tact_pipe_end_write(end_, data.data(), data.size(), until.c()));
	}
	/* Was the pipe deleted? */
	result<bool> deleted() const
	{
		int returned = tact_pipe_end_deleted(end_);

		return result<bool>::from_c(returned, returned > 0);
	}
	/* Close now, and learn the result. */
	result<void> close()
	{
		return result<void>::from_c(tact_pipe_close(std::exchange(end_, nullptr)));
	}
	[[nodiscard]] constexpr tact_pipe_end *c() const noexcept
	{
		return end_;
	}
	constexpr explicit operator bool() const noexcept
	{
		return end_ != nullptr;
	}

      private:
	tact_pipe_end *end_ = nullptr;
};

/* A pipe. Cost: that of the calls of C. */
class pipe_ref : public detail::handle<tact_pipe_t>
{
      public:
	using view = pipe_ref;
	using info = tact_pipe_info;
	using handle::handle;

	result<void> write(std::span<const std::byte> data, timeout until = forever) const
	{
		return result<void>::from_c(
			tact_pipe_write(handle_, data.data(), data.size(), until.c()));
	}
	/* The length of the message. */
	result<unsigned> read(std::span<std::byte> buffer, timeout until = forever) const
	{
		return detail::count(
			tact_pipe_read(handle_, buffer.data(), buffer.size(), until.c()));
	}
	result<pipe_end> open() const
	{
		tact_pipe_end *end = nullptr;
		int returned = tact_pipe_open(handle_, &end);

		return result<pipe_end>::from_c(returned, pipe_end(end));
	}
	/* address: receives the address, or is empty. */
	result<void> serve(std::span<char> address = {}) const
	{
		return result<void>::from_c(tact_pipe_serve(
			handle_, address.empty() ? nullptr : address.data(), address.size()));
	}
	result<info> inquire() const
	{
		return detail::inquire<info>(tact_pipe_inquire, handle_);
	}
	result<void> check() const
	{
		return result<void>::from_c(tact_pipe_inquire(handle_, nullptr));
	}

      protected:
	static int erase(tact_pipe_t handle)
	{
		return tact_pipe_delete(handle);
	}
};

struct pipe_attributes {
	const char *name = nullptr;
	std::uint32_t bytes = 0; /* room in each direction */
	queueing order = queueing::fifo;
	std::uint32_t cpu = any_cpu;
};

/* Owns a pipe. */
class pipe : public detail::owner<pipe_ref>
{
      public:
	using attributes = pipe_attributes;
	using owner::owner;

	static result<pipe> create(const attributes &with)
	{
		return detail::made<pipe>([&](tact_pipe_t *made) {
			return tact_pipe_create(with.name, with.bytes,
						detail::flags(with.order, with.cpu), made);
		});
	}
};

} // namespace v1
} // namespace tactus

#endif
