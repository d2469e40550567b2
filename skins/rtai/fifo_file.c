/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Descriptors of FIFOs. A descriptor is one of Linux, so that no other file gets its number, but
 * not one that Linux reads or writes: a call that is not redirected here fails with EBADF. Each
 * open descriptor is one use of its FIFO.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <rtai_file.h>

#include "rtai_fifo_internal.h"

#define FILES 4096

struct file {
	_Atomic unsigned int place; /* the number of the FIFO, plus 1; 0: no FIFO's descriptor */
	_Atomic int flags;          /* O_RDONLY …, O_NONBLOCK, O_ASYNC */
	_Atomic int owner;          /* of its signals: a process, or below 0 a group */
};

static struct file file[FILES];
/* Of all descriptors, as in RTAI. */
static _Atomic int async_signal = SIGIO;
static _Atomic uint64_t moved; /* FIFOs whose signals are to be sent: a bit for each */
_Static_assert(MAX_FIFOS <= 64, "a FIFO has a bit");
static _Atomic tact_sem_t noted;

static struct file *file_of(int fd)
{
	struct file *found = fd >= 0 && fd < FILES ? &file[fd] : NULL;

	return found && atomic_load_explicit(&found->place, memory_order_acquire) ? found : NULL;
}

/* The FIFO of a descriptor; MAX_FIFOS: it is none of a FIFO. */
static unsigned int number_of(int fd)
{
	const struct file *found = file_of(fd);
	const unsigned int place = found ? atomic_load(&found->place) : 0;

	return place ? place - 1 : MAX_FIFOS;
}

/* -EBADF for a descriptor that is none. */
static int as_file(int fd, int result)
{
	return number_of(fd) == MAX_FIFOS ? -EBADF : result;
}

int rtai_file_is(int fd)
{
	return file_of(fd) != NULL;
}

/* The number in /dev/rtfN or /dev/rtf/N; -ENOENT: it is another path. */
static int number_in(const char *path)
{
	static const char folder[] = "/dev/rtf";
	const char *digit;
	int number = 0;

	if (!path || strncmp(path, folder, sizeof(folder) - 1) != 0)
		return -ENOENT;
	digit = path + sizeof(folder) - 1;
	digit += *digit == '/';
	if (!*digit)
		return -ENOENT;
	for (; *digit >= '0' && *digit <= '9'; digit++)
		number = number < MAX_FIFOS ? number * 10 + *digit - '0' : MAX_FIFOS;
	if (*digit)
		return -ENOENT;
	return number < MAX_FIFOS ? number : -ENODEV;
}

static int open_sized(const char *path, int flags, int bytes)
{
	const int number = number_in(path);
	int error;
	int fd;

	if (number < 0)
		return number;
	error = rtf_create((unsigned int)number, bytes);
	if (error)
		return error;
	fd = (int)openat(AT_FDCWD, "/", O_PATH | (flags & O_CLOEXEC));
	if (fd < 0 || fd >= FILES) {
		error = fd < 0 ? -errno : -EMFILE;
		if (fd >= 0)
			(void)close(fd);
		(void)rtf_destroy((unsigned int)number);
		return error;
	}
	atomic_store(&file[fd].flags, flags & (O_ACCMODE | O_NONBLOCK));
	atomic_store(&file[fd].owner, 0);
	atomic_store(&file[fd].place, (unsigned int)number + 1);
	return fd;
}

int rtai_file_open(const char *path, int flags)
{
	const int number = number_in(path);

	/* Linux opens it. A handler cannot ask Linux, and opens nothing. */
	if (number >= 0 && !runtime_in_handler() && rtai_fifo_is_elsewhere((unsigned int)number))
		return -ENOENT;
	return open_sized(path, flags, RTAI_FIFO_DEFAULT_BYTES);
}

int rtf_open_sized(const char *dev, int perm, int size)
{
	return size < 1 ? -EINVAL : open_sized(dev, perm, size);
}

