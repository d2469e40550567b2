/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The C library's functions for files, as a program of VxWorks calls them: the linker turns the
 * program's calls of f() into calls of __wrap_f() (--wrap). What names a device, or a descriptor of
 * a device, goes to the driver, everything else to Linux. A handler reaches devices only.
 */
#define _GNU_SOURCE
#include "io.h"

#include <fcntl.h>
#include <intLib.h>
#include <ioLib.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* Of files of Linux that creat() makes. */
#define LINUX_MODE 0666

int __wrap_open(const char *name, int flags, ...);
int __wrap_open64(const char *name, int flags, ...);
int __wrap___open_2(const char *name, int flags);
int __wrap___open64_2(const char *name, int flags);
int __wrap_creat(const char *name, mode_t flags);
int __wrap_creat64(const char *name, mode_t flags);
int __wrap_close(int fd);
ssize_t __wrap_read(int fd, void *data, size_t bytes);
ssize_t __wrap___read_chk(int fd, void *data, size_t bytes, size_t room);
ssize_t __wrap_write(int fd, const void *data, size_t bytes);
int __wrap_ioctl(int fd, unsigned long function, ...);
off_t __wrap_lseek(int fd, off_t offset, int whence);
off_t __wrap_lseek64(int fd, off_t offset, int whence);
int __wrap_remove(const char *name);
int __wrap_unlink(const char *name);
int __wrap_rename(const char *name, const char *to);
int __wrap_isatty(int fd);

static int open_any(const char *name, int flags, int mode)
{
	const char *rest;
	DEV_HDR *device = vxworks_device(name, &rest);

	if (device)
		return vxworks_file_open(device, name, rest, flags, mode, false);
	if (vxworks_in_handler())
		return vxworks_fail(S_intLib_NOT_ISR_CALLABLE);
	return open(name, flags, mode);
}

/* Without O_CREAT a program need not say a mode. */
#define OPEN_MODE(FLAGS)                                          \
	({                                                        \
		va_list args_;                                    \
		int mode_;                                        \
		va_start(args_, FLAGS);                           \
		mode_ = (FLAGS)&O_CREAT ? va_arg(args_, int) : 0; \
		va_end(args_);                                    \
		mode_;                                            \
	})

int __wrap_open(const char *name, int flags, ...)
{
	return open_any(name, flags, OPEN_MODE(flags));
}

int __wrap_open64(const char *name, int flags, ...)
{
	return open_any(name, flags, OPEN_MODE(flags));
}

int __wrap___open_2(const char *name, int flags)
{
	return open_any(name, flags, 0);
}

int __wrap___open64_2(const char *name, int flags)
{
	return open_any(name, flags, 0);
}

/* The second argument is O_RDONLY, O_WRONLY or O_RDWR, or, as in Linux, a mode. */
int __wrap_creat(const char *name, mode_t flags)
{
	const char *rest;
	DEV_HDR *device = vxworks_device(name, &rest);

	if (device)
		return vxworks_file_open(device, name, rest, (int)flags, 0, true);
	if (flags > O_RDWR)
		return open_any(name, O_CREAT | O_WRONLY | O_TRUNC, (int)flags);
	return open_any(name, O_CREAT | O_TRUNC | (int)flags, LINUX_MODE);
}

int __wrap_creat64(const char *name, mode_t flags)
{
	return __wrap_creat(name, flags);
}

int __wrap_close(int fd)
{
	long value;

	if (vxworks_file(fd, &value))
		return vxworks_file_close(fd);
	if (vxworks_in_handler())
		return vxworks_fail(S_intLib_NOT_ISR_CALLABLE);
	return close(fd);
}

ssize_t __wrap_read(int fd, void *data, size_t bytes)
{
	const int to = vxworks_std(fd);
	long value;
	const struct vxworks_driver *driver = vxworks_file(to, &value);

	if (driver && driver->read)
		return (int)driver->read(value, (long)(uintptr_t)data, (long)bytes, 0);
	if (driver)
		return vxworks_fail(ENOTSUP);
	if (vxworks_in_handler())
		return vxworks_fail(S_intLib_NOT_ISR_CALLABLE);
	return read(to, data, bytes);
}

ssize_t __wrap___read_chk(int fd, void *data, size_t bytes, size_t room)
{
	if (bytes > room)
		abort(); /* as the C library does */
	return __wrap_read(fd, data, bytes);
}

