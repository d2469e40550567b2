/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Descriptors of FIFOs. */
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <rtai_fifos.h>
#include <rtai_file.h>

#include "rtai_test.h"

static char data[32];
static int fd;
static _Atomic int signals;

static void count_signal(int signum)
{
	(void)signum;
	signals++;
}

RTAI_TEST(other_descriptors_are_refused)
{
	FAILS(rtf_reset, EBADF, -rtf_reset(0));
	FAILS(rtf_resize, EBADF, -rtf_resize(0, 8));
	FAILS(rtf_suspend_timed, EBADF, -rtf_suspend_timed(0, 1));
	FAILS(rtf_evdrp, EBADF, -rtf_evdrp(0, data, 1));
	FAILS(rtf_read_all_at_once, EBADF, -rtf_read_all_at_once(-1, data, 1));
	FAILS(rtf_read_timed, EBADF, -rtf_read_timed(5000, data, 1, 1));
	FAILS(rtf_read_if, EBADF, -rtf_read_if(0, data, 1));
	FAILS(rtf_write_timed, EBADF, -rtf_write_timed(0, data, 1, 1));
	FAILS(rtf_write_if, EBADF, -rtf_write_if(0, data, 1));
	FAILS(rtf_overwrite, EBADF, -rtf_overwrite(0, data, 1));
	FAILS(rtf_sem_init, EBADF, -rtf_sem_init(0, 1));
	FAILS(rtf_sem_wait, EBADF, -rtf_sem_wait(0));
	FAILS(rtf_sem_timed_wait, EBADF, -rtf_sem_timed_wait(0, 1));
	FAILS(rtf_sem_trywait, EBADF, -rtf_sem_trywait(0));
	FAILS(rtf_sem_post, EBADF, -rtf_sem_post(0));
	FAILS(rtf_sem_destroy, EBADF, -rtf_sem_destroy(0));
	FAILS(rtf_set_async_sig, EBADF, -rtf_set_async_sig(0, SIGUSR1));
	FAILS(rtai_file_close, EBADF, -rtai_file_close(0));
	FAILS(rtai_file_read, EBADF, -rtai_file_read(0, data, 1));
	FAILS(rtai_file_write, EBADF, -rtai_file_write(0, data, 1));
	FAILS(rtai_file_fcntl, EBADF, -rtai_file_fcntl(0, F_GETFL, 0));
	FAILS(rtai_file_ioctl, EBADF, -rtai_file_ioctl(0, RESET, NULL));
	WORKS(rtai_file_is, rtai_file_is(0));
}

RTAI_TEST(paths_are_those_of_fifos)
{
	FAILS(rtai_file_open, ENOENT, -rtai_file_open("/dev/null", O_RDONLY));
	FAILS(rtai_file_open, ENOENT, -rtai_file_open(NULL, O_RDONLY));
	FAILS(rtai_file_open, ENOENT, -rtai_file_open("/dev/rtf", O_RDONLY));
	FAILS(rtai_file_open, ENOENT, -rtai_file_open("/dev/rtf7x", O_RDONLY));
	FAILS(rtai_file_open, ENODEV, -rtai_file_open("/dev/rtf64", O_RDONLY));
	FAILS(rtf_open_sized, ENOENT, -rtf_open_sized("/dev/rtc0", O_RDONLY, 8));
	FAILS(rtf_open_sized, ENODEV, -rtf_open_sized("/dev/rtf99999999999999", O_RDONLY, 8));
	FAILS(rtf_open_sized, EINVAL, -rtf_open_sized("/dev/rtf0", O_RDONLY, 0));
	fd = WORKS(rtai_file_open, rtai_file_open("/dev/rtf/9", O_RDONLY) + 1 <= 0) ? -1 : 0;
	expect_eq(rtf_get_frbs(9), 1000);
	for (fd = 0; !rtai_file_is(fd); fd++)
		;
	WORKS(rtai_file_close, rtai_file_close(fd));
	expect_eq(rtf_get_frbs(9), -EINVAL);
}

RTAI_TEST(descriptors_run_out)
{
	struct rlimit before;
	struct rlimit none = {0, 0};

	getrlimit(RLIMIT_NOFILE, &before);
	none.rlim_max = before.rlim_max;
	setrlimit(RLIMIT_NOFILE, &none);
	FAILS(rtai_file_open, EMFILE, -rtai_file_open("/dev/rtf1", O_RDONLY));
	FAILS(rtf_open_sized, EMFILE, -rtf_open_sized("/dev/rtf1", O_RDONLY, 8));
	setrlimit(RLIMIT_NOFILE, &before);
	expect_eq(rtf_get_frbs(1), -EINVAL);
}

