/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Sizes, messages, handles and contexts that a zero-copy queue refuses. */
#include <sys/resource.h>

#include "test.h"

#define BYTES 8192u

static tact_zqueue_t zqueue;
static _Alignas(16) char memory[BYTES];

TASK_TEST(creation_checks_its_arguments)
{
	expect_error(tact_zqueue_create(NULL, memory, TACT_ZQUEUE_BYTES_MIN - 1, 0, 0, NULL),
		     TACT_EINVAL);
	expect_error(tact_zqueue_create(NULL, memory, (size_t)1 << 37, 0, 0, NULL), TACT_EINVAL);
	expect_error(tact_zqueue_create(NULL, memory, BYTES, 0, 0x40, NULL), TACT_EINVAL);
	expect_error(tact_zqueue_create("", memory, BYTES, 0, 0, NULL), TACT_EINVAL);
	expect_error(tact_zqueue_create(NULL, memory, BYTES, 0, TACT_ON_CPU(1), NULL), TACT_ENXIO);
	expect_ok(tact_zqueue_create("taken", memory, BYTES, 0, 0, NULL));
	expect_error(tact_zqueue_create("taken", NULL, BYTES, 0, 0, NULL), TACT_EEXIST);
}

TEST(memory_of_its_own_may_not_be_there)
{
	struct rlimit all;
	struct rlimit none;
	int result;

	expect_ok(getrlimit(RLIMIT_AS, &all));
	none = all;
	none.rlim_cur = 1;
	expect_ok(setrlimit(RLIMIT_AS, &none));
	result = tact_zqueue_create(NULL, NULL, 1u << 20, 0, 0, &zqueue);
	expect_ok(setrlimit(RLIMIT_AS, &all));
	expect_error(result, TACT_ENOMEM);
	expect_ok(tact_zqueue_create(NULL, NULL, 1u << 20, 0, 0, &zqueue));
}

TASK_TEST(task_goes_to_linux_for_what_the_pool_has_not)
{
	tact_zqueue_t more[32];
	struct tact_task_info info = {0};
	uint64_t before;
	int count = 0;

	expect_ok(tact_task_inquire(TACT_SELF, &info));
	before = info.mode_switches;
	expect_ok(tact_zqueue_create(NULL, NULL, BYTES, 0, 0, &zqueue));
	expect_ok(tact_task_inquire(TACT_SELF, &info));
	expect_eq(info.mode_switches, before);
	/* One more than the pool has room for. */
	while (info.mode_switches == before && count < 32) {
		expect_ok(tact_zqueue_create(NULL, NULL, 256u << 10, 0, 0, &more[count++]));
		expect_ok(tact_task_inquire(TACT_SELF, &info));
	}
	expect_true(info.mode_switches > before);
	while (count--) {
		expect_eq(tact_zqueue_write(more[count], "x", 1, 0), 0);
		expect_ok(tact_zqueue_delete(more[count]));
	}
}