ssize_t vxworks_write(int fd, const void *data, size_t bytes)
{
	const int to = vxworks_std(fd);
	long value;
	const struct vxworks_driver *driver = vxworks_file(to, &value);

	if (driver && driver->write)
		return (int)driver->write(value, (long)(uintptr_t)data, (long)bytes, 0);
	if (driver)
		return vxworks_fail(ENOTSUP);
	if (vxworks_in_handler())
		return vxworks_fail(S_intLib_NOT_ISR_CALLABLE);
	return write(to, data, bytes);
}

ssize_t __wrap_write(int fd, const void *data, size_t bytes)
{
	return vxworks_write(fd, data, bytes);
}

int vxworks_ioctl(int fd, unsigned long function, long argument)
{
	const int to = vxworks_std(fd);
	long value;
	const struct vxworks_driver *driver = vxworks_file(to, &value);

	if (!driver) {
		if (vxworks_in_handler())
			return vxworks_fail(S_intLib_NOT_ISR_CALLABLE);
		return vxworks_linux_ioctl(to, function, argument);
	}
	if (function == FIOGETNAME) {
		if (!argument)
			return vxworks_fail(EINVAL);
		strcpy((char *)(uintptr_t)argument, vxworks_file_name(to));
		return OK;
	}
	if (driver->ioctl)
		return (int)driver->ioctl(value, (long)function, argument, 0);
	return vxworks_fail(S_ioLib_UNKNOWN_REQUEST);
}

int __wrap_ioctl(int fd, unsigned long function, ...)
{
	va_list args;
	long argument;

	va_start(args, function);
	argument = va_arg(args, long);
	va_end(args);
	return vxworks_ioctl(fd, function, argument);
}

static off_t seek_in_device(int fd, off_t offset, int whence)
{
	int base = whence == SEEK_SET ? 0 : vxworks_ioctl(fd, FIOWHERE, 0);
	int rest = 0;

	if (base == ERROR)
		return ERROR;
	if (whence == SEEK_END && vxworks_ioctl(fd, FIONREAD, (long)(uintptr_t)&rest) == ERROR)
		return ERROR;
	if (whence != SEEK_SET && whence != SEEK_CUR && whence != SEEK_END)
		return vxworks_fail(EINVAL);
	offset += base + rest;
	return vxworks_ioctl(fd, FIOSEEK, offset) == ERROR ? ERROR : offset;
}

off_t __wrap_lseek(int fd, off_t offset, int whence)
{
	long value;

	return vxworks_file(fd, &value) ? seek_in_device(fd, offset, whence)
					: lseek(fd, offset, whence);
}

off_t __wrap_lseek64(int fd, off_t offset, int whence)
{
	return __wrap_lseek(fd, offset, whence);
}

static int delete_file(DEV_HDR *device, const char *rest)
{
	const struct vxworks_driver *driver = vxworks_driver_of(device);

	if (vxworks_in_handler())
		return vxworks_fail(S_intLib_NOT_ISR_CALLABLE);
	if (!driver || !driver->delete_file)
		return vxworks_fail(ENOTSUP);
	return (int)driver->delete_file((long)(uintptr_t)device, (long)(uintptr_t)rest, 0, 0);
}

int __wrap_remove(const char *name)
{
	const char *rest;
	DEV_HDR *device = vxworks_device(name, &rest);

	return device ? delete_file(device, rest) : remove(name);
}

int __wrap_unlink(const char *name)
{
	const char *rest;
	DEV_HDR *device = vxworks_device(name, &rest);

	return device ? delete_file(device, rest) : unlink(name);
}

/* A driver renames a file that is open. */
int __wrap_rename(const char *name, const char *to)
{
	const char *rest;
	DEV_HDR *device = vxworks_device(name, &rest);
	int fd;
	int result;

	if (!device)
		return rename(name, to);
	fd = vxworks_file_open(device, name, rest, O_RDONLY, 0, false);
	if (fd == ERROR)
		return ERROR;
	result = vxworks_ioctl(fd, FIORENAME, (long)(uintptr_t)to);
	(void)vxworks_file_close(fd);
	return result;
}

int __wrap_isatty(int fd)
{
	const int to = vxworks_std(fd);
	long value;

	if (vxworks_file(to, &value))
		return vxworks_ioctl(to, FIOISATTY, 0) == TRUE;
	return isatty(to);
}
