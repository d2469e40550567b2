/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Calls and posts between two processes, through the session alone: what goes through the ring and
 * what is too large for it, the order of posts, the mode of the caller, ends of either side. */
#define _GNU_SOURCE
#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ring.h"
#include "session.h"

#define TYPE "test"
#define NAME "object"

enum service { ECHO = 1, APPEND, READ_SUM, FILE_OF, SLEEP, STARVE, BAD };

/* What the processes tell each other. */
static struct shared {
	_Atomic uint32_t ready, users_done;
} * shared;
static char label[SESSION_LABEL_BYTES];

/* Of the owner: each appended value moves those before it, so the sum shows the order. */
static uint64_t sum;

static int64_t serve_file(struct session_call *call)
{
	int file = memfd_create("answer", MFD_CLOEXEC);

	if (file < 0 || write(file, "answer", 6) != 6)
		return -ENOMEM;
	call->file = file;
	return 0;
}

static int64_t serve_echo(struct session_call *call)
{
	size_t bytes = call->bytes < call->room_bytes ? call->bytes : call->room_bytes;

	for (size_t i = 0; i < bytes; i++)
		((unsigned char *)call->room)[i] = ((const unsigned char *)call->data)[i] ^ 0x55;
	call->room_bytes = bytes;
	call->value[3] = call->value[0] + 1;
	return (int64_t)bytes;
}

/* The owner gets no more memory for data larger than those that it had. */
static int64_t starve(void)
{
	const struct rlimit none = {1u << 20, 1u << 20};

	return setrlimit(RLIMIT_AS, &none) ? -errno : 0;
}

static int64_t serve(struct session_call *call)
{
	switch (call->service) {
	case ECHO:
		return serve_echo(call);
	case APPEND:
		sum = sum * 31 + call->value[0];
		return 0;
	case READ_SUM:
		call->value[0] = sum;
		return 0;
	case FILE_OF:
		return serve_file(call);
	case STARVE:
		return starve();
	case SLEEP:
		return tact_task_sleep_until(call->timeout);
	default:
		return -EINVAL;
	}
}

static const struct session_skin skin = {.id = SESSION_OTHER, .serve = serve};

static void join(void)
{
	const struct tact_config config = {.name = "test", .cpus = 1, .share = 1};
	char reason[TACT_REASON_BYTES];

	if (test_start(&config, reason))
		test_fail(__FILE__, __LINE__, "tact_start: %s", reason);
	if (session_join(label, &skin, reason))
		test_fail(__FILE__, __LINE__, "session_join: %s", reason);
}

static void own(void)
{
	join();
	expect_ok(session_announce(TYPE, NAME, 7));
	atomic_store(&shared->ready, 1);
	while (!atomic_load(&shared->users_done))
		usleep(500);
}

static pid_t begin(void (*body)(void))
{
	pid_t parent = getpid();
	pid_t process = fork();

	if (process)
		return process;
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
	body();
	exit(0);
}

static void end(pid_t process)
{
	int status = 0;

	expect_eq(waitpid(process, &status, 0), process);
	expect_eq(status, 0);
}

static pid_t begin_owner(void)
{
	pid_t process;

	shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	expect_true(shared != MAP_FAILED);
	snprintf(label, sizeof(label), "calls-%d", (int)getpid());
	process = begin(own);
	while (!atomic_load(&shared->ready))
		usleep(500);
	return process;
}

static void with_owner(void (*user)(void))
{
	pid_t owner = begin_owner();

	end(begin(user));
	atomic_store(&shared->users_done, 1);
	end(owner);
}

static struct session_owner *owner;
static uint64_t object;

static void find(void)
{
	join();
	expect_ok(session_find(TYPE, NAME, &owner, &object));
	expect_true(owner != NULL);
	expect_eq(object, 7);
}

static struct session_call call_of(enum service service, uint64_t value)
{
	return (struct session_call){.skin = SESSION_OTHER,
				     .service = service,
				     .object = object,
				     .timeout = TACT_NOWAIT,
				     .value = {value}};
}

static void echo(size_t bytes, size_t room)
{
	unsigned char *data = malloc(bytes + 1);
	unsigned char *answer = calloc(1, room + 1);
	size_t least = bytes < room ? bytes : room;
	struct session_call call = call_of(ECHO, bytes);

	expect_true(data && answer);
	for (size_t i = 0; i < bytes; i++)
		data[i] = (unsigned char)(i * 7 + (i >> 8));
	call.data = data;
	call.bytes = bytes;
	call.room = answer;
	call.room_bytes = room;
	expect_eq(session_call(owner, &call), least);
	expect_eq(call.room_bytes, least);
	expect_eq(call.value[3], bytes + 1);
	for (size_t i = 0; i < least; i++)
		if (answer[i] != (data[i] ^ 0x55))
			test_fail(__FILE__, __LINE__, "byte %zu of %zu", i, bytes);
	expect_eq(answer[least], 0);
	free(data);
	free(answer);
}