int rtai_file_close(int fd)
{
	struct file *closed = file_of(fd);
	unsigned int place = closed ? atomic_exchange(&closed->place, 0) : 0;

	if (!place)
		return -EBADF;
	if (atomic_load(&closed->flags) & O_ASYNC)
		rtai_fifo_listen(place - 1, -1);
	(void)close(fd);
	(void)rtf_destroy(place - 1);
	return 0;
}

/* The result of a transfer, unless the handler of the FIFO has one. */
static long after(int fd, int how, long count)
{
	const int error = rtai_fifo_done(number_of(fd), how);

	return error ? error : count;
}

static long move_file(int fd, void *data, size_t bytes, bool write)
{
	const struct file *found = file_of(fd);
	const int flags = found ? atomic_load(&found->flags) : 0;
	const bool wait = !(flags & O_NONBLOCK);
	long count;

	if (!found || (flags & O_ACCMODE) == (write ? O_RDONLY : O_WRONLY))
		return -EBADF;
	count = rtai_fifo_transfer(
		(struct rtai_fifo_order){number_of(fd), data, bytes, write, .any = !write || !wait},
		wait ? TACT_FOREVER : TACT_NOWAIT);
	if (!count && bytes && !wait)
		return -EAGAIN;
	return count > 0 ? after(fd, write ? 'w' : 'r', count) : count;
}

long rtai_file_read(int fd, void *data, unsigned long bytes)
{
	return move_file(fd, data, bytes, false);
}

long rtai_file_write(int fd, const void *data, unsigned long bytes)
{
	return move_file(fd, (void *)(uintptr_t)data, bytes, true);
}

static tact_timeout_t in_ms(int ms)
{
	return ms > 0 ? rtai_in((RTIME)ms * 1000000) : TACT_NOWAIT;
}

/* count: below 0 is -EFAULT, as a size that no buffer has. */
static int move_timed(int fd, struct rtai_fifo_order order, int count, int ms)
{
	order.number = number_of(fd);
	order.bytes = count < 0 ? SIZE_MAX : (size_t)count;
	order.any = !ms;
	count = as_file(fd, (int)rtai_fifo_transfer(order, in_ms(ms)));
	if (!count && order.bytes && !ms)
		return -EAGAIN;
	return count > 0 ? (int)after(fd, order.write ? 'w' : 'r', count) : count;
}

int rtf_read_timed(int fd, void *buf, int count, int ms_delay)
{
	return move_timed(fd, (struct rtai_fifo_order){.data = buf}, count, ms_delay);
}

int rtf_write_timed(int fd, void *buf, int count, int ms_delay)
{
	return move_timed(fd, (struct rtai_fifo_order){.data = buf, .write = true}, count,
			  ms_delay);
}

int rtf_write_if(int fd, void *buf, int count)
{
	return rtf_write_timed(fd, buf, count, 0);
}

int rtf_read_all_at_once(int fd, void *buf, int count)
{
	const struct rtai_fifo_order order = {
		.number = number_of(fd),
		.data = buf,
		.bytes = count < 0 ? SIZE_MAX : (size_t)count,
	};

	return as_file(fd, (int)rtai_fifo_transfer(order, TACT_FOREVER));
}

int rtf_read_if(int fd, void *buf, int count)
{
	return as_file(fd, rtf_get_if(number_of(fd), buf, count));
}

int rtf_overwrite(int fd, void *buf, int count)
{
	return as_file(fd, rtf_ovrwr_put(number_of(fd), buf, count));
}

int rtf_evdrp(int fd, void *buf, int count)
{
	return as_file(fd, rtai_fifo_peek(number_of(fd), buf, count));
}

int rtf_reset(int fd)
{
	return as_file(fd, rtf_reset_lxrt(number_of(fd)));
}

int rtf_resize(int fd, int size)
{
	return as_file(fd, rtf_resize_lxrt(number_of(fd), size));
}

int rtf_suspend_timed(int fd, int ms_delay)
{
	struct runtime_record *self;
	int error;

	if (!rtai_file_is(fd))
		return -EBADF;
	if (runtime_in_handler())
		return -EPERM;
	self = rtai_waits(RT_SCHED_DELAYED);
	error = tact_sem_wait(runtime_never(), in_ms(ms_delay));
	rtai_waited(self);
	return error == -TACT_EINTR || error == -TACT_ECANCELED ? -EINTR : 0;
}

