/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Primary and secondary mode. In primary mode Tactus runs a task; a Linux call moves it to its
 * Linux thread, its next call of Tactus brings it back. Each such mode switch costs time and is
 * counted, and it can be forbidden. (In virtual time there is no trap for Linux calls: the first
 * one goes unseen there.)
 */
#include <unistd.h>

#include "example.h"

static void tell_mode(const char *when)
{
	static const char *const names[] = {"none", "primary", "secondary", "handler"};
	char text[64];

	snprintf(text, sizeof(text), "%s: %s mode", when, names[tact_mode()]);
	note(text);
}

static void call_linux(void *arg)
{
	(void)arg;
	(void)getppid();
	note("this is not reached where Linux calls are seen");
}

static void direct(void *arg)
{
	tact_task_t strict = make("strict", 220, TACT_TASK_NO_LINUX);
	struct tact_task_info info;
	char text[64];

	(void)arg;
	expect(tact_task_yield(),
	       "yield"); /* making a task took us to Linux; this brings us back */
	expect(tact_task_inquire(TACT_SELF, &info), "inquire");
	uint64_t before = info.mode_switches;

	tell_mode("at first");
	(void)getppid();
	tell_mode("after a Linux call");
	expect(tact_task_harden(), "harden");
	tell_mode("after tact_task_harden()");
	expect(tact_task_inquire(TACT_SELF, &info), "inquire");
	snprintf(text, sizeof(text), "mode switches: %d", (int)(info.mode_switches - before));
	note(text);

	/* A task that may make no Linux call is stopped and reported when it does. */
	expect(tact_task_start(strict, call_linux, NULL), "start");
	note(tact_task_join(strict, TACT_FOREVER) == 1 ? "strict: was stopped" : "strict: ended");
}

int main(void)
{
	return run(1, direct);
}
