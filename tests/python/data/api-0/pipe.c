/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A pipe carries messages between a task and Linux. Neither side holds the other up: the task stays
 * in primary mode while a Linux thread, here main(), waits, prints and answers.
 */
#include "example.h"

static tact_pipe_t pipe_to_linux;

static void measure(void *arg)
{
	char answer[32];

	(void)arg;
	for (int i = 1; i <= 3; i++)
		expect(tact_pipe_write(pipe_to_linux, &i, sizeof(i), TACT_NOWAIT), "write");
	expect(tact_pipe_read(pipe_to_linux, answer, sizeof(answer), TACT_FOREVER), "read");
	note(answer);
	note(tact_mode() == TACT_MODE_PRIMARY ? "the task is in primary mode" : "?");
}

int main(void)
{
	struct tact_task_attr attr = {.name = "measure", .priority = 50};
	struct tact_pipe_end *end;
	tact_task_t task;
	int value;

	start(1);
	expect(tact_pipe_create("values", 1024, TACT_FIFO, &pipe_to_linux), "pipe");
	expect(tact_pipe_open(pipe_to_linux, &end), "open");
	expect(tact_task_spawn(&attr, measure, NULL, &task), "spawn");
	for (int i = 0; i < 3; i++) {
		expect(tact_pipe_end_read(end, &value, sizeof(value), TACT_FOREVER), "end read");
		printf("Linux: has read %d\n", value);
	}
	expect(tact_pipe_end_write(end, "task: thanked by Linux", 23, TACT_FOREVER), "end write");
	expect(tact_task_join(task, TACT_FOREVER), "join");
	expect(tact_pipe_close(end), "close");
	expect(tact_stop(), "stop");
	fwrite(example_notes, 1, example_notes_bytes, stdout);
	return 0;
}
