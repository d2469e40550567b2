/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What pipes refuse, and what handlers may do. */
#include "test.h"

#define BYTES   64u
#define LONGEST (BYTES - 4)

static tact_pipe_t tube;
static struct tact_pipe_end *end;

static void make(void)
{
	expect_ok(tact_pipe_create("tube", BYTES, 0, &tube));
	expect_ok(tact_pipe_open(tube, &end));
}

TEST(refusals_bear_their_codes)
{
	struct tact_pipe_end *other;
	char buffer[LONGEST + 1];
	char address[TACT_PIPE_ADDRESS_BYTES];

	expect_error(tact_pipe_create(NULL, BYTES - 1, 0, &tube), TACT_EINVAL);
	expect_error(tact_pipe_create(NULL, TACT_PIPE_BYTES_MAX + 1, 0, &tube), TACT_EINVAL);
	expect_error(tact_pipe_create(NULL, BYTES, 0x100000, &tube), TACT_EINVAL);
	expect_error(tact_pipe_create(NULL, BYTES, TACT_ON_CPU(7), &tube), TACT_ENXIO);
	make();
	expect_error(tact_pipe_create("tube", BYTES, 0, NULL), TACT_EEXIST);
	expect_error(tact_pipe_open(tube, &other), TACT_EBUSY);
	expect_error(tact_pipe_open(tube, NULL), TACT_EINVAL);
	expect_error(tact_pipe_open((tact_pipe_t){0x12345}, &other), TACT_EBADF);
	expect_error(tact_pipe_serve((tact_pipe_t){0x12345}, NULL, 0), TACT_EBADF);
	expect_error(tact_pipe_serve(tube, address, sizeof(address)),
		     test_on_sim() ? TACT_ENOTSUP : TACT_EBUSY);
	expect_error(tact_pipe_write(tube, buffer, sizeof(buffer), TACT_NOWAIT), TACT_EMSGSIZE);
	expect_error(tact_pipe_write(tube, NULL, 1, TACT_NOWAIT), TACT_EFAULT);
	expect_error(tact_pipe_write(tube, buffer, 1, tact_timeout_make(0, 9)), TACT_EINVAL);
	expect_error(tact_pipe_read(tube, NULL, 1, TACT_NOWAIT), TACT_EFAULT);
	expect_error(tact_pipe_read(tube, buffer, 1, tact_timeout_make(0, 9)), TACT_EINVAL);
	expect_error(tact_pipe_read(tube, buffer, 1, TACT_NOWAIT), TACT_EAGAIN);
	expect_error(tact_pipe_end_write(end, buffer, sizeof(buffer), TACT_NOWAIT), TACT_EMSGSIZE);
	expect_error(tact_pipe_end_write(NULL, buffer, 1, TACT_NOWAIT), TACT_EINVAL);
	expect_error(tact_pipe_end_read(end, NULL, 1, TACT_NOWAIT), TACT_EFAULT);
	expect_error(tact_pipe_end_read(NULL, buffer, 1, TACT_NOWAIT), TACT_EINVAL);
	expect_error(tact_pipe_end_write(end, NULL, 1, TACT_NOWAIT), TACT_EFAULT);
	expect_error(tact_pipe_close(NULL), TACT_EINVAL);
	expect_error(tact_pipe_end_deleted(NULL), TACT_EINVAL);
	expect_eq(tact_pipe_end_deleted(end), 0);
	expect_ok(tact_pipe_end_write(end, buffer, 20, TACT_NOWAIT));
	expect_error(tact_pipe_read(tube, buffer, 19, TACT_NOWAIT), TACT_EMSGSIZE);
	expect_eq(tact_pipe_read(tube, buffer, 20, TACT_NOWAIT), 20);
	expect_ok(tact_pipe_end_write(end, buffer, LONGEST, TACT_NOWAIT));
	expect_error(tact_pipe_end_write(end, buffer, 1, TACT_NOWAIT), TACT_EAGAIN);
	expect_error(tact_pipe_end_write(end, buffer, 1, tact_in(2 * TEST_MS)), TACT_ETIMEDOUT);
	expect_ok(tact_pipe_close(end));
}

TASK_TEST(the_linux_end_is_not_for_tasks)
{
	expect_ok(tact_pipe_create(NULL, BYTES, 0, &tube));
	expect_error(tact_pipe_open(tube, &end), TACT_EPERM);
	expect_error(tact_pipe_serve(tube, NULL, 0), TACT_EPERM);
	expect_error(tact_pipe_end_deleted(end), TACT_EPERM);
	expect_error(tact_pipe_end_read(end, NULL, 0, TACT_NOWAIT), TACT_EPERM);
	expect_error(tact_pipe_end_write(end, NULL, 0, TACT_NOWAIT), TACT_EPERM);
	expect_error(tact_pipe_close(end), TACT_EPERM);
}

static void in_handler(void *arg)
{
	char byte;

	(void)arg;
	expect_ok(tact_pipe_write(tube, "x", 1, TACT_NOWAIT));
	expect_error(tact_pipe_write(tube, "x", 1, TACT_FOREVER), TACT_EPERM);
	expect_error(tact_pipe_read(tube, &byte, 1, TACT_NOWAIT), TACT_EAGAIN);
	expect_error(tact_pipe_delete(tube), TACT_EPERM);
	mark("handled");
}

TEST(handlers_may_write_but_not_wait)
{
	char byte;

	make();
	test_in_handler(in_handler, NULL);
	expect_eq(tact_pipe_end_read(end, &byte, 1, TACT_NOWAIT), 1);
	expect_marks("handled");
	expect_ok(tact_pipe_close(end));
}

static void afar(void *unused)
{
	char byte;

	(void)unused;
	expect_error(tact_pipe_write(tube, "x", 1, TACT_NOWAIT), TACT_EPERM);
	expect_error(tact_pipe_read(tube, &byte, 1, TACT_NOWAIT), TACT_EPERM);
	expect_error(tact_pipe_inquire(tube, NULL), TACT_EPERM);
}

TEST_CPUS(2, handlers_leave_the_pipes_of_other_cpus_alone)
{
	expect_ok(tact_pipe_create(NULL, BYTES, TACT_ON_CPU(1), &tube));
	test_in_handler(afar, NULL);
	expect_error(tact_pipe_read(tube, NULL, 0, TACT_NOWAIT), TACT_EAGAIN);
}

TASK_TEST(wrong_handles_are_refused)
{
	const tact_pipe_t self = {tact_task_self().id};
	char byte;

	expect_error(tact_pipe_write(self, "x", 1, TACT_NOWAIT), TACT_EBADF);
	expect_error(tact_pipe_read(self, &byte, 1, TACT_NOWAIT), TACT_EBADF);
	expect_error(tact_pipe_inquire(self, NULL), TACT_EBADF);
	expect_error(tact_pipe_delete(self), TACT_EBADF);
	expect_ok(tact_pipe_create(NULL, BYTES, 0, &tube));
	expect_ok(tact_pipe_delete(tube));
	expect_error(tact_pipe_delete(tube), TACT_EIDRM);
}

TEST_UNSTARTED(nothing_works_before_the_start)
{
	expect_error(tact_pipe_create(NULL, BYTES, 0, &tube), TACT_EPERM);
	expect_error(tact_pipe_open((tact_pipe_t){0x40001}, &end), TACT_EPERM);
	expect_error(tact_pipe_write((tact_pipe_t){0x40001}, "", 1, TACT_NOWAIT), TACT_EPERM);
}
