/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Message queues and mailboxes of values of one type: queue.h and mailbox.h, which say what the
 * calls return, from where they may be called and what they cost. A message is the bytes of a
 * value, so the type has to be trivially copyable; programs in C see the same bytes.
 */
#ifndef TACTUS_CPP_QUEUE_HPP
#define TACTUS_CPP_QUEUE_HPP

#include <limits>

#include <tactus/cpp/object.hpp>
#include <tactus/mailbox.h>
#include <tactus/queue.h>
#include <tactus/word.h>

namespace tactus
{
inline namespace v1
{

/* The priority of a message. Numbers need queue_attributes::sorted. */
inline constexpr std::uint32_t normal = TACT_QUEUE_NORMAL;
inline constexpr std::uint32_t urgent = TACT_QUEUE_URGENT;

static_assert(normal == TACT_MAILBOX_NORMAL && urgent == TACT_MAILBOX_URGENT);

/* A queue of values of type T. Cost: that of the calls of C; the value is received where the result
 * is. */
template <class T> class queue_ref : public detail::handle<tact_queue_t>
{
	static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= TACT_QUEUE_BYTES_MAX);

      public:
	using view = queue_ref;
	using info = tact_queue_info;
	using value_type = T;
	using handle<tact_queue_t>::handle;

	result<void> send(const T &message, timeout until = forever,
			  std::uint32_t priority = normal) const
	{
		return result<void>::from_c(
			tact_queue_send(handle_, &message, sizeof(T), priority, until.c()));
	}
	/* A message of another length, which a program in C may have sent, is lost with
	 * error::message_size. */
	result<T> receive(timeout until = forever, std::uint32_t *priority = nullptr) const
	{
		return result<T>(detail::filled{}, [&](void *memory) {
			int returned =
				tact_queue_receive(handle_, memory, sizeof(T), priority, until.c());

			return returned >= 0 && returned != int{sizeof(T)} ? -TACT_EMSGSIZE
									   : returned;
		});
	}
	/* How many receivers it had. */
	result<unsigned> broadcast(const T &message) const
	{
		return detail::count(tact_queue_broadcast(handle_, &message, sizeof(T)));
	}
	/* How many messages were dropped. */
	result<unsigned> flush() const
	{
		return detail::count(tact_queue_flush(handle_));
	}
	result<unsigned> reset() const
	{
		return detail::count(tact_queue_reset(handle_));
	}
	result<info> inquire() const
	{
		return detail::inquire<info>(tact_queue_inquire, handle_);
	}
	/* Is it a queue of messages of this size? If not, error::message_size. */
	result<void> check() const
	{
		const result<info> known = inquire();

		if (!known)
			return known.error();
		return known->message_bytes == sizeof(T) ? result<void>() : error::message_size;
	}

      protected:
	static int erase(tact_queue_t handle)
	{
		return tact_queue_delete(handle);
	}
};

struct queue_attributes {
	const char *name = nullptr;
	std::uint32_t depth = 0; /* messages that it can hold; 0: a sender waits for its receiver */
	bool sorted = false;     /* TACT_QUEUE_SORTED */
	queueing order = queueing::fifo;
	std::uint32_t cpu = any_cpu;
};

/* Owns a queue. */
template <class T> class queue : public detail::owner<queue_ref<T>>
{
      public:
	using attributes = queue_attributes;
	using detail::owner<queue_ref<T>>::owner;

	static result<queue> create(const attributes &with)
	{
		return detail::made<queue>([&](tact_queue_t *made) {
			return tact_queue_create(
				with.name, sizeof(T), with.depth,
				detail::flags(with.order, with.cpu) |
					detail::when(with.sorted, TACT_QUEUE_SORTED),
				made);
		});
	}
};

/*
 * A word of the program, word.h, with the CPU that is its home. It owns nothing. Cost: that of the
 * calls of C.
 */
class word_ref
{
      public:
	constexpr word_ref(std::uintptr_t &word, std::uint32_t cpu = 0) noexcept
	    : word_(&word), cpu_(cpu)
	{
	}

	result<void> post(std::uintptr_t value) const
	{
		return result<void>::from_c(tact_word_post(cpu_, word_, value));
	}
	result<std::uintptr_t> pend(timeout until = forever) const
	{
		std::uintptr_t value = 0;
		int returned = tact_word_pend(cpu_, word_, &value, until.c());

		return result<std::uintptr_t>::from_c(returned, value);
	}

      private:
	std::uintptr_t *word_;
	std::uint32_t cpu_;
};

/* A mailbox of values of type T, which has at most 64 bits. Cost: that of the calls of C. */
template <class T = std::uint64_t> class mailbox_ref : public detail::handle<tact_mailbox_t>
{
	static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= sizeof(std::uint64_t));

      public:
	using view = mailbox_ref;
	using info = tact_mailbox_info;
	using value_type = T;
	using handle<tact_mailbox_t>::handle;

	/* how: normal or urgent.  */
	result<void> post(const T &value, timeout until = forever, std::uint32_t how = normal) const
	{
		return result<void>::from_c(
			tact_mailbox_post(handle_, bits_of(value), how, until.c()));
	}
	result<T> pend(timeout until = forever) const
	{
		return result<T>(detail::filled{}, [&](void *memory) {
			std::uint64_t bits = 0;
			int returned = tact_mailbox_pend(handle_, &bits, until.c());

			__builtin_memcpy(memory, &bits, sizeof(T));
			return returned;
		});
	}
	/* A value of its bits, as tact_mailbox_pend() receives them. */
	static T value_of(std::uint64_t bits) noexcept
	{
		return *result<T>(detail::filled{}, [&](void *memory) {
			__builtin_memcpy(memory, &bits, sizeof(T));
			return 0;
		});
	}
	/* How many callers were served. */
	result<unsigned> broadcast(const T &value) const
	{
		return detail::count(tact_mailbox_broadcast(handle_, bits_of(value)));
	}
	/* How many values were dropped. */
	result<unsigned> flush() const
	{
		return detail::count(tact_mailbox_flush(handle_));
	}
	result<unsigned> reset() const
	{
		return detail::count(tact_mailbox_reset(handle_));
	}
	result<info> inquire() const
	{
		return detail::inquire<info>(tact_mailbox_inquire, handle_);
	}
	result<void> check() const
	{
		return result<void>::from_c(tact_mailbox_inquire(handle_, nullptr));
	}

      protected:
	static int erase(tact_mailbox_t handle)
	{
		return tact_mailbox_delete(handle);
	}

      private:
	static std::uint64_t bits_of(const T &value) noexcept
	{
		std::uint64_t bits = 0;

		__builtin_memcpy(&bits, std::addressof(value), sizeof(T));
		return bits;
	}
};

struct mailbox_attributes {
	const char *name = nullptr;
	std::uint32_t slots = 1; /* values that it can hold */
	queueing order = queueing::fifo;
	std::uint32_t cpu = any_cpu;
};

/* Owns a mailbox. */
template <class T = std::uint64_t> class mailbox : public detail::owner<mailbox_ref<T>>
{
      public:
	using attributes = mailbox_attributes;
	using detail::owner<mailbox_ref<T>>::owner;

	static result<mailbox> create(const attributes &with = {})
	{
		return detail::made<mailbox>([&](tact_mailbox_t *made) {
			return tact_mailbox_create(with.name, with.slots,
						   detail::flags(with.order, with.cpu), made);
		});
	}
};

} // namespace v1
} // namespace tactus

#endif