TASK_TEST(messages_are_checked)
{
	void *message;
	void *other;

	expect_ok(tact_zqueue_create(NULL, memory, BYTES, 1, 0, &zqueue));
	expect_error(tact_zqueue_alloc(zqueue, 8, NULL), TACT_EINVAL);
	expect_error(tact_zqueue_alloc(zqueue, TACT_ZQUEUE_MESSAGE_MAX + 1u, &message),
		     TACT_EINVAL);
	expect_error(tact_zqueue_alloc(zqueue, BYTES, &message), TACT_ENOSPC);
	expect_ok(tact_zqueue_alloc(zqueue, 32, &message));
	expect_ok(tact_zqueue_alloc(zqueue, 32, &other));
	expect_error(tact_zqueue_send(zqueue, NULL, 0, 0), TACT_EINVAL);
	expect_error(tact_zqueue_send(zqueue, (char *)message + 16, 0, 0), TACT_EINVAL);
	expect_error(tact_zqueue_send(zqueue, (void *)8, 0, 0), TACT_EINVAL);
	expect_error(tact_zqueue_send(zqueue, &message, 0, 0), TACT_EINVAL);
	expect_error(tact_zqueue_send(zqueue, message, 0, 4), TACT_EINVAL);
	expect_error(tact_zqueue_send(zqueue, message, 33 + 16, 0), TACT_EMSGSIZE);
	expect_error(tact_zqueue_send(zqueue, message, SIZE_MAX, 0), TACT_EMSGSIZE);
	expect_eq(tact_zqueue_send(zqueue, message, 32, 0), 0);
	expect_error(tact_zqueue_send(zqueue, message, 32, 0), TACT_EINVAL);
	expect_error(tact_zqueue_free(zqueue, message), TACT_EINVAL);
	expect_error(tact_zqueue_send(zqueue, other, 32, 0), TACT_ENOSPC);
	expect_error(tact_zqueue_write(zqueue, "x", 1, 0), TACT_ENOSPC);
	expect_error(tact_zqueue_write(zqueue, NULL, 1, 0), TACT_EFAULT);
	expect_error(tact_zqueue_write(zqueue, "x", 1, 4), TACT_EINVAL);
	expect_error(tact_zqueue_write(zqueue, "x", TACT_ZQUEUE_MESSAGE_MAX + 1u, 0),
		     TACT_EMSGSIZE);
	expect_error(tact_zqueue_free(zqueue, NULL), TACT_EINVAL);
	expect_ok(tact_zqueue_free(zqueue, other));
	expect_error(tact_zqueue_free(zqueue, other), TACT_EINVAL);
	expect_error(tact_zqueue_receive(zqueue, NULL, TACT_NOWAIT), TACT_EINVAL);
	expect_error(tact_zqueue_receive(zqueue, &message, tact_timeout_make(0, 9)), TACT_EINVAL);
	expect_error(tact_zqueue_read(zqueue, NULL, 1, TACT_NOWAIT), TACT_EFAULT);
	expect_error(tact_zqueue_read(zqueue, NULL, 0, tact_timeout_make(0, 9)), TACT_EINVAL);
	expect_eq(tact_zqueue_flush(zqueue), 1);
	expect_error(tact_zqueue_receive(zqueue, &message, TACT_NOWAIT), TACT_EAGAIN);
	expect_error(tact_zqueue_read(zqueue, NULL, 0, TACT_NOWAIT), TACT_EAGAIN);
}

TASK_TEST(overwritten_bookkeeping_is_told)
{
	void *message;
	void *behind;

	expect_ok(tact_zqueue_create(NULL, memory, BYTES, 0, 0, &zqueue));
	expect_ok(tact_zqueue_alloc(zqueue, 32, &message));
	expect_ok(tact_zqueue_alloc(zqueue, 32, &behind));
	memset((char *)message + 32, 0xff, 16);
	expect_error(tact_zqueue_free(zqueue, message), TACT_EFAULT);
}

TASK_TEST(wrong_handles_are_refused)
{
	tact_sem_t sem;
	void *message;

	expect_ok(tact_sem_create(NULL, 0, 1, 0, &sem));
	expect_error(tact_zqueue_alloc((tact_zqueue_t){sem.id}, 1, &message), TACT_EBADF);
	expect_error(tact_zqueue_free((tact_zqueue_t){sem.id}, memory), TACT_EBADF);
	expect_error(tact_zqueue_send((tact_zqueue_t){sem.id}, memory, 0, 0), TACT_EBADF);
	expect_error(tact_zqueue_write((tact_zqueue_t){sem.id}, "x", 1, 0), TACT_EBADF);
	expect_error(tact_zqueue_receive((tact_zqueue_t){sem.id}, &message, TACT_NOWAIT),
		     TACT_EBADF);
	expect_error(tact_zqueue_read((tact_zqueue_t){sem.id}, NULL, 0, TACT_NOWAIT), TACT_EBADF);
	expect_error(tact_zqueue_flush((tact_zqueue_t){sem.id}), TACT_EBADF);
	expect_error(tact_zqueue_inquire((tact_zqueue_t){sem.id}, NULL), TACT_EBADF);
	expect_error(tact_zqueue_delete((tact_zqueue_t){sem.id}), TACT_EBADF);
	expect_ok(tact_zqueue_create(NULL, memory, BYTES, 0, 0, &zqueue));
	expect_ok(tact_zqueue_delete(zqueue));
	expect_error(tact_zqueue_alloc(zqueue, 1, &message), TACT_EIDRM);
	expect_error(tact_zqueue_free(zqueue, memory), TACT_EIDRM);
	expect_error(tact_zqueue_send(zqueue, memory, 0, 0), TACT_EIDRM);
	expect_error(tact_zqueue_write(zqueue, "x", 1, 0), TACT_EIDRM);
	expect_error(tact_zqueue_receive(zqueue, &message, TACT_NOWAIT), TACT_EIDRM);
	expect_error(tact_zqueue_read(zqueue, NULL, 0, TACT_NOWAIT), TACT_EIDRM);
	expect_error(tact_zqueue_flush(zqueue), TACT_EIDRM);
	expect_error(tact_zqueue_inquire(zqueue, NULL), TACT_EIDRM);
	expect_error(tact_zqueue_delete(zqueue), TACT_EIDRM);
}