static void call_with_all_sizes(void)
{
	static const size_t sizes[] = {
		0, 1, 100, RING_DATA - 1, RING_DATA, RING_DATA + 1, 1u << 20, 5000000};
	const size_t count = sizeof(sizes) / sizeof(sizes[0]);
	struct session_call call;

	find();
	for (size_t i = 0; i < count; i++)
		for (size_t j = 0; j < count; j++)
			echo(sizes[i], sizes[j]);
	call = call_of(BAD, 0);
	expect_eq(session_call(owner, &call), -EINVAL);
	call.bytes = SESSION_BYTES_MAX + 1;
	expect_eq(session_call(owner, &call), -ENOMEM);
}

TEST_UNSTARTED(data_of_any_size_goes_there_and_back)
{
	with_owner(call_with_all_sizes);
}

static void call_an_owner_without_memory(void)
{
	static unsigned char data[2u << 20];
	struct session_call call = call_of(STARVE, 0);

	find();
	expect_eq(session_call(owner, &call), 0);
	for (int i = 0; i < 3; i++) {
		call = call_of(ECHO, 0);
		call.data = data;
		call.bytes = sizeof(data);
		expect_eq(session_call(owner, &call), -ENOMEM);
		call = call_of(ECHO, 0);
		call.room = data;
		call.room_bytes = sizeof(data);
		expect_eq(session_call(owner, &call), -ENOMEM);
		call = call_of(APPEND, 0);
		expect_eq(session_call(owner, &call), 0);
	}
}

/* The call is refused, and the connection stays. */
TEST_UNSTARTED(call_that_the_owner_has_no_memory_for_is_refused)
{
	if (test_sanitized())
		test_skip("a sanitizer's memory is without limits");
	with_owner(call_an_owner_without_memory);
}

static void receive_a_file(void)
{
	char text[8] = "";

	find();
	for (int i = 0; i < 3; i++) {
		struct session_call call = call_of(FILE_OF, 0);

		expect_ok(session_call(owner, &call));
		expect_true(call.file > 0);
		expect_eq(pread(call.file, text, sizeof(text), 0), 6);
		expect_str(text, "answer");
		close(call.file);
		echo(10, 10);
	}
}

TEST_UNSTARTED(descriptor_comes_with_an_answer)
{
	with_owner(receive_a_file);
}

/* More posts than the ring holds, with calls between them. */
static void post_in_order(void *unused)
{
	uint64_t expected = 0;

	(void)unused;
	for (uint64_t i = 1; i <= 1000; i++) {
		struct session_call call = call_of(APPEND, i);

		expected = expected * 31 + i;
		if (i % 97)
			expect_ok(session_post(owner, &call));
		else
			expect_eq(session_call(owner, &call), 0);
		if (i % 131 == 0) {
			call = call_of(READ_SUM, 0);
			expect_eq(session_call(owner, &call), 0);
			expect_true(call.value[0] == expected);
		}
	}
	struct session_call call = call_of(READ_SUM, 0);

	expect_eq(session_call(owner, &call), 0);
	expect_true(call.value[0] == expected);
}

static void post_from_a_thread(void)
{
	find();
	post_in_order(NULL);
}

TEST_UNSTARTED(posts_and_calls_of_a_thread_are_served_in_order)
{
	with_owner(post_from_a_thread);
}

static void post_from_a_task(void)
{
	find();
	test_join(test_spawn(40, post_in_order, NULL));
}

TEST_UNSTARTED(posts_and_calls_of_a_task_are_served_in_order)
{
	with_owner(post_from_a_task);
}

static void call_in_primary_mode(void *unused)
{
	struct session_call call = call_of(READ_SUM, 0);
	struct tact_task_info before = {0}, after = {0};

	(void)unused;
	/* This makes the connection. */
	expect_ok(session_call(owner, &call));
	expect_ok(tact_task_inquire(TACT_SELF, &before));
	for (int i = 0; i < 200; i++) {
		call = call_of(READ_SUM, 0);
		expect_ok(session_call(owner, &call));
		call = call_of(APPEND, 1);
		expect_ok(session_post(owner, &call));
		expect_eq(tact_mode(), TACT_MODE_PRIMARY);
	}
	expect_ok(tact_task_inquire(TACT_SELF, &after));
	expect_eq(after.mode_switches, before.mode_switches);
}

static void call_from_a_task(void)
{
	find();
	test_join(test_spawn(40, call_in_primary_mode, NULL));
}

TEST_UNSTARTED(task_calls_and_posts_in_primary_mode)
{
	with_owner(call_from_a_task);
}

static void sleep_there(void *result)
{
	struct session_call call = call_of(SLEEP, 0);

	call.timeout = TACT_FOREVER;
	*(_Atomic int64_t *)result = session_call(owner, &call);
}

