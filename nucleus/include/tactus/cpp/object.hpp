/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What all objects have in common in C++.
 *
 * Each type of object has two classes. A view (semaphore_ref) is a handle with the calls of its
 * type; it is passed by value and owns nothing. An owner (semaphore) is a view that deletes the
 * object at its end; it can be moved and not copied, and an owner that was moved from names no
 * object. The owner converts to the view, as a std::string does to a std::string_view.
 *
 * Objects are created by create(), which returns a result, with attributes that are given by
 * designated initializers. The calls have the names, the results, the contexts and the cost of
 * those of C, and may be made by any number of tasks and threads at once; only what changes an
 * owner itself (move, destroy()) is for one at a time. A view is constant if its handle is: its
 * calls change the object. An owner ends, as its object, before the program stops.
 *
 * Nothing throws. Calls are not declared noexcept all the same, because the stack of an attached
 * thread is unwound through them if its task is deleted (task.h), as by a cancellation. Destructors
 * and assignments are noexcept: if the task is deleted while it waits in one of them (of a task, a
 * timer, an interrupt, or of an object on another CPU), the program ends.
 */
#ifndef TACTUS_CPP_OBJECT_HPP
#define TACTUS_CPP_OBJECT_HPP

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>

#include <tactus/cpp/result.hpp>
#include <tactus/cpp/time.hpp>
#include <tactus/object.h>
#include <tactus/registry.h>

namespace tactus
{
inline namespace v1
{

/* The order in which waiters are served. */
enum class queueing : std::uint32_t {
	fifo = TACT_FIFO,     /* of arrival */
	priority = TACT_PRIO, /* of priority, then deadline, then arrival */
};

/* In the place of a real-time CPU: that of the task that creates, 0 if it is a Linux thread. */
inline constexpr std::uint32_t any_cpu = UINT32_MAX;

namespace detail
{

constexpr std::uint32_t home(std::uint32_t cpu) noexcept
{
	return cpu == any_cpu ? 0 : TACT_ON_CPU(cpu);
}

constexpr std::uint32_t flags(queueing order, std::uint32_t cpu) noexcept
{
	return static_cast<std::uint32_t>(order) | home(cpu);
}

constexpr std::uint32_t when(bool wanted, std::uint32_t flag) noexcept
{
	return wanted ? flag : 0;
}

/* The common part of views. */
template <class Handle> class handle
{
      public:
	using c_type = Handle;

	constexpr handle() noexcept = default;
	constexpr explicit handle(Handle from) noexcept : handle_(from)
	{
	}
	/* For calls of C. */
	[[nodiscard]] constexpr Handle c() const noexcept
	{
		return handle_;
	}
	[[nodiscard]] constexpr tact_object_t object() const noexcept
	{
		return tact_object_t{handle_.id};
	}
	/* Does it name an object, which may have been deleted? */
	constexpr explicit operator bool() const noexcept
	{
		return handle_.id != 0;
	}
	friend constexpr bool operator==(const handle &one, const handle &other) noexcept
	{
		return one.handle_.id == other.handle_.id;
	}

      protected:
	Handle handle_{};
};

/* The common part of owners. View::erase(handle) deletes. */
template <class View> class owner : public View
{
      public:
	using view = View;
	using c_type = typename View::c_type;

	constexpr owner() noexcept = default;
	/* Own what was created otherwise, or found. */
	constexpr explicit owner(c_type from) noexcept : View(from)
	{
	}
	constexpr owner(owner &&other) noexcept : View(std::exchange(other.handle_, c_type{}))
	{
	}
	owner &operator=(owner &&other) noexcept
	{
		c_type next = std::exchange(other.handle_, c_type{});

		if (*this)
			(void)View::erase(this->handle_);
		this->handle_ = next;
		return *this;
	}
	~owner()
	{
		if (*this)
			(void)View::erase(this->handle_);
	}
	/* Delete now, and learn the result. After an error the object is still owned. */
	result<void> destroy()
	{
		int returned = View::erase(this->handle_);

		if (returned >= 0)
			this->handle_ = c_type{};
		return result<void>::from_c(returned);
	}
	/* The object outlives its owner from now on. */
	friend View release(owner &&from) noexcept
	{
		return View(std::exchange(from.handle_, c_type{}));
	}
};

template <class Info, class Handle> result<Info> inquire(int (*call)(Handle, Info *), Handle of)
{
	return result<Info>(filled{}, [&](void *memory) {
		Info *const info = std::construct_at(static_cast<Info *>(memory));

		info->size = sizeof(Info);
		return call(of, info);
	});
}

/* create(&handle) makes an object and returns what C returned. */
template <class Owner, class Create> result<Owner> made(const Create &create)
{
	typename Owner::c_type handle{};
	int returned = create(&handle);

	return result<Owner>::from_c(returned, Owner(handle));
}

} // namespace detail

/**
 * Find an object by its name: find<semaphore>("full", 1s) is a semaphore_ref. Waits until an object
 * of this name is created. An object of another type is error::bad_file_descriptor.
 * Cost: tact_find(), and an inquiry for the type.
 */
template <class Object>
result<typename Object::view> find(const char *name, timeout until = forever)
{
	using view = typename Object::view;
	tact_object_t object{};
	int returned = tact_find(name, until.c(), &object);

	if (returned < 0)
		return static_cast<error>(-returned);
	const view found(typename view::c_type{object.id});
	const result<void> fits = found.check();
	return fits ? result<view>(found) : result<view>(fits.error());
}

} // namespace v1
} // namespace tactus

#endif