static void use_here(void *unused)
{
	void *message;

	(void)unused;
	expect_error(tact_zqueue_create(NULL, memory, BYTES, 0, 0, NULL), TACT_EPERM);
	expect_error(tact_zqueue_delete(zqueue), TACT_EPERM);
	expect_error(tact_zqueue_receive(zqueue, &message, TEST_LONG), TACT_EPERM);
	expect_error(tact_zqueue_read(zqueue, NULL, 0, TEST_LONG), TACT_EPERM);
	expect_error(tact_zqueue_receive(zqueue, &message, TACT_NOWAIT), TACT_EAGAIN);
	expect_ok(tact_zqueue_alloc(zqueue, 8, &message));
	expect_eq(tact_zqueue_send(zqueue, message, 8, 0), 0);
	expect_eq(tact_zqueue_write(zqueue, "abc", 4, 0), 0);
	expect_eq(tact_zqueue_receive(zqueue, &message, TACT_NOWAIT), 8);
	expect_ok(tact_zqueue_free(zqueue, message));
	expect_eq(tact_zqueue_flush(zqueue), 1);
}

TEST(handler_never_waits)
{
	expect_ok(tact_zqueue_create(NULL, memory, BYTES, 0, 0, &zqueue));
	test_in_handler(use_here, NULL);
}

static void use_afar(void *message)
{
	char text[TACT_HANDLER_BYTES + 1] = "by value";

	expect_error(tact_zqueue_alloc(zqueue, 8, &message), TACT_EPERM);
	expect_error(tact_zqueue_receive(zqueue, &message, TACT_NOWAIT), TACT_EPERM);
	expect_error(tact_zqueue_read(zqueue, text, 1, TACT_NOWAIT), TACT_EPERM);
	expect_error(tact_zqueue_inquire(zqueue, NULL), TACT_EPERM);
	expect_error(tact_zqueue_write(zqueue, text, sizeof(text), 0), TACT_EMSGSIZE);
	expect_eq(tact_zqueue_send(zqueue, message, 5, 0), 0);
	expect_eq(tact_zqueue_write(zqueue, text, 9, 0), 0);
	memset(text, 'x', sizeof(text));
}

static void give_back_afar(void *message)
{
	expect_ok(tact_zqueue_free(zqueue, message));
	expect_eq(tact_zqueue_flush(zqueue), 0);
}

TEST_CPUS(2, handler_sends_to_another_cpu)
{
	struct tact_zqueue_info info = {0};
	char text[16];
	void *message;

	expect_ok(tact_zqueue_create(NULL, NULL, BYTES, 0, TACT_ON_CPU(1), &zqueue));
	expect_ok(tact_zqueue_alloc(zqueue, 8, &message));
	strcpy(message, "sent");
	test_in_handler(use_afar, message);
	expect_eq(tact_zqueue_receive(zqueue, &message, TEST_LONG), 5);
	expect_str(message, "sent");
	expect_eq(tact_zqueue_read(zqueue, text, sizeof(text), TEST_LONG), 9);
	expect_str(text, "by value");
	expect_eq(tact_zqueue_write(zqueue, "x", 1, 0), 0);
	test_in_handler(give_back_afar, message);
	do
		expect_ok(tact_zqueue_inquire(zqueue, &info));
	while (info.used_bytes);
	expect_eq(info.messages, 0);
}

LIGHT_TEST(a_light_task_brings_its_own_memory)
{
	expect_error(tact_zqueue_create(NULL, NULL, 1u << 20, 0, 0, &zqueue), TACT_EPERM);
	expect_ok(tact_zqueue_create(NULL, memory, BYTES, 0, 0, &zqueue));
	expect_ok(tact_delete(tact_object(zqueue)));
	/* Memory of the pool is as good. */
	expect_ok(tact_zqueue_create(NULL, NULL, BYTES, 0, 0, &zqueue));
	expect_ok(tact_delete(tact_object(zqueue)));
}

TEST_UNSTARTED(nothing_works_before_the_start)
{
	expect_error(tact_zqueue_create(NULL, memory, BYTES, 0, 0, &zqueue), TACT_EPERM);
	expect_error(tact_zqueue_write((tact_zqueue_t){0x40001}, "", 1, 0), TACT_EPERM);
}
