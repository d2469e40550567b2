/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * select(). The task waits for a bit of its event flags, whatever it waits for: drivers raise it by
 * their lists of nodes, and a thread of Linux raises it for descriptors of Linux (select_linux.c).
 * In virtual time no thread may raise it: descriptors of Linux are asked at each tick. If no
 * descriptor is a device's, Linux's select() does all.
 */
#include "select.h"

#include "io.h"

#include <intLib.h>
#include <ioLib.h>
#include <string.h>

int __wrap_select(int width, fd_set *reads, fd_set *writes, fd_set *excepts,
		  struct timeval *timeout);

struct wait {
	struct vxworks_object *task;
	int width;
	const fd_set *wanted[2]; /* by SELECT_TYPE; may be NULL */
	const fd_set *excepts;
	uint16_t node[2 * FD_SETSIZE]; /* numbers: the whole is on a task's stack */
	uint32_t nodes;
	struct pollfd linux_fd[FD_SETSIZE];
	uint16_t fd_of[FD_SETSIZE]; /* the program's number of a descriptor of Linux */
	uint32_t linux_fds;
};

void selectInit(int numFiles)
{
	(void)numFiles;
}

static bool wants(const fd_set *set, int fd)
{
	return set && FD_ISSET(fd, set);
}

static bool is_device(int fd)
{
	long value;

	return vxworks_file(fd, &value);
}

/* Take the descriptors of Linux. Returns how many are devices'. */
static uint32_t sort(struct wait *wait)
{
	uint32_t devices = 0;

	for (int fd = 0; fd < wait->width; fd++) {
		const bool reads = wants(wait->wanted[SELREAD], fd);
		const bool writes = wants(wait->wanted[SELWRITE], fd);

		if (is_device(vxworks_std(fd)))
			devices += reads || writes;
		else if (reads || writes || wants(wait->excepts, fd)) {
			wait->fd_of[wait->linux_fds] = (uint16_t)fd;
			wait->linux_fd[wait->linux_fds++] = (struct pollfd){
				.fd = vxworks_std(fd),
				.events = (short)((reads ? POLLIN : 0) | (writes ? POLLOUT : 0) |
						  (wants(wait->excepts, fd) ? POLLPRI : 0))};
		}
	}
	return devices;
}

static void remove_nodes(struct wait *wait)
{
	const int code = errno;

	for (uint32_t i = 0; i < wait->nodes; i++) {
		SEL_WAKEUP_NODE *node = (SEL_WAKEUP_NODE *)(uintptr_t)wait->node[i];

		(void)vxworks_ioctl(vxworks_node_fd(node), FIOUNSELECT, (long)(uintptr_t)node);
		vxworks_node_free(wait->task, node);
	}
	wait->nodes = 0;
	errno = code;
}

static STATUS add_nodes(struct wait *wait)
{
	for (int fd = 0; fd < wait->width; fd++)
		for (int type = SELREAD; type <= SELWRITE; type++) {
			SEL_WAKEUP_NODE *node;

			if (!wants(wait->wanted[type], fd) || !is_device(vxworks_std(fd)))
				continue;
			node = vxworks_node_make(wait->task, fd, (SELECT_TYPE)type);
			if (!node)
				return ERROR;
			wait->node[wait->nodes++] = (uint16_t)(uintptr_t)node;
			if (vxworks_ioctl(fd, FIOSELECT, (long)(uintptr_t)node) == ERROR)
				return *vxworks_errno() == S_ioLib_UNKNOWN_REQUEST
					       ? vxworks_fail(
							 S_selectLib_NO_SELECT_SUPPORT_IN_DRIVER)
					       : ERROR;
		}
	return OK;
}

static bool is_ready(const struct wait *wait)
{
	for (int type = SELREAD; type <= SELWRITE; type++)
		for (size_t i = 0; i < NELEMENTS(wait->task->task.ready[type]); i++)
			if (atomic_load(&wait->task->task.ready[type][i]))
				return true;
	return false;
}

static bool linux_is_ready(struct wait *wait)
{
	return wait->linux_fds && poll(wait->linux_fd, wait->linux_fds, 0) > 0;
}

/* The ticks of a timeout, rounded up; WAIT_FOREVER. */
static int64_t ticks_of(const struct timeval *timeout)
{
	uint64_t ns;
	uint64_t ticks;

	if (!timeout)
		return WAIT_FOREVER;
	ns = (uint64_t)timeout->tv_sec > RUNTIME_NS_MAX / 1000000000
		     ? RUNTIME_NS_MAX
		     : (uint64_t)timeout->tv_sec * 1000000000 + (uint64_t)timeout->tv_usec * 1000;
	ticks = runtime_ns_ticks(&vxworks_ticks, ns);
	ticks += runtime_ticks_ns(&vxworks_ticks, ticks) < ns;
	return (int64_t)ticks;
}

static int wait_for_bit(const struct wait *wait, tact_timeout_t until)
{
	return tact_event_wait(vxworks_events(wait->task), VXWORKS_SELECT,
			       TACT_EVENT_ANY | TACT_EVENT_CONSUME, until, NULL);
}

/* In virtual time, if descriptors of Linux are among them. */
static int wait_by_ticks(struct wait *wait, int64_t ticks)
{
	int error = ticks ? -TACT_ETIMEDOUT : -TACT_EAGAIN;

	while (ticks && !is_ready(wait) && !linux_is_ready(wait)) {
		error = wait_for_bit(wait, runtime_on_tick(&vxworks_ticks, 1));
		if (error && error != -TACT_ETIMEDOUT)
			return error;
		ticks -= ticks > 0;
	}
	return is_ready(wait) || linux_is_ready(wait) ? 0 : error;
}