RTAI_TEST(a_descriptor_is_a_use_of_its_fifo)
{
	int second;

	WORKS(rtf_open_sized, (fd = rtf_open_sized("/dev/rtf3", O_RDWR, 8)) < 0);
	expect_eq(rtf_put(3, "abc", 3), 3);
	second = rtf_open_sized("/dev/rtf3", O_RDWR, 16);
	expect_true(second > fd);
	expect_eq(rtf_get_frbs(3), 13);
	WORKS(rtf_resize, rtf_resize(fd, 4) != 4);
	FAILS(rtf_resize, EINVAL, -rtf_resize(fd, 0));
	FAILS(rtf_resize, EBUSY, -rtf_resize(fd, 2));
	WORKS(rtf_evdrp, rtf_evdrp(fd, data, 8) != 3);
	FAILS(rtf_evdrp, EFAULT, -rtf_evdrp(fd, NULL, 1));
	expect_eq(rtf_evdrp(fd, NULL, 0), 0);
	WORKS(rtf_read_if, rtf_read_if(fd, data, 4) != 0);
	FAILS(rtf_read_if, EFAULT, -rtf_read_if(fd, data, -1));
	expect_eq(rtf_read_if(second, data, 2), 2);
	WORKS(rtf_overwrite, rtf_overwrite(fd, "01234", 5));
	FAILS(rtf_overwrite, EFAULT, -rtf_overwrite(fd, NULL, 1));
	expect_eq(rtai_file_read(fd, data, 8), 4);
	expect_true(!memcmp(data, "1234", 4));
	rtf_put(3, "x", 1);
	WORKS(rtf_reset, rtf_reset(fd));
	expect_eq(rtf_get_avbs(3), 0);
	rtai_file_close(second);
	expect_eq(rtf_get_avbs(3), 0);
	rtai_file_close(fd);
	expect_eq(rtf_get_avbs(3), -EINVAL);
	expect_eq(rtai_file_close(fd), -EBADF);
}

static void write_later(void *arg)
{
	(void)arg;
	rt_sleep(MS(5));
	rtf_put(3, "abcde", 5);
	rt_sleep(MS(5));
	rtf_put(3, "fgh", 3);
}

RTAI_TEST(reads_wait_for_bytes)
{
	struct peer peer;

	fd = rtf_open_sized("/dev/rtf3", O_RDWR, 16);
	peer_start(&peer, 10, write_later, NULL);
	WORKS(rtai_file_read, rtai_file_read(fd, data, 30) != 5);
	WORKS(rtf_read_all_at_once, rtf_read_all_at_once(fd, data, 3) != 3);
	expect_true(!memcmp(data, "fgh", 3));
	peer_join(&peer);
	FAILS(rtf_read_timed, EAGAIN, -rtf_read_timed(fd, data, 1, 0));
	expect_eq(rtf_read_timed(fd, data, 1, 3), 0);
	rtf_put(3, "ab", 2);
	WORKS(rtf_read_timed, rtf_read_timed(fd, data, 3, 3) != 2);
	rtf_put(3, "ab", 2);
	expect_eq(rtf_read_timed(fd, data, 1, 0), 1);
	FAILS(rtf_read_timed, EFAULT, -rtf_read_timed(fd, NULL, 1, 1));
	FAILS(rtf_read_all_at_once, EFAULT, -rtf_read_all_at_once(fd, data, -1));
	FAILS(rtai_file_read, EFAULT, -rtai_file_read(fd, NULL, 1));
	rtai_file_close(fd);
}

static void read_later(void *arg)
{
	(void)arg;
	rt_sleep(MS(5));
	expect_eq(rtf_get(3, data, 5), 5);
	rt_sleep(MS(5));
	expect_eq(rtf_get(3, data, 30), 8);
}

