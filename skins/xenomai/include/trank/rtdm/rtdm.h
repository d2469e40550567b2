/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * <rtdm/rtdm.h>, and the calls that Xenomai 2 had for its devices. They are the calls of POSIX,
 * except that they return -errno. A device is named by the part of its path after /dev/rtdm/.
 */
#ifndef TRANK_RTDM_RTDM_H
#define TRANK_RTDM_RTDM_H

/* Without the names that Xenomai 3 keeps. */
#ifndef RTDM_NO_DEFAULT_USER_API
#define RTDM_NO_DEFAULT_USER_API
#endif
#undef rt_dev_open
#undef rt_dev_socket
#undef rt_dev_close
#undef rt_dev_ioctl
#undef rt_dev_read
#undef rt_dev_write
#undef rt_dev_recvmsg
#undef rt_dev_sendmsg
#undef rt_dev_recvfrom

#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#include <rtdm/devices.h>

#define RTDM_DEV_RESULT(call)                          \
	do {                                           \
		__typeof__(call) result_ = (call);     \
		return result_ < 0 ? -errno : result_; \
	} while (0)

/* The third argument of open(), the mode of a new file, has no meaning for devices. */
static inline int rt_dev_open(const char *path, int oflag, ...)
{
	char name[RTDM_MAX_DEVNAME_LEN + sizeof("/dev/rtdm/")];

	if (path[0] == '/')
		RTDM_DEV_RESULT(open(path, oflag));
	if (snprintf(name, sizeof(name), "/dev/rtdm/%s", path) >= (int)sizeof(name))
		return -ENAMETOOLONG;
	RTDM_DEV_RESULT(open(name, oflag));
}

static inline int rt_dev_close(int fd)
{
	RTDM_DEV_RESULT(close(fd));
}

/* If a request has no argument, the third argument may be missing. */
static inline int rt_dev_ioctl(int fd, unsigned long request, ...)
{
	va_list args;
	void *arg;

	va_start(args, request);
	arg = va_arg(args, void *);
	va_end(args);
	RTDM_DEV_RESULT(ioctl(fd, request, arg));
}

static inline ssize_t rt_dev_read(int fd, void *buf, size_t bytes)
{
	RTDM_DEV_RESULT(read(fd, buf, bytes));
}

static inline ssize_t rt_dev_write(int fd, const void *buf, size_t bytes)
{
	RTDM_DEV_RESULT(write(fd, buf, bytes));
}

static inline int rt_dev_socket(int domain, int type, int protocol)
{
	RTDM_DEV_RESULT(socket(domain, type, protocol));
}

static inline int rt_dev_bind(int fd, const struct sockaddr *address, socklen_t length)
{
	RTDM_DEV_RESULT(bind(fd, address, length));
}

static inline int rt_dev_connect(int fd, const struct sockaddr *address, socklen_t length)
{
	RTDM_DEV_RESULT(connect(fd, address, length));
}

static inline int rt_dev_setsockopt(int fd, int level, int name, const void *value,
				    socklen_t length)
{
	RTDM_DEV_RESULT(setsockopt(fd, level, name, value, length));
}

static inline int rt_dev_getsockopt(int fd, int level, int name, void *value, socklen_t *length)
{
	RTDM_DEV_RESULT(getsockopt(fd, level, name, value, length));
}

static inline ssize_t rt_dev_sendto(int fd, const void *buf, size_t bytes, int flags,
				    const struct sockaddr *address, socklen_t length)
{
	RTDM_DEV_RESULT(sendto(fd, buf, bytes, flags, address, length));
}

static inline ssize_t rt_dev_recvfrom(int fd, void *buf, size_t bytes, int flags,
				      struct sockaddr *address, socklen_t *length)
{
	RTDM_DEV_RESULT(recvfrom(fd, buf, bytes, flags, address, length));
}

static inline ssize_t rt_dev_send(int fd, const void *buf, size_t bytes, int flags)
{
	RTDM_DEV_RESULT(send(fd, buf, bytes, flags));
}

static inline ssize_t rt_dev_recv(int fd, void *buf, size_t bytes, int flags)
{
	RTDM_DEV_RESULT(recv(fd, buf, bytes, flags));
}

static inline ssize_t rt_dev_sendmsg(int fd, const struct msghdr *message, int flags)
{
	RTDM_DEV_RESULT(sendmsg(fd, message, flags));
}

static inline ssize_t rt_dev_recvmsg(int fd, struct msghdr *message, int flags)
{
	RTDM_DEV_RESULT(recvmsg(fd, message, flags));
}

#endif
