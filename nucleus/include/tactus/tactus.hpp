/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The whole native API for C++20, in the namespace tactus: owners of all objects, deadlines of
 * std::chrono, and results instead of exceptions. Everything is inline and calls the API of C,
 * whose headers are its manual. Nothing here allocates, throws or needs run-time type information;
 * programs may be compiled with -fno-exceptions and -fno-rtti. docs/guide/cpp.md is an
 * introduction.
 */
#ifndef TACTUS_TACTUS_HPP
#define TACTUS_TACTUS_HPP

#if __cplusplus < 202002L
#error "<tactus/tactus.hpp> needs C++20: compile with -std=c++20, or include <tactus/tact.h>"
#endif

#include <tactus/cpp/callback.hpp>
#include <tactus/cpp/device.hpp>
#include <tactus/cpp/lock.hpp>
#include <tactus/cpp/memory.hpp>
#include <tactus/cpp/object.hpp>
#include <tactus/cpp/port.hpp>
#include <tactus/cpp/program.hpp>
#include <tactus/cpp/queue.hpp>
#include <tactus/cpp/result.hpp>
#include <tactus/cpp/sched.hpp>
#include <tactus/cpp/select.hpp>
#include <tactus/cpp/stream.hpp>
#include <tactus/cpp/sync.hpp>
#include <tactus/cpp/task.hpp>
#include <tactus/cpp/time.hpp>
#include <tactus/cpp/timer.hpp>
#include <tactus/cpp/zqueue.hpp>
#include <tactus/tact.h>

#endif