static int wait_until(struct wait *wait, tact_timeout_t until)
{
	struct vxworks_watch *watch = NULL;
	int error = 0;

	if (wait->linux_fds) {
		watch = vxworks_watch(vxworks_events(wait->task), VXWORKS_SELECT, wait->linux_fd,
				      wait->linux_fds);
		if (!watch)
			return -TACT_ENOMEM;
	}
	while (!error && !is_ready(wait) && !linux_is_ready(wait)) {
		error = wait_for_bit(wait, until);
		/* Others may have taken what was there. */
		if (!error && watch && !is_ready(wait) && !linux_is_ready(wait))
			vxworks_watch_again(watch);
	}
	if (watch)
		vxworks_unwatch(watch);
	return error;
}

static int wait_for_any(struct wait *wait, const struct timeval *timeout)
{
	const int64_t ticks = ticks_of(timeout);

	if (wait->linux_fds && vxworks_time_is_virtual())
		return wait_by_ticks(wait, ticks);
	if (is_ready(wait) || linux_is_ready(wait))
		return 0;
	if (!ticks)
		return -TACT_EAGAIN;
	return wait_until(wait, ticks < 0 ? TACT_FOREVER
					  : runtime_on_tick(&vxworks_ticks, (uint64_t)ticks));
}

static int take_ready(struct wait *wait, fd_set *sets[2], fd_set *excepts)
{
	int found = 0;

	for (int type = SELREAD; type <= SELWRITE; type++) {
		if (!sets[type])
			continue;
		for (int fd = 0; fd < wait->width; fd++) {
			const uint64_t bit = (uint64_t)1 << fd % 64;

			if (wants(sets[type], fd) &&
			    atomic_load(&wait->task->task.ready[type][fd / 64]) & bit)
				found++;
			else
				FD_CLR(fd, sets[type]);
		}
	}
	if (excepts)
		FD_ZERO(excepts);
	return found;
}

/* As Linux's select() shows what poll() says. */
static int take_linux(struct wait *wait, fd_set *sets[2], fd_set *excepts)
{
	int found = 0;

	if (!linux_is_ready(wait))
		return 0;
	for (uint32_t i = 0; i < wait->linux_fds; i++) {
		const struct pollfd *linux_fd = &wait->linux_fd[i];
		const short told = linux_fd->revents;
		const int fd = wait->fd_of[i];

		if (linux_fd->events & POLLIN && told & (POLLIN | POLLHUP | POLLERR)) {
			FD_SET(fd, sets[SELREAD]);
			found++;
		}
		if (linux_fd->events & POLLOUT && told & (POLLOUT | POLLERR)) {
			FD_SET(fd, sets[SELWRITE]);
			found++;
		}
		if (linux_fd->events & POLLPRI && told & POLLPRI) {
			FD_SET(fd, excepts);
			found++;
		}
	}
	return found;
}

static bool has_bad_descriptor(struct wait *wait)
{
	if (linux_is_ready(wait))
		for (uint32_t i = 0; i < wait->linux_fds; i++)
			if (wait->linux_fd[i].revents & POLLNVAL)
				return true;
	return false;
}

static void begin(struct wait *wait)
{
	vxworks_nodes_drop(wait->task);
	for (int type = SELREAD; type <= SELWRITE; type++)
		for (size_t i = 0; i < NELEMENTS(wait->task->task.ready[type]); i++)
			atomic_store(&wait->task->task.ready[type][i], 0);
	(void)tact_event_clear(vxworks_events(wait->task), VXWORKS_SELECT, NULL);
}

static int select_in_task(struct wait *wait, fd_set *sets[2], fd_set *excepts,
			  const struct timeval *timeout)
{
	int found;
	int error;

	if (has_bad_descriptor(wait))
		return vxworks_fail(EBADF);
	begin(wait);
	if (add_nodes(wait) == ERROR) {
		remove_nodes(wait);
		return ERROR;
	}
	error = wait_for_any(wait, timeout);
	remove_nodes(wait);
	if (error && error != -TACT_ETIMEDOUT && error != -TACT_EAGAIN)
		return vxworks_failed(error);
	found = take_ready(wait, sets, excepts);
	return found + take_linux(wait, sets, excepts);
}

int __wrap_select(int width, fd_set *reads, fd_set *writes, fd_set *excepts,
		  struct timeval *timeout)
{
	fd_set *sets[2] = {reads, writes};
	struct wait wait = {.task = NULL};
	uint32_t devices;

	if (vxworks_in_handler())
		return vxworks_fail(S_intLib_NOT_ISR_CALLABLE);
	if (width < 0 || width > FD_SETSIZE)
		return vxworks_fail(S_selectLib_WIDTH_OUT_OF_RANGE);
	if (timeout && (timeout->tv_sec < 0 || timeout->tv_usec < 0 || timeout->tv_usec >= 1000000))
		return vxworks_fail(EINVAL);
	wait.task = vxworks_task_self();
	wait.width = width;
	wait.wanted[SELREAD] = reads;
	wait.wanted[SELWRITE] = writes;
	wait.excepts = excepts;
	devices = sort(&wait);
	if (!devices && (!wait.task || (wait.linux_fds && !vxworks_time_is_virtual())))
		return select(width, reads, writes, excepts, timeout);
	if (!wait.task)
		return vxworks_fail(S_selectLib_NO_SELECT_CONTEXT);
	return select_in_task(&wait, sets, excepts, timeout);
}
