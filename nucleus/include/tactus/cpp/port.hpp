/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Ports in C++: port.h and rendezvous.h. A request that a server received is a type that ends it: a
 * server that returns early does not leave its client waiting.
 */
#ifndef TACTUS_CPP_PORT_HPP
#define TACTUS_CPP_PORT_HPP

#include <tactus/cpp/object.hpp>
#include <tactus/cpp/task.hpp>
#include <tactus/rendezvous.h>

namespace tactus
{
inline namespace v1
{

/* Owns a request that is being served. If it ends without a reply, the client gets
 * error::broken_pipe, as from a server that has ended. Cost: that of the calls of C. */
class request
{
      public:
	constexpr request() noexcept = default;
	constexpr request(tact_port_t port, const tact_port_message &received,
			  std::uint32_t copied) noexcept
	    : port_(port), message_(received), copied_(copied)
	{
	}
	constexpr request(request &&other) noexcept
	    : port_(other.port_), message_(other.message_), copied_(other.copied_)
	{
		other.message_.request = 0;
	}
	request &operator=(request &&other) noexcept
	{
		request next(std::move(other));

		std::swap(port_, next.port_);
		std::swap(message_, next.message_);
		std::swap(copied_, next.copied_);
		return *this;
	}
	~request()
	{
		if (*this)
			(void)fail(error::broken_pipe);
	}

	/* The request ends, unless error::message_size says that its client takes less. */
	result<void> reply(std::span<const std::byte> bytes = {})
	{
		return ended(tact_port_reply(port_, message_.request, bytes.data(), bytes.size()));
	}
	template <class T>
	requires(std::is_trivially_copyable_v<T> &&
		 !std::is_convertible_v<const T &, std::span<const std::byte>>)
		result<void> reply(const T &value)
	noexcept
	{
		return ended(
			tact_port_reply(port_, message_.request, std::addressof(value), sizeof(T)));
	}
	result<void> fail(error code)
	{
		return ended(tact_port_fail(port_, message_.request, -static_cast<int>(code)));
	}
	/* The client waits at another port: tact_port_forward(). Empty contents: its message
	 * stays. */
	result<void> forward(tact_port_t to, std::uint64_t pattern = UINT64_MAX,
			     std::span<const std::byte> contents = {})
	{
		int returned = tact_port_forward(port_, message_.request, to, pattern,
						 contents.empty() ? nullptr : contents.data(),
						 contents.size());

		if (returned >= 0 || returned == -TACT_ESRCH)
			message_.request = 0;
		return result<void>::from_c(returned);
	}
	/* A part of the message, from an offset on; the result is the number of bytes. */
	result<unsigned> read(std::size_t offset, std::span<std::byte> buffer) const
	{
		return detail::count(tact_port_read(port_, message_.request, offset, buffer.data(),
						    buffer.size()));
	}

	[[nodiscard]] constexpr std::uint64_t id() const noexcept
	{
		return message_.request;
	}
	[[nodiscard]] constexpr task_ref sender() const noexcept
	{
		return task_ref(message_.sender);
	}
	[[nodiscard]] constexpr std::uint32_t priority() const noexcept
	{
		return message_.priority;
	}
	/* The length of the message, and how much of it receive() copied. */
	[[nodiscard]] constexpr std::uint32_t bytes() const noexcept
	{
		return message_.bytes;
	}
	[[nodiscard]] constexpr std::uint32_t copied() const noexcept
	{
		return copied_;
	}
	/* The longest reply that the client takes; UINT32_MAX: it wants none. */
	[[nodiscard]] constexpr std::uint32_t reply_bytes() const noexcept
	{
		return message_.reply_bytes;
	}
	/* Is it still to be replied to? */
	constexpr explicit operator bool() const noexcept
	{
		return message_.request != 0;
	}
	/* It is not owned any more: another caller replies to it by its number. */
	[[nodiscard]] constexpr std::uint64_t release() noexcept
	{
		return std::exchange(message_.request, std::uint64_t{0});
	}

      private:
	/* With a client that has left, or a port that is gone, there is no request. */
	result<void> ended(int returned)
	{
		if (returned >= 0 || returned == -TACT_ESRCH || returned == -TACT_EIDRM)
			message_.request = 0;
		return result<void>::from_c(returned);
	}

	tact_port_t port_{};
	tact_port_message message_{};
	std::uint32_t copied_ = 0;
};

/* A port. Cost: that of the calls of C. */
class port_ref : public detail::handle<tact_port_t>
{
      public:
	using view = port_ref;
	using info = tact_port_info;
	using handle::handle;

	/* Send and wait for the reply. The result is its length. */
	result<unsigned> send(std::span<const std::byte> message, std::span<std::byte> reply,
			      timeout until = forever) const
	{
		return detail::count(tact_port_send(handle_, message.data(), message.size(),
						    reply.data(), reply.size(), until.c()));
	}
	/* The same by a rule: tact_port_call(). */
	result<unsigned> send(const tact_call_rule &rule, std::span<const std::byte> message,
			      std::span<std::byte> reply, timeout until = forever) const
	{
		return detail::count(tact_port_call(handle_, &rule, message.data(), message.size(),
						    reply.data(), reply.size(), until.c()));
	}
	/* The same with values: call<double>(5). A reply of another length is
	 * error::message_size. */
	template <class Reply, class Message>
	result<Reply> call(const Message &message, timeout until = forever) const
	{
		static_assert(std::is_trivially_copyable_v<Message> &&
			      std::is_trivially_copyable_v<Reply>);
		return result<Reply>(detail::filled{}, [&](void *memory) {
			int returned =
				tact_port_send(handle_, std::addressof(message), sizeof(Message),
					       memory, sizeof(Reply), until.c());

			return returned >= 0 && returned != int{sizeof(Reply)} ? -TACT_EMSGSIZE
									       : returned;
		});
	}
	/* Receive into a buffer; the request says how much was copied. */
	result<request> receive(std::span<std::byte> buffer, timeout until = forever) const
	{
		return receive(nullptr, buffer.data(), buffer.size(), until);
	}
	/* The same by a rule: tact_port_accept(). With TACT_ACCEPT_LOOK the request is empty. */
	result<request> accept(const tact_accept_rule &rule, std::span<std::byte> buffer,
			       timeout until = forever) const
	{
		return receive(&rule, buffer.data(), buffer.size(), until);
	}
	/* The same into a value. A message that is shorter leaves the rest of it as it is, one that
	 * is longer is cut: request::bytes() tells. */
	template <class T>
	requires(std::is_trivially_copyable_v<T> &&
		 !std::is_convertible_v<T &, std::span<std::byte>>)
		result<request> receive(T &message, timeout until = forever)
	const
	{
		return receive(nullptr, std::addressof(message), sizeof(T), until);
	}
	result<info> inquire() const
	{
		return detail::inquire<info>(tact_port_inquire, handle_);
	}
	result<void> check() const
	{
		return result<void>::from_c(tact_port_inquire(handle_, nullptr));
	}

      protected:
	static int erase(tact_port_t handle)
	{
		return tact_port_delete(handle);
	}

      private:
	result<request> receive(const tact_accept_rule *rule, void *buffer, std::size_t size,
				timeout until) const
	{
		tact_port_message received{};
		int returned;

		received.size = sizeof(received);
		returned = tact_port_accept(handle_, rule, buffer, size, &received, until.c());
		if (returned < 0)
			return static_cast<error>(-returned);
		return request(handle_, received, static_cast<std::uint32_t>(returned));
	}
};

struct port_attributes {
	const char *name = nullptr;
	queueing order = queueing::fifo;
	bool fixed = false; /* TACT_PORT_FIXED */
	std::uint32_t cpu = any_cpu;
};

/* Owns a port. */
class port : public detail::owner<port_ref>
{
      public:
	using attributes = port_attributes;
	using owner::owner;

	static result<port> create(const attributes &with = {})
	{
		return detail::made<port>([&](tact_port_t *made) {
			return tact_port_create(with.name,
						detail::flags(with.order, with.cpu) |
							detail::when(with.fixed, TACT_PORT_FIXED),
						made);
		});
	}
};

} // namespace v1
} // namespace tactus

#endif
