/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Printing from tasks: whole, in order, without a mode switch; and what happens when it is too
 * much. */
#include "test.h"

#include <errno.h>
#include <printf.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <syslog.h>
#include <unistd.h>

#include <alchemy/print.h>
#include <rtdk.h>
#include <trank/rtdk.h>

static FILE *out;
static char *printed;
static size_t printed_bytes;

static void open_out(void)
{
	out = open_memstream(&printed, &printed_bytes);
	expect_true(out != NULL);
}

static void expect_printed(const char *text)
{
	rt_print_flush_buffers();
	expect_ok(fflush(out));
	expect_str(printed, text);
}

static void expect_switches_unchanged(uint64_t before)
{
	struct tact_task_info info = {0};

	expect_ok(tact_task_inquire(TACT_SELF, &info));
	expect_eq(info.mode_switches, before);
}

static void print_all(void *unused)
{
	struct tact_task_info info = {0};

	(void)unused;
	expect_ok(tact_task_inquire(TACT_SELF, &info));
	expect_eq(rt_fprintf(out, "%d %s %.2f\n", 1, "two", 3.0), 11);
	expect_eq(rt_fputs("four", out), 1);
	expect_eq(rt_fputc('!', out), '!');
	expect_eq(rt_fwrite("fives", 2, 2, out), 2);
	expect_eq(rt_fwrite("", 0, 5, out), 0);
	expect_eq(rt_fwrite("", SIZE_MAX, 2, out), 0);
	expect_eq(rt_fprintf(out, "%*d|%-4s|%05.1f", 5, 6, "7", 8.25), 16);
	expect_switches_unchanged(info.mode_switches);
}

TEST(task_prints_without_a_mode_switch)
{
	open_out();
	/* The first one makes the rings. */
	rt_fputs("0\n", out);
	test_join(test_spawn(10, print_all, NULL));
	expect_printed("0\n1 two 3.00\nfour!five    6|7   |008.2");
}

static void interrupt(void *arg)
{
	rt_fprintf(out, "<%s>", (const char *)arg);
}

TEST(texts_come_in_the_order_of_the_calls)
{
	char expected[1024] = "";

	open_out();
	for (int i = 0; i < 20; i++) {
		rt_fprintf(out, "[%d]", i);
		test_join(test_spawn(10, interrupt, "a"));
		sprintf(expected + strlen(expected), "[%d]<a>", i);
	}
	expect_printed(expected);
}

static void print_in_handler(void *unused)
{
	(void)unused;
	expect_eq(rt_fprintf(out, "%s %05d %llx", "handler", 42, 0xbeefull), 18);
	expect_eq(rt_fputs(".", out), 1);
	expect_eq(rt_print_init(0, "h"), EPERM);
	rt_print_flush_buffers();
}

TEST(handler_prints_too)
{
	open_out();
	rt_fputs("", out);
	test_in_handler(print_in_handler, NULL);
	expect_printed("handler 00042 beef.");
}

TEST(standard_output_and_the_log_are_reached)
{
	FILE *file = tmpfile();
	char text[64] = "";

	expect_true(file != NULL);
	expect_true(dup2(fileno(file), STDOUT_FILENO) >= 0);
	expect_eq(rt_printf("%s-", "a"), 2);
	expect_true(rt_puts("b") >= 0);
	expect_eq(rt_putchar('c'), 'c');
	rt_print_flush_buffers();
	fflush(stdout);
	expect_eq(pread(fileno(file), text, sizeof(text), 0), 5);
	expect_str(text, "a-b\nc");
	capture_reports();
	openlog("printer", LOG_PERROR, LOG_USER);
	rt_syslog(LOG_DEBUG, "said %d", 7);
	rt_print_flush_buffers();
	expect_report("said 7");
}

TEST(rings_are_used_again_and_again)
{
	size_t bytes = 0;

	setenv("RT_PRINT_BUFFER", "1024", 1);
	setenv("RT_PRINT_BUFFERS_COUNT", "1", 1);
	open_out();
	for (int i = 0; i < 1000; i++) {
		bytes +=
			(size_t)rt_fprintf(out, "%d.%.*s", i, i % 300,
					   "....................................................."
					   ".....................................................");
		rt_print_flush_buffers();
	}
	fflush(out);
	expect_eq(printed_bytes, bytes);
}

/* %W: in the middle of a text a task waits until it is deleted. */
static int wait_in_text(FILE *stream, const struct printf_info *info, const void *const *args)
{
	(void)stream;
	(void)info;
	(void)args;
	return tact_task_suspend(TACT_SELF);
}