int rtf_sem_init(int fd, int value)
{
	return as_file(fd, rtf_sem_init_lxrt(number_of(fd), value));
}

int rtf_sem_wait(int fd)
{
	return as_file(fd, rtai_fifo_sem_take(number_of(fd), TACT_FOREVER));
}

int rtf_sem_timed_wait(int fd, int ms_delay)
{
	return as_file(fd, rtai_fifo_sem_take(number_of(fd), in_ms(ms_delay)));
}

int rtf_sem_trywait(int fd)
{
	return as_file(fd, rtf_sem_trywait_lxrt(number_of(fd)));
}

int rtf_sem_post(int fd)
{
	return as_file(fd, rtf_sem_post_lxrt(number_of(fd)));
}

int rtf_sem_destroy(int fd)
{
	return as_file(fd, rtf_sem_destroy_lxrt(number_of(fd)));
}

static void send_signals(uint64_t fifos)
{
	for (int fd = 0; fd < FILES; fd++) {
		const unsigned int place = atomic_load(&file[fd].place);
		const int owner = atomic_load(&file[fd].owner);

		if (place && fifos >> (place - 1) & 1 && owner &&
		    atomic_load(&file[fd].flags) & O_ASYNC)
			(void)kill(owner, atomic_load(&async_signal));
	}
}

/* A thread of Linux, because whoever moves bytes may be in primary mode. */
static void signal_owners(void *arg)
{
	int error;

	(void)arg;
	/* A signal of Linux that reaches this thread breaks the wait. */
	while (!(error = tact_sem_wait(atomic_load(&noted), TACT_FOREVER)) || error == -TACT_EINTR)
		send_signals(atomic_exchange(&moved, 0));
}

void rtai_file_notify(unsigned int number)
{
	atomic_fetch_or(&moved, (uint64_t)1 << number);
	(void)tact_sem_post(atomic_load(&noted));
}

static int begin_signals(void)
{
	tact_sem_t made = atomic_load(&noted);
	tact_sem_t none = {0};
	tact_task_t thread;

	if (made.id)
		return 0;
	if (tact_sem_create(NULL, 0, 1, TACT_FIFO, &made))
		return -ENOMEM;
	if (!atomic_compare_exchange_strong(&noted, &none, made)) {
		(void)tact_sem_delete(made);
		return 0;
	}
	return rtai_spawn_thread(signal_owners, NULL, 0, &thread) ? -ENOMEM : 0;
}

int rtf_set_async_sig(int fd, int signum)
{
	if (!rtai_file_is(fd))
		return -EBADF;
	if (signum < 1 || signum >= NSIG)
		return -EINVAL;
	atomic_store(&async_signal, signum);
	return 0;
}

static int set_flags(int fd, struct file *found, int wanted)
{
	const int changeable = O_NONBLOCK | O_ASYNC;
	int before = atomic_load(&found->flags);

	if (wanted & O_ASYNC && begin_signals())
		return -ENOMEM;
	while (!atomic_compare_exchange_weak(&found->flags, &before,
					     (before & ~changeable) | (wanted & changeable)))
		;
	if ((before ^ wanted) & O_ASYNC)
		rtai_fifo_listen(number_of(fd), wanted & O_ASYNC ? 1 : -1);
	return 0;
}

int rtai_file_fcntl(int fd, int command, long arg)
{
	struct file *found = file_of(fd);

	if (!found)
		return -EBADF;
	switch (command) {
	case F_GETFL:
		return atomic_load(&found->flags);
	case F_SETFL:
		return set_flags(fd, found, (int)arg);
	case F_GETOWN:
		return atomic_load(&found->owner);
	case F_SETOWN:
		/* To kill(2) it would be every process. */
		if ((int)arg == -1)
			return -EINVAL;
		atomic_store(&found->owner, (int)arg);
		return 0;
	default:
		return -EINVAL;
	}
}