RTAI_TEST(writes_wait_for_room)
{
	struct peer peer;

	fd = rtf_open_sized("/dev/rtf3", O_RDWR, 8);
	rtf_put(3, "01234567", 8);
	peer_start(&peer, 10, read_later, NULL);
	WORKS(rtai_file_write, rtai_file_write(fd, "abcdefghij", 10) != 10);
	peer_join(&peer);
	expect_eq(rtf_get_avbs(3), 5);
	FAILS(rtf_write_timed, EAGAIN, (rtf_put(3, "xyz", 3), -rtf_write_timed(fd, data, 1, 0)));
	FAILS(rtf_write_if, EAGAIN, -rtf_write_if(fd, data, 1));
	expect_eq(rtf_write_timed(fd, data, 1, 3), 0);
	rtf_get(3, data, 2);
	WORKS(rtf_write_timed, rtf_write_timed(fd, data, 3, 3) != 2);
	rtf_get(3, data, 2);
	WORKS(rtf_write_if, rtf_write_if(fd, data, 3) != 2);
	FAILS(rtf_write_timed, EFAULT, -rtf_write_timed(fd, NULL, 1, 1));
	FAILS(rtf_write_if, EFAULT, -rtf_write_if(fd, data, -1));
	FAILS(rtai_file_write, EFAULT, -rtai_file_write(fd, NULL, 1));
	rtai_file_close(fd);
}

RTAI_TEST(descriptors_have_a_direction_and_flags)
{
	int out = rtai_file_open("/dev/rtf3", O_WRONLY | O_NONBLOCK);

	fd = rtai_file_open("/dev/rtf3", O_RDONLY);
	FAILS(rtai_file_write, EBADF, -rtai_file_write(fd, "a", 1));
	FAILS(rtai_file_read, EBADF, -rtai_file_read(out, data, 1));
	WORKS(rtai_file_fcntl, rtai_file_fcntl(fd, F_GETFL, 0));
	WORKS(rtai_file_fcntl, rtai_file_fcntl(fd, F_SETFL, O_NONBLOCK));
	expect_eq(rtai_file_fcntl(fd, F_GETFL, 0), O_NONBLOCK);
	FAILS(rtai_file_fcntl, EINVAL, -rtai_file_fcntl(fd, F_DUPFD, 0));
	FAILS(rtai_file_read, EAGAIN, -rtai_file_read(fd, data, 1));
	while (rtai_file_write(out, "0123456789", 10) == 10)
		;
	FAILS(rtai_file_write, EAGAIN, -rtai_file_write(out, "a", 1));
	rtf_get(3, data, 2);
	expect_eq(rtai_file_write(out, "abc", 3), 2);
	rtai_file_close(fd);
	rtai_file_close(out);
}

RTAI_TEST(requests_by_ioctl)
{
	struct {
		void *buf;
		long count, delay;
	} args = {data, 3, 3};
	int there = 0;

	fd = rtai_file_open("/dev/rtf3", O_RDWR);
	rtf_put(3, "abcdefgh", 8);
	WORKS(rtai_file_ioctl, rtai_file_ioctl(fd, FIONREAD, &there));
	expect_eq(there, 8);
	expect_eq(rtai_file_ioctl(fd, EAVESDROP, &args), 3);
	expect_eq(rtai_file_ioctl(fd, READ_ALL_AT_ONCE, &args), 3);
	expect_eq(rtai_file_ioctl(fd, READ_IF, &args), 3);
	expect_eq(rtai_file_ioctl(fd, READ_TIMED, &args), 2);
	expect_eq(rtai_file_ioctl(fd, WRITE_TIMED, &args), 3);
	expect_eq(rtai_file_ioctl(fd, WRITE_IF, &args), 3);
	expect_eq(rtai_file_ioctl(fd, OVRWRITE, &args), 0);
	expect_eq(rtf_get_avbs(3), 9);
	expect_eq(rtai_file_ioctl(fd, RESET, NULL), 0);
	expect_eq(rtai_file_ioctl(fd, RESIZE, (void *)16), 16);
	expect_eq(rtai_file_ioctl(fd, RTF_SUSPEND_TIMED, (void *)1), 0);
	expect_eq(rtai_file_ioctl(fd, RTF_SEM_INIT, (void *)1), 0);
	expect_eq(rtai_file_ioctl(fd, RTF_SEM_WAIT, NULL), 0);
	expect_eq(rtai_file_ioctl(fd, RTF_SEM_POST, NULL), 0);
	expect_eq(rtai_file_ioctl(fd, RTF_SEM_TRYWAIT, NULL), 0);
	expect_eq(rtai_file_ioctl(fd, RTF_SEM_TIMED_WAIT, (void *)1), -EPERM);
	expect_eq(rtai_file_ioctl(fd, RTF_SEM_DESTROY, NULL), 0);
	expect_eq(rtai_file_ioctl(fd, SET_ASYNC_SIG, (void *)SIGIO), 0);
	FAILS(rtai_file_ioctl, EINVAL, -rtai_file_ioctl(fd, 99, &args));
	FAILS(rtai_file_ioctl, EFAULT, -rtai_file_ioctl(fd, READ_IF, NULL));
	FAILS(rtai_file_ioctl, EFAULT, -rtai_file_ioctl(fd, FIONREAD, NULL));
	rtai_file_close(fd);
}