static int takes_nothing(const struct printf_info *info, size_t count, int *types, int *sizes)
{
	(void)info;
	(void)count;
	(void)types;
	(void)sizes;
	return 0;
}

static void print_until_deleted(void *format)
{
	(void)rt_fprintf(out, format, 0);
}

TEST(task_that_is_deleted_while_it_prints_leaves_its_ring)
{
	static char format[] = "%W";

	setenv("RT_PRINT_BUFFERS_COUNT", "2", 1);
	expect_ok(register_printf_specifier('W', wait_in_text, takes_nothing));
	open_out();
	for (int i = 0; i < 3; i++) {
		tact_task_t task = test_spawn(10, print_until_deleted, format);

		test_until_state(task, TACT_TASK_STATE_SUSPENDED);
		expect_ok(tact_task_delete(task));
	}
	expect_eq(rt_fprintf(out, "whole"), 5);
	expect_printed("whole");
}

TEST(too_much_is_refused_and_counted)
{
	static char page[2000];
	int fitted = 0;

	setenv("RT_PRINT_BUFFER", "1024", 1);
	setenv("RT_PRINT_BUFFERS_COUNT", "2", 1);
	setenv("RT_PRINT_PERIOD", "60000", 1);
	open_out();
	memset(page, 'x', sizeof(page) - 1);
	expect_eq(rt_fputs(page, out), EOF);
	expect_eq(rt_fprintf(out, "%s", page), -1);
	expect_eq(rt_fwrite(page, 1, sizeof(page), out), 0);
	while (rt_fputc('y', out) != EOF)
		fitted++;
	/* Two rings of 1024 bytes, 40 for each. */
	expect_eq(fitted, 50);
	expect_eq(rt_putchar('y'), EOF);
	expect_eq(rt_puts("y"), EOF);
	capture_reports();
	rt_print_flush_buffers();
	expect_report("6 printed texts are lost");
	fflush(out);
	expect_eq(printed_bytes, 50);
	/* A larger ring takes it. */
	expect_eq(rt_print_init(4096, "mine"), 0);
	expect_eq(rt_fputs(page, out), 1);
	expect_str(rt_print_buffer_name(), "mine");
	expect_eq(rt_print_init((size_t)1 << 40, NULL), ENOMEM);
	rt_print_cleanup();
	expect_str(rt_print_buffer_name(), "");
}

TEST(bad_settings_are_told_and_left)
{
	setenv("RT_PRINT_BUFFER", "-5", 1);
	setenv("RT_PRINT_BUFFERS_COUNT", "many", 1);
	setenv("RT_PRINT_PERIOD", "0", 1);
	capture_reports();
	open_out();
	rt_print_auto_init(1);
	expect_eq(rt_fputs("x", out), 1);
	expect_report("RT_PRINT_BUFFER=-5: use a number from 1024 to 67108864");
	expect_report("RT_PRINT_BUFFERS_COUNT=many: use a number from 1 to 64");
	expect_report("RT_PRINT_PERIOD=0: use a number from 1 to 60000");
	expect_printed("x");
}

TEST(it_is_written_soon_by_itself)
{
	FILE *file = tmpfile();

	setenv("RT_PRINT_PERIOD", "1", 1);
	expect_true(file != NULL);
	setvbuf(file, NULL, _IONBF, 0);
	rt_fputs("soon", file);
	while (lseek(fileno(file), 0, SEEK_END) < 4)
		usleep(1000);
}

TEST(child_of_a_fork_prints_its_own)
{
	FILE *file = tmpfile();
	char text[64] = "";
	int status;
	pid_t child;

	setenv("RT_PRINT_PERIOD", "60000", 1);
	expect_true(file != NULL);
	setvbuf(file, NULL, _IONBF, 0);
	rt_fputs("parent", file);
	child = fork();
	expect_true(child >= 0);
	if (!child) {
		rt_fputs("child ", file);
		rt_print_flush_buffers();
		_exit(0);
	}
	expect_eq(waitpid(child, &status, 0), child);
	expect_eq(status, 0);
	rt_print_flush_buffers();
	expect_eq(pread(fileno(file), text, sizeof(text), 0), 12);
	expect_str(text, "child parent");
}

static void name_it(void *unused)
{
	(void)unused;
	expect_str(rt_print_buffer_name(), "named");
}

TEST(name_of_a_printer_is_its_tasks)
{
	struct tact_task_attr attr = {.name = "named", .priority = 10};
	tact_task_t task;

	expect_ok(tact_task_spawn(&attr, name_it, NULL, &task));
	test_join(task);
}
