/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Waiting for one of several objects in C++: select.h.
 *
 *     int number;
 *     std::array items{wait_for(numbers, number), wait_for(stop)};
 *     result<taken> first = wait_any(items, 10ms);
 *     if (first && first->index == 1) …
 */
#ifndef TACTUS_CPP_SELECT_HPP
#define TACTUS_CPP_SELECT_HPP

#include <tactus/cpp/device.hpp>
#include <tactus/cpp/queue.hpp>
#include <tactus/cpp/stream.hpp>
#include <tactus/cpp/sync.hpp>
#include <tactus/select.h>

namespace tactus
{
inline namespace v1
{

using wait_item = tact_wait_item;

/* An item of each kind. What it receives into has to stay until the wait is over. */
[[nodiscard]] inline wait_item wait_for(semaphore_ref sem) noexcept
{
	return tact_wait_sem(sem.c(), 0);
}
/* how: TACT_EVENT_ANY or TACT_EVENT_ALL. taken::value is the group. */
[[nodiscard]] inline wait_item wait_for(event_flags_ref flags, std::uint64_t bits,
					std::uint32_t how = TACT_EVENT_ANY,
					clearing clear = clearing::none) noexcept
{
	return tact_wait_event(flags.c(), bits, how | static_cast<std::uint32_t>(clear), 0);
}
/* taken::value is the priority of the message. The type is that of the queue, as long as
 * taken::bytes is its size. */
template <class T> [[nodiscard]] wait_item wait_for(queue_ref<T> queue, T &message) noexcept
{
	return tact_wait_queue(queue.c(), std::addressof(message), sizeof(T), 0);
}
template <class T> [[nodiscard]] wait_item wait_for(const queue<T> &owner, T &message) noexcept
{
	return wait_for(queue_ref<T>(owner), message);
}
/* taken::value has the bits of the value: mailbox_ref::value_of(). */
template <class T> [[nodiscard]] wait_item wait_for(mailbox_ref<T> mailbox) noexcept
{
	return tact_wait_mailbox(mailbox.c(), 0);
}
template <class T> [[nodiscard]] wait_item wait_for(const mailbox<T> &owner) noexcept
{
	return wait_for(mailbox_ref<T>(owner));
}
[[nodiscard]] inline wait_item wait_for(buffer_ref buffer, std::span<std::byte> data,
					moving how = moving::whole) noexcept
{
	return tact_wait_buffer(buffer.c(), data.data(), data.size(),
				static_cast<std::uint32_t>(how), 0);
}
[[nodiscard]] inline wait_item wait_for(pipe_ref pipe, std::span<std::byte> message) noexcept
{
	return tact_wait_pipe(pipe.c(), message.data(), message.size(), 0);
}
[[nodiscard]] inline wait_item wait_for(interrupt_ref interrupt) noexcept
{
	return tact_wait_interrupt(interrupt.c(), 0);
}

/* What was taken. */
struct taken {
	std::size_t index = 0;   /* of the item */
	unsigned bytes = 0;      /* that were received; of an interrupt: how many came */
	std::uint64_t value = 0; /* as the item of the object says */
};

/**
 * Take from the first of several objects that has something; wait if nothing is there.
 * failed: receives the index of the item whose own error the result is; without such an item it
 *         receives the number of items. Or nullptr.
 * Cost: that of tact_wait_any().
 */
inline result<taken> wait_any(std::span<wait_item> items, timeout until = forever,
			      std::size_t *failed = nullptr)
{
	const auto count = static_cast<std::uint32_t>(
		items.size() > TACT_WAIT_ITEMS_MAX ? TACT_WAIT_ITEMS_MAX + 1 : items.size());
	wait_item *ended = nullptr;
	int returned = tact_wait_any(items.data(), count, until.c(), &ended);
	const std::size_t index =
		ended ? static_cast<std::size_t>(ended - items.data()) : items.size();

	if (failed)
		*failed = returned < 0 ? index : items.size();
	if (returned < 0)
		return static_cast<error>(-returned);
	return taken{index, static_cast<unsigned>(returned), ended->value};
}

} // namespace v1
} // namespace tactus

#endif
