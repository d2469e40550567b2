/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the examples in C++ share, as ../example.h for those in C: notes, a check of results, and
 * the run of one task. They print what the examples in C of the same name print.
 */
#ifndef EXAMPLES_EXAMPLE_HPP
#define EXAMPLES_EXAMPLE_HPP

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

#include <tactus/tactus.hpp>

using namespace std::chrono_literals;

inline constexpr int no_such_cpu = 77;    /* exit status: this machine has too few CPUs */
inline constexpr std::uint32_t top = 200; /* priority of the task that directs the others */

inline char notes[4096];
inline std::size_t notes_bytes;

/* Leave a note. For tasks and handlers of one real-time CPU, which do not run at the same time. */
inline void note(const char *text)
{
	const std::size_t bytes = std::strlen(text);

	if (notes_bytes + bytes + 1 < sizeof(notes)) {
		std::memcpy(notes + notes_bytes, text, bytes);
		notes_bytes += bytes;
		notes[notes_bytes++] = '\n';
	}
}

/* The value of a result; an error ends the program. */
template <class T> T expect(tactus::result<T> result, const char *what)
{
	if (!result) {
		std::fprintf(stderr, "%s: %s\n", what, tactus::name_of(result.error()));
		std::exit(1);
	}
	return *std::move(result);
}

/* A task that exists and does not run yet. */
inline tactus::task make(const char *name, std::uint32_t priority)
{
	return expect(tactus::task::create({.name = name, .priority = priority}), name);
}

/* Run one task to its end, print the notes, and give everything back to Linux. */
inline int run(tactus::callback body)
{
	tactus::reason why;
	auto program = tactus::program::start({.name = "example", .cpus = 1}, &why);

	/* On success too there may be something to know: what the machine could not give. */
	if (why)
		std::fprintf(stderr, "%s\n", why.text);
	if (!program)
		return program == tactus::error::no_such_device_or_address ? no_such_cpu : 1;
	auto director =
		expect(tactus::task::spawn({.name = "director", .priority = top}, body), "spawn");
	expect(director.join(), "join");
	expect(program->stop(), "stop");
	std::fwrite(notes, 1, notes_bytes, stdout);
	return 0;
}

#endif
