/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Trace objects: marks, their verification, their tasks; a wrong trace ends the program. */
#define _GNU_SOURCE
#include "test.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <copperplate/traceobj.h>

static struct traceobj trobj;

static void take_part(void *arg)
{
	int mark = *(int *)arg;

	traceobj_enter(&trobj);
	traceobj_mark(&trobj, mark);
	/* The other task has then left its mark. */
	tact_task_sleep(200 * TEST_MS);
	traceobj_mark(&trobj, mark + 1);
	traceobj_assert(&trobj, mark > 0);
	traceobj_check(&trobj, -EINVAL, -EINVAL);
	traceobj_exit(&trobj);
}

static void mark_in_handler(void *unused)
{
	(void)unused;
	traceobj_mark(&trobj, 9);
}

TEST(marks_in_the_right_order_are_verified)
{
	static int first = 1;
	static int second = 3;
	int right[] = {9, 3, 1, 4, 2};

	expect_ok(traceobj_init(&trobj, "trace", 5));
	test_in_handler(mark_in_handler, NULL);
	(void)test_spawn(20, take_part, &second);
	(void)test_spawn(10, take_part, &first);
	traceobj_join(&trobj);
	traceobj_verify(&trobj, right, 5);
	traceobj_destroy(&trobj);
}

static void stay(void *unused)
{
	(void)unused;
	traceobj_enter(&trobj);
	mark("inside");
	tact_task_sleep_until(TACT_FOREVER);
}

static void leave_soon(void *task)
{
	tact_task_sleep(20 * TEST_MS);
	mark("deletes");
	expect_ok(tact_task_delete(*(tact_task_t *)task));
}

TEST(task_that_is_deleted_takes_part_no_more)
{
	tact_task_t task;
	tact_task_t other;

	expect_ok(traceobj_init(&trobj, "trace", 0));
	task = test_spawn(20, stay, NULL);
	test_until_state(task, TACT_TASK_STATE_SLEEPING);
	other = test_spawn(20, leave_soon, &task);
	traceobj_join(&trobj);
	mark("joined");
	test_join(other);
	expect_marks("inside deletes joined");
	traceobj_destroy(&trobj);
}

static void stay_quietly(void *unused)
{
	(void)unused;
	traceobj_enter(&trobj);
	tact_task_sleep_until(TACT_FOREVER);
}

TEST(places_of_deleted_tasks_are_taken_again)
{
	expect_ok(traceobj_init(&trobj, "trace", 0));
	for (int i = 0; i < 3 * TRACEOBJ_TASKS; i++) {
		tact_task_t task = test_spawn(20, stay_quietly, NULL);

		test_until_state(task, TACT_TASK_STATE_SLEEPING);
		expect_ok(tact_task_delete(task));
	}
	traceobj_join(&trobj);
	traceobj_destroy(&trobj);
}

TEST(linux_threads_take_part)
{
	expect_ok(traceobj_init(&trobj, "trace", 1));
	traceobj_enter(&trobj);
	traceobj_mark(&trobj, 1);
	traceobj_unwind(&trobj);
	traceobj_join(&trobj);
	traceobj_verify(&trobj, (int[]){1}, 1);
}

/* Expects the status and the text of a program that does this. */
static void expect_end(void (*body)(void), int status, const char *said)
{
	static char text[4096];
	int pipes[2];
	size_t bytes = 0;
	ssize_t got;
	int ended;
	pid_t child;

	expect_ok(pipe(pipes));
	expect_ok(traceobj_init(&trobj, "trace", 2));
	child = fork();
	expect_true(child >= 0);
	if (!child) {
		dup2(pipes[1], STDERR_FILENO);
		close(pipes[1]);
		body();
		_exit(77);
	}
	close(pipes[1]);
	while ((got = read(pipes[0], text + bytes, sizeof(text) - 1 - bytes)) > 0)
		bytes += (size_t)got;
	text[bytes] = 0;
	close(pipes[0]);
	expect_eq(waitpid(child, &ended, 0), child);
	expect_true(WIFEXITED(ended));
	expect_eq(WEXITSTATUS(ended), status);
	if (!strstr(text, said))
		test_fail(__FILE__, __LINE__, "expected \"%s\" in \"%s\"", said, text);
	traceobj_destroy(&trobj);
}

static void wrong_mark(void)
{
	traceobj_mark(&trobj, 1);
	traceobj_verify(&trobj, (int[]){2}, 1);
}

static void too_few_marks(void)
{
	traceobj_mark(&trobj, 1);
	traceobj_verify(&trobj, (int[]){1, 2}, 2);
}

static void unexpected_mark(void)
{
	traceobj_mark(&trobj, 1);
	traceobj_mark(&trobj, 2);
	traceobj_verify(&trobj, (int[]){1}, 1);
}

static void no_mark(void)
{
	traceobj_verify(&trobj, NULL, 0);
}

static void too_many_marks(void)
{
	for (int i = 0; i < 3; i++)
		traceobj_mark(&trobj, i);
}

static void failed_assertion(void)
{
	traceobj_mark(&trobj, 8);
	traceobj_assert(&trobj, 1 == 2);
}

static void wrong_status(void)
{
	traceobj_check_abort(&trobj, -ENOMEM, 0);
}

static void warned_status(void)
{
	traceobj_check_warn(&trobj, 0, -EINVAL);
	exit(3);
}

TEST(what_is_wrong_is_told_and_ends_the_program)
{
	expect_end(wrong_mark, 5, "[1], should be [2]");
	expect_end(too_few_marks, 5, "nothing, should be [2]");
	expect_end(unexpected_mark, 5, "[2], and there should be nothing");
	expect_end(no_mark, 1, "no mark was left");
	expect_end(too_many_marks, 1, "too many marks: [2]");
	expect_end(failed_assertion, 1, "expected 1 == 2");
	expect_end(wrong_status, 1, "Cannot allocate memory), expected 0 (no error)");
	expect_end(warned_status, 3, "status 0 (no error), expected -22 (Invalid argument)");
}
