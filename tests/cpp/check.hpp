/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Expectations of results, beside those of the fixture. */
#ifndef TESTS_CPP_CHECK_HPP
#define TESTS_CPP_CHECK_HPP

#include <tactus/tactus.hpp>

#include "test.h"

using namespace std::chrono_literals;
using tactus::error;
using tactus::result;

/* The value of a result; an error ends the case. */
template <class T> T good_at(const char *file, int line, const char *what, result<T> &&from)
{
	if (!from)
		test_fail(file, line, "%s: expected a value, actual %s", what,
			  tactus::name_of(from.error()));
	return *std::move(from);
}

template <class T>
void bad_at(const char *file, int line, const char *what, const result<T> &from, error code)
{
	test_expect_text(file, line, what, from ? "a value" : tactus::name_of(from.error()),
			 tactus::name_of(code));
}

#define good(...)                good_at(__FILE__, __LINE__, #__VA_ARGS__, __VA_ARGS__)
#define expect_bad(result, code) bad_at(__FILE__, __LINE__, #result, result, code)

/* An owner moves, and its object is deleted once, at the end of the last one. */
template <class Owner> void expect_owner_at(const char *file, int line, Owner &&first)
{
	const typename Owner::view view = first;
	{
		Owner second(std::move(first));
		Owner third;

		test_expect_equal(file, line, "moved from", bool(first), 0);
		good_at(file, line, "moved", view.check());
		third = std::move(second);
		third = std::move(third);
		test_expect_equal(file, line, "assigned from", bool(second), 0);
		test_expect_equal(file, line, "the same object", third == view, 1);
		good_at(file, line, "assigned", view.check());
	}
	bad_at(file, line, "deleted", view.check(), error::identifier_removed);
	/* For a task this is the caller. */
	if constexpr (!std::is_same_v<Owner, tactus::task>)
		bad_at(file, line, "empty", typename Owner::view().check(),
		       error::bad_file_descriptor);
}

#define expect_owner(...) expect_owner_at(__FILE__, __LINE__, good(__VA_ARGS__))

#endif