static void post_later(void *arg)
{
	(void)arg;
	rt_sleep(MS(5));
	rtf_sem_post(fd);
	rt_sleep(MS(5));
	rtf_sem_destroy(fd);
}

RTAI_TEST(the_semaphore_is_waited_for)
{
	struct peer peer;

	fd = rtai_file_open("/dev/rtf3", O_RDWR);
	WORKS(rtf_sem_init, rtf_sem_init(fd, 1));
	FAILS(rtf_sem_init, EINVAL, -rtf_sem_init(fd, 2));
	WORKS(rtf_sem_wait, rtf_sem_wait(fd));
	FAILS(rtf_sem_trywait, EAGAIN, -rtf_sem_trywait(fd));
	FAILS(rtf_sem_timed_wait, EPERM, -rtf_sem_timed_wait(fd, 2));
	/* Nobody else waited, so it is 1. */
	WORKS(rtf_sem_trywait, rtf_sem_trywait(fd));
	peer_start(&peer, 10, post_later, NULL);
	WORKS(rtf_sem_timed_wait, rtf_sem_timed_wait(fd, 100));
	FAILS(rtf_sem_wait, EPERM, -rtf_sem_wait(fd));
	peer_join(&peer);
	WORKS(rtf_sem_post, rtf_sem_post(fd));
	WORKS(rtf_sem_destroy, rtf_sem_destroy(fd));
	expect_eq(rtf_sem_trywait(fd), -EAGAIN);
	rtai_file_close(fd);
}

static int broken;

static void wait_in_turn(void *arg)
{
	struct pollfd wish = {.fd = fd, .events = POLLIN};

	(void)arg;
	FAILS(rtai_file_read, EINTR, -rtai_file_read(fd, data, 1));
	FAILS(rtf_read_timed, EINTR, -rtf_read_timed(fd, data, 1, 1000));
	FAILS(rtf_read_all_at_once, EINTR, -rtf_read_all_at_once(fd, data, 1));
	FAILS(rtf_sem_wait, EINTR, -rtf_sem_wait(fd));
	FAILS(rtf_sem_timed_wait, EINTR, -rtf_sem_timed_wait(fd, 1000));
	FAILS(rtai_file_poll, EINTR, -rtai_file_poll(&wish, 1, LONG));
	rtf_put(3, "0123456789", 10);
	FAILS(rtai_file_write, EINTR, -rtai_file_write(fd, data, 1));
	FAILS(rtf_write_timed, EINTR, -rtf_write_timed(fd, data, 1, 1000));
	broken = 8;
}

RTAI_TEST(waits_are_broken)
{
	struct peer peer;

	fd = rtf_open_sized("/dev/rtf3", O_RDWR, 10);
	broken = 0;
	peer_start(&peer, 10, wait_in_turn, NULL);
	for (int i = 0; i < 8; i++) {
		while (rt_task_masked_unblock(peer.task, ~0ul) != RTE_UNBLKD)
			rt_sleep(MS(1));
		rt_sleep(MS(1));
	}
	peer_join(&peer);
	expect_eq(broken, 8);
	rtai_file_close(fd);
}

static void sleep_in_fifo(void *arg)
{
	(void)arg;
	FAILS(rtf_suspend_timed, EINTR, -rtf_suspend_timed(fd, 100000));
}

RTAI_TEST(a_sleep_passes_or_is_broken)
{
	RTIME begin = rt_get_time_ns();
	struct peer peer;

	fd = rtai_file_open("/dev/rtf3", O_RDWR);
	WORKS(rtf_suspend_timed, rtf_suspend_timed(fd, 7));
	expect_true(rt_get_time_ns() - begin >= MS(7));
	peer_start(&peer, 10, sleep_in_fifo, NULL);
	break_its_wait(&peer);
	peer_join(&peer);
	rtai_file_close(fd);
}