static void break_a_call(void)
{
	_Atomic int64_t result = 1;
	tact_task_t task;

	find();
	for (int i = 0; i < 20; i++) {
		task = test_spawn(40, sleep_there, (void *)&result);
		usleep((useconds_t)(i * 300));
		session_break(task);
		while (tact_task_inquire(task, NULL) != -TACT_EIDRM && result == 1) {
			usleep(1000);
			session_break(task);
		}
		expect_ok(tact_task_join(task, TEST_LONG));
		expect_eq(result, -EINTR);
		result = 1;
	}
}

TEST_UNSTARTED(call_of_a_task_is_broken)
{
	with_owner(break_a_call);
}

static void wait_for_the_end(void)
{
	_Atomic int64_t result = 1;
	struct session_call call;
	tact_task_t task;

	find();
	task = test_spawn(40, sleep_there, (void *)&result);
	usleep(20000);
	atomic_store(&shared->users_done, 1); /* the case kills the owner */
	expect_ok(tact_task_join(task, TEST_LONG));
	expect_eq(result, -EIDRM);
	call = call_of(APPEND, 1);
	expect_eq(session_post(owner, &call), -EIDRM);
	expect_eq(session_call(owner, &call), -EIDRM);
}

static void own_for_ever(void)
{
	join();
	expect_ok(session_announce(TYPE, NAME, 7));
	atomic_store(&shared->ready, 1);
	for (;;)
		pause();
}

TEST_UNSTARTED(killed_owner_ends_a_call_in_primary_mode)
{
	pid_t killed, user;

	shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	snprintf(label, sizeof(label), "calls-%d", (int)getpid());
	killed = begin(own_for_ever);
	while (!atomic_load(&shared->ready))
		usleep(500);
	user = begin(wait_for_the_end);
	while (!atomic_load(&shared->users_done))
		usleep(500);
	expect_ok(kill(killed, SIGKILL));
	expect_eq(waitpid(killed, NULL, 0), killed);
	end(user);
}

static void post_for_ever(void)
{
	struct session_call call;

	find();
	for (uint64_t i = 0;; i++) {
		call = call_of(APPEND, i);
		if (i % 5)
			(void)session_post(owner, &call);
		else
			(void)session_call(owner, &call);
	}
}

/* A caller that is killed at any moment leaves an owner that serves others. */
static void call_after_the_killed(void)
{
	find();
	echo(100, 100);
}

TEST_UNSTARTED(users_killed_in_the_midst_of_calls_leave_the_owner_at_work)
{
	pid_t first = begin_owner();
	unsigned int seed = 1;

	for (int i = 0; i < 12; i++) {
		pid_t user = begin(post_for_ever);

		usleep(60000 + (useconds_t)rand_r(&seed) % 20000);
		expect_ok(kill(user, SIGKILL));
		expect_eq(waitpid(user, NULL, 0), user);
	}
	end(begin(call_after_the_killed));
	atomic_store(&shared->users_done, 1);
	end(first);
}

static int64_t serve_as_second(struct session_call *call)
{
	return call->service == APPEND ? 2 : -ENOSYS;
}

static void own_by_two_skins(void)
{
	static const struct session_skin second = {.id = SESSION_COBALT, .serve = serve_as_second};
	char reason[SESSION_REASON_BYTES];

	join();
	expect_true(session_joined(SESSION_OTHER));
	expect_true(!session_joined(SESSION_COBALT));
	expect_eq(session_join("another", &second, reason), -EBUSY);
	expect_true(strstr(reason, label));
	expect_true(!session_joined(SESSION_COBALT));
	expect_ok(session_join(label, &second, reason));
	expect_ok(session_join(label, &second, reason));
	expect_true(session_joined(SESSION_COBALT));
	expect_ok(session_announce(TYPE, NAME, 7));
	atomic_store(&shared->ready, 1);
	while (!atomic_load(&shared->users_done))
		usleep(500);
}

static void call_two_skins(void)
{
	struct session_call call;

	find();
	call = call_of(APPEND, 1);
	expect_eq(session_call(owner, &call), 0);
	call.skin = SESSION_COBALT;
	expect_eq(session_call(owner, &call), 2);
	call.service = READ_SUM;
	expect_eq(session_call(owner, &call), -ENOSYS);
	call.skin = SESSION_ALCHEMY;
	expect_eq(session_call(owner, &call), -EINVAL);
	call.skin = UINT32_MAX;
	expect_eq(session_call(owner, &call), -EINVAL);
}

TEST_UNSTARTED(program_of_two_skins_has_one_session)
{
	pid_t first;

	shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	snprintf(label, sizeof(label), "calls-%d", (int)getpid());
	first = begin(own_by_two_skins);
	while (!atomic_load(&shared->ready))
		usleep(500);
	end(begin(call_two_skins));
	atomic_store(&shared->users_done, 1);
	end(first);
}
