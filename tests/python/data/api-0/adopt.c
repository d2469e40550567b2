/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * An existing thread becomes a real-time task and stops being one. It keeps its stack, its
 * thread-local storage and its place in the code. Here the program's first thread does it.
 */
#include "example.h"

static __thread int own = 1; /* the same variable in both lives */

int main(void)
{
	struct tact_task_attr attr = {.name = "main", .priority = 50};
	struct tact_task_info info;
	tact_task_t self;

	start(1);
	note(tact_mode() == TACT_MODE_NONE ? "main is a plain Linux thread" : "?");

	expect(tact_task_adopt(&attr, &self), "adopt");
	own++;
	note(tact_mode() == TACT_MODE_PRIMARY ? "main is a real-time task in primary mode" : "?");
	expect(tact_task_inquire(TACT_SELF, &info), "inquire");
	note(info.priority == 50 ? "of priority 50" : "?");
	expect(tact_task_sleep(TACT_MS(1)), "sleep");

	expect(tact_task_let_go(), "let go");
	own++;
	note(tact_mode() == TACT_MODE_NONE ? "main is a plain Linux thread again" : "?");
	note(own == 3 ? "and its thread-local storage went along" : "?");

	/* Its handle names nothing any more, and that is a defined error. */
	note(tact_task_inquire(self, NULL) == -TACT_EIDRM ? "the handle is stale" : "?");
	expect(tact_stop(), "stop");
	fwrite(example_notes, 1, example_notes_bytes, stdout);
	return 0;
}