struct bytes_args {
	void *buf;
	long count;
	long delay; /* of READ_TIMED and WRITE_TIMED */
};

static int count_bytes(int fd, int *count)
{
	if (!count)
		return -EFAULT;
	*count = rtf_get_avbs(number_of(fd));
	return 0;
}

static int move_by_ioctl(int fd, unsigned long request, const struct bytes_args *args)
{
	if (!args)
		return -EFAULT;
	switch (request) {
	case READ_ALL_AT_ONCE:
		return rtf_read_all_at_once(fd, args->buf, (int)args->count);
	case READ_TIMED:
		return rtf_read_timed(fd, args->buf, (int)args->count, (int)args->delay);
	case WRITE_TIMED:
		return rtf_write_timed(fd, args->buf, (int)args->count, (int)args->delay);
	case EAVESDROP:
		return rtf_evdrp(fd, args->buf, (int)args->count);
	case OVRWRITE:
		return rtf_overwrite(fd, args->buf, (int)args->count);
	case READ_IF:
		return rtf_read_if(fd, args->buf, (int)args->count);
	case WRITE_IF:
		return rtf_write_if(fd, args->buf, (int)args->count);
	default:
		return -EINVAL;
	}
}

int rtai_file_ioctl(int fd, unsigned long request, void *arg)
{
	const int number = (int)(intptr_t)arg;

	if (!rtai_file_is(fd))
		return -EBADF;
	switch (request) {
	case FIONREAD:
		return count_bytes(fd, arg);
	case RESET:
		return rtf_reset(fd);
	case RESIZE:
		return rtf_resize(fd, number);
	case RTF_SUSPEND_TIMED:
		return rtf_suspend_timed(fd, number);
	case RTF_SEM_INIT:
		return rtf_sem_init(fd, number);
	case RTF_SEM_WAIT:
		return rtf_sem_wait(fd);
	case RTF_SEM_TRYWAIT:
		return rtf_sem_trywait(fd);
	case RTF_SEM_TIMED_WAIT:
		return rtf_sem_timed_wait(fd, number);
	case RTF_SEM_POST:
		return rtf_sem_post(fd);
	case RTF_SEM_DESTROY:
		return rtf_sem_destroy(fd);
	case SET_ASYNC_SIG:
		return rtf_set_async_sig(fd, number);
	default:
		return move_by_ioctl(fd, request, arg);
	}
}

static int events_of(int fd)
{
	const unsigned int number = number_of(fd);
	int events = 0;

	if (rtf_get_avbs(number) > 0)
		events |= POLLIN | POLLRDNORM;
	if (rtf_get_frbs(number) > 0)
		events |= POLLOUT | POLLWRNORM;
	return events;
}

struct look {
	struct pollfd *fds;
	unsigned long count;
	int ready;
};

static bool look(void *arg)
{
	struct look *all = arg;

	all->ready = 0;
	for (unsigned long i = 0; i < all->count; i++) {
		struct pollfd *one = &all->fds[i];

		if (!rtai_file_is(one->fd))
			continue;
		one->revents = (short)(events_of(one->fd) & one->events);
		all->ready += one->revents != 0;
	}
	return all->ready;
}

int rtai_file_poll(struct pollfd *fds, unsigned long count, RTIME ns)
{
	struct look all = {fds, count, 0};
	tact_timeout_t timeout = ns < 0 ? TACT_FOREVER : rtai_in(ns);
	int error = 0;

	if (!fds && count)
		return -EFAULT;
	if (look(&all) || !ns)
		return all.ready;
	error = runtime_in_handler() ? -EPERM : rtai_await_change(look, &all, timeout);
	if (error == -TACT_EINTR || error == -TACT_ECANCELED)
		return -EINTR;
	return error == -EPERM || error == -TACT_ENOMEM ? error : all.ready;
}

int rtf_getfifobyname(const char *name)
{
	return rtf_getfifobyname_lxrt(name);
}

int rtf_named_create(const char *name, int size)
{
	return rtf_named_create_lxrt(name, size);
}

int rtf_create_named(const char *name)
{
	return rtf_create_named_lxrt(name);
}