static void delete_later(void *arg)
{
	(void)arg;
	rt_sleep(MS(5));
	rtf_destroy(3);
}

/* A FIFO that was deleted by number, too often. */
RTAI_TEST(deletion_ends_waits)
{
	struct peer peer;

	fd = rtai_file_open("/dev/rtf3", O_RDWR);
	peer_start(&peer, 10, delete_later, NULL);
	FAILS(rtf_read_all_at_once, EINVAL, -rtf_read_all_at_once(fd, data, 1));
	peer_join(&peer);
	FAILS(rtai_file_read, EINVAL, -rtai_file_read(fd, data, 1));
	FAILS(rtai_file_write, EINVAL, -rtai_file_write(fd, data, 1));
	FAILS(rtf_read_all_at_once, EINVAL, -rtf_read_all_at_once(fd, data, 1));
	FAILS(rtf_read_timed, EINVAL, -rtf_read_timed(fd, data, 1, 1));
	FAILS(rtf_write_timed, EINVAL, -rtf_write_timed(fd, data, 1, 1));
	FAILS(rtf_read_if, EINVAL, -rtf_read_if(fd, data, 1));
	FAILS(rtf_write_if, EINVAL, -rtf_write_if(fd, data, 1));
	FAILS(rtf_overwrite, EINVAL, -rtf_overwrite(fd, data, 1));
	FAILS(rtf_evdrp, EINVAL, -rtf_evdrp(fd, data, 1));
	FAILS(rtf_reset, EINVAL, -rtf_reset(fd));
	FAILS(rtf_resize, EINVAL, -rtf_resize(fd, 8));
	FAILS(rtf_sem_init, EINVAL, -rtf_sem_init(fd, 1));
	FAILS(rtf_sem_wait, EINVAL, -rtf_sem_wait(fd));
	FAILS(rtf_sem_timed_wait, EINVAL, -rtf_sem_timed_wait(fd, 1));
	FAILS(rtf_sem_trywait, EINVAL, -rtf_sem_trywait(fd));
	FAILS(rtf_sem_post, EINVAL, -rtf_sem_post(fd));
	FAILS(rtf_sem_destroy, EINVAL, -rtf_sem_destroy(fd));
	expect_eq(rtai_file_close(fd), 0);
}

static void wait_for_sem(void *arg)
{
	(void)arg;
	FAILS(rtf_sem_wait, EINVAL, -rtf_sem_wait(fd));
}

static void destroy(struct peer *peer)
{
	(void)peer;
	rtf_destroy(3);
}

RTAI_TEST(deletion_ends_waits_for_the_semaphore)
{
	fd = rtai_file_open("/dev/rtf3", O_RDWR);
	while_it_waits(wait_for_sem, destroy);
	rtai_file_close(fd);
}

static void grow(struct peer *peer)
{
	(void)peer;
	expect_eq(rtf_resize(fd, 64), 64);
	rtf_put(3, "a", 1);
}

static void read_one(void *arg)
{
	(void)arg;
	expect_eq(rtai_file_read(fd, data, 1), 1);
}

RTAI_TEST(a_change_of_size_ends_no_wait)
{
	fd = rtai_file_open("/dev/rtf3", O_RDWR);
	while_it_waits(read_one, grow);
	rtai_file_close(fd);
}

RTAI_TEST(poll_waits_for_several_fifos)
{
	int other = rtai_file_open("/dev/rtf4", O_RDWR);
	struct pollfd wish[3] = {{.events = POLLIN}, {.events = POLLIN}, {.fd = 0, .revents = 7}};
	struct peer peer;

	wish[0].fd = other;
	wish[1].fd = fd = rtai_file_open("/dev/rtf3", O_RDWR);
	expect_eq(rtai_file_poll(wish, 3, 0), 0);
	expect_eq(rtai_file_poll(wish, 3, MS(2)), 0);
	peer_start(&peer, 10, write_later, NULL);
	WORKS(rtai_file_poll, rtai_file_poll(wish, 3, LONG) != 1);
	expect_eq(wish[0].revents, 0);
	expect_eq(wish[1].revents, POLLIN);
	expect_eq(wish[2].revents, 7);
	wish[0].events = POLLOUT;
	expect_eq(rtai_file_poll(wish, 3, -1), 2);
	FAILS(rtai_file_poll, EFAULT, -rtai_file_poll(NULL, 1, 0));
	peer_join(&peer);
	rtai_file_close(fd);
	rtai_file_close(other);
}

