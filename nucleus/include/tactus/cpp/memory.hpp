/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Heaps and block pools in C++: heap.h and pool.h. A block is owned, and goes back by itself. */
#ifndef TACTUS_CPP_MEMORY_HPP
#define TACTUS_CPP_MEMORY_HPP

#include <tactus/cpp/object.hpp>
#include <tactus/heap.h>
#include <tactus/pool.h>

namespace tactus
{
inline namespace v1
{

/* Owns a block of a heap (heap_ref) or a pool (pool_ref), aligned to 16 bytes. Cost: a word beside
 * the address; its end is the call of C that gives a block back. */
template <class View> class block
{
      public:
	constexpr block() noexcept = default;
	/* Own what a call of C allocated. */
	constexpr block(View from, void *data) noexcept : data_(data), from_(from)
	{
	}
	constexpr block(block &&other) noexcept
	    : data_(std::exchange(other.data_, nullptr)), from_(other.from_)
	{
	}
	block &operator=(block &&other) noexcept
	{
		block next(std::move(other));

		std::swap(data_, next.data_);
		std::swap(from_, next.from_);
		return *this;
	}
	~block()
	{
		if (data_)
			(void)from_.give_back(data_);
	}

	[[nodiscard]] constexpr void *data() const noexcept
	{
		return data_;
	}
	constexpr explicit operator bool() const noexcept
	{
		return data_ != nullptr;
	}
	/* It is not owned any more: give_back() of the heap or pool takes it. */
	[[nodiscard]] constexpr void *release() noexcept
	{
		return std::exchange(data_, nullptr);
	}

      private:
	void *data_ = nullptr;
	View from_;
};

/* A heap. Cost: that of the calls of C. */
class heap_ref : public detail::handle<tact_heap_t>
{
      public:
	using view = heap_ref;
	using info = tact_heap_info;
	using handle::handle;

	result<block<heap_ref>> alloc(std::size_t bytes, timeout until = forever) const
	{
		void *data = nullptr;
		int returned = tact_heap_alloc(handle_, bytes, until.c(), &data);

		return result<block<heap_ref>>::from_c(returned, block(*this, data));
	}
	/* How many waiters were served. */
	result<unsigned> give_back(void *data) const
	{
		return detail::count(tact_heap_free(handle_, data));
	}
	result<info> inquire() const
	{
		return detail::inquire<info>(tact_heap_inquire, handle_);
	}
	result<void> check() const
	{
		return result<void>::from_c(tact_heap_inquire(handle_, nullptr));
	}

      protected:
	static int erase(tact_heap_t handle)
	{
		return tact_heap_delete(handle);
	}
};

struct heap_attributes {
	const char *name = nullptr;
	std::span<std::byte> memory = {}; /* of the program; empty: it takes its own, of … */
	std::size_t bytes = 0;
	queueing order = queueing::fifo;
	std::uint32_t cpu = any_cpu;
};

/* Owns a heap. Its blocks end before it. */
class heap : public detail::owner<heap_ref>
{
      public:
	using attributes = heap_attributes;
	using owner::owner;

	static result<heap> create(const attributes &with)
	{
		return detail::made<heap>([&](tact_heap_t *made) {
			const bool own = with.memory.empty();

			return tact_heap_create(with.name, own ? nullptr : with.memory.data(),
						own ? with.bytes : with.memory.size(),
						detail::flags(with.order, with.cpu), made);
		});
	}
};

/* A block pool. Cost: that of the calls of C. */
class pool_ref : public detail::handle<tact_pool_t>
{
      public:
	using view = pool_ref;
	using info = tact_pool_info;
	using handle::handle;

	result<block<pool_ref>> get(timeout until = forever) const
	{
		void *data = nullptr;
		int returned = tact_pool_get(handle_, until.c(), &data);

		return result<block<pool_ref>>::from_c(returned, block(*this, data));
	}
	result<void> give_back(void *data) const
	{
		return result<void>::from_c(tact_pool_put(handle_, data));
	}
	result<info> inquire() const
	{
		return detail::inquire<info>(tact_pool_inquire, handle_);
	}
	result<void> check() const
	{
		return result<void>::from_c(tact_pool_inquire(handle_, nullptr));
	}

      protected:
	static int erase(tact_pool_t handle)
	{
		return tact_pool_delete(handle);
	}
};

struct pool_attributes {
	const char *name = nullptr;
	std::size_t block_bytes = 0;
	std::uint32_t blocks = 0;
	void *memory = nullptr; /* tact_pool_memory_bytes() of the program; nullptr: none */
	queueing order = queueing::fifo;
	std::uint32_t cpu = any_cpu;
};

/* Owns a block pool. Its blocks end before it. */
class pool : public detail::owner<pool_ref>
{
      public:
	using attributes = pool_attributes;
	using owner::owner;

	static result<pool> create(const attributes &with)
	{
		return detail::made<pool>([&](tact_pool_t *made) {
			return tact_pool_create(with.name, with.block_bytes, with.blocks,
						with.memory, detail::flags(with.order, with.cpu),
						made);
		});
	}
};

} // namespace v1
} // namespace tactus

#endif