RTAI_TEST(owners_get_signals)
{
	struct sigaction act = {.sa_handler = count_signal};

	sigaction(SIGUSR1, &act, NULL);
	fd = rtai_file_open("/dev/rtf3", O_RDWR);
	WORKS(rtf_set_async_sig, rtf_set_async_sig(fd, SIGUSR1));
	FAILS(rtf_set_async_sig, EINVAL, -rtf_set_async_sig(fd, 0));
	FAILS(rtf_set_async_sig, EINVAL, -rtf_set_async_sig(fd, NSIG));
	rtf_put(3, "a", 1);
	expect_eq(rtai_file_fcntl(fd, F_SETOWN, -1), -EINVAL);
	expect_eq(rtai_file_fcntl(fd, F_SETOWN, getpid()), 0);
	expect_eq(rtai_file_fcntl(fd, F_GETOWN, 0), getpid());
	expect_eq(rtai_file_fcntl(fd, F_SETFL, O_ASYNC), 0);
	rt_sleep(MS(5));
	expect_eq(signals, 0);
	rtf_put(3, "b", 1);
	for (int i = 0; i < 100 && !signals; i++)
		rt_sleep(MS(5));
	expect_eq(signals, 1);
	rtai_file_close(fd);
	fd = rtai_file_open("/dev/rtf3", O_RDWR);
	rtf_put(3, "c", 1);
	rt_sleep(MS(5));
	expect_eq(signals, 1);
	rtai_file_close(fd);
}

static void use_in_handler(void *arg)
{
	struct pollfd wish = {.fd = fd, .events = POLLIN};

	(void)arg;
	FAILS(rtf_open_sized, ENOMEM, -rtf_open_sized("/dev/rtf5", O_RDWR, 8));
	FAILS(rtai_file_open, ENOMEM, -rtai_file_open("/dev/rtf5", O_RDWR));
	FAILS(rtf_resize, ENOMEM, -rtf_resize(fd, 2000));
	FAILS(rtf_suspend_timed, EPERM, -rtf_suspend_timed(fd, 1));
	FAILS(rtf_read_all_at_once, EPERM, -rtf_read_all_at_once(fd, data, 1));
	FAILS(rtf_read_timed, EPERM, -rtf_read_timed(fd, data, 1, 1));
	FAILS(rtf_write_timed, EPERM, -rtf_write_timed(fd, data, 1, 1));
	FAILS(rtai_file_read, EPERM, -rtai_file_read(fd, data, 1));
	FAILS(rtai_file_write, EPERM, -rtai_file_write(fd, data, 1));
	FAILS(rtf_sem_wait, EPERM, -rtf_sem_wait(fd));
	FAILS(rtai_file_poll, EPERM, -rtai_file_poll(&wish, 1, LONG));
	FAILS(rtf_named_create, ENOMEM, -rtf_named_create("irq", 8));
	FAILS(rtf_create_named, ENOMEM, -rtf_create_named("irq"));
	expect_eq(rtf_write_if(fd, "abc", 3), 3);
	expect_eq(rtf_read_if(fd, data, 3), 3);
}

RTAI_TEST(handlers_do_not_wait)
{
	fd = rtai_file_open("/dev/rtf3", O_RDWR);
	in_handler(use_in_handler);
	rtai_file_close(fd);
}

RTAI_TEST(names_are_those_of_lxrt)
{
	int number;

	WORKS(rtf_named_create, (number = rtf_named_create("log", 8)) < 0);
	WORKS(rtf_getfifobyname, rtf_getfifobyname("log") != number);
	FAILS(rtf_getfifobyname, ENODEV, -rtf_getfifobyname("none"));
	FAILS(rtf_named_create, EBUSY, -rtf_named_create("log", 8));
	FAILS(rtf_named_create, EINVAL, -rtf_named_create("", 8));
	FAILS(rtf_create_named, EBUSY, -rtf_create_named("log"));
	FAILS(rtf_create_named, EINVAL, -rtf_create_named(NULL));
	WORKS(rtf_create_named, rtf_create_named("other") < 0);
	rtf_destroy((unsigned int)number);
	rtf_destroy((unsigned int)rtf_getfifobyname("other"));
}
