/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Files of devices: what the sources of the I/O system share. */
#ifndef VXWORKS_IO_H
#define VXWORKS_IO_H

#include <iosLib.h>
#include <selectLib.h>

#include <poll.h>
#include <stdarg.h>
#include <stdio.h>

#include "vxworks_internal.h"

/* Descriptors of devices are below this number, so that select() has a place for them. */
#define VXWORKS_FILES FD_SETSIZE

/* As in drivers that return an int or an address; the argument of ioctl() is the last one. */
typedef long (*vxworks_driver_t)(long, long, long, long);

struct vxworks_driver {
	_Atomic uint32_t state; /* enum, in ios.c */
	vxworks_driver_t create, delete_file, open, close, read, write, ioctl;
};

#define VXWORKS_FILE_NAME_BYTES 64
struct vxworks_file {
	_Atomic uint32_t state; /* enum, in ios.c */
	int driver;
	long value;
	DEV_HDR *device;
	char name[VXWORKS_FILE_NAME_BYTES];
};

/* The driver of a file, and the driver's value of it; NULL: Linux's descriptor, or none. Context:
 * any. */
const struct vxworks_driver *vxworks_file(int fd, long *value);
/* The name of a file; its driver's value. */
const char *vxworks_file_name(int fd);

/* Open a file of a device. create: by create(). Returns the descriptor, or ERROR. */
int vxworks_file_open(DEV_HDR *device, const char *name, const char *rest, int flags, int mode,
		      bool create);
STATUS vxworks_file_close(int fd);
/* The device of a name, or NULL. errno stays. */
DEV_HDR *vxworks_device(const char *name, const char **rest);
const struct vxworks_driver *vxworks_driver_of(const DEV_HDR *device);
/* How many files of a device are open. */
int vxworks_files_of(const DEV_HDR *device);
/* Close all files of a device. */
void vxworks_close_files_of(const DEV_HDR *device);

/* What the functions do that the linker puts in place of the C library's (io.c). */
ssize_t vxworks_write(int fd, const void *data, size_t bytes);
int vxworks_ioctl(int fd, unsigned long function, long argument);
/* Print to a descriptor of a device or of Linux. */
int vxworks_print(int fd, const char *format, va_list args) __attribute__((format(printf, 2, 0)));

/* The descriptor that stands for a standard one of the calling task (io_std.c). */
int vxworks_std(int fd);

/* ioctl() by VxWorks's numbers for descriptors of Linux (io_linux.c). */
int vxworks_linux_ioctl(int fd, unsigned long function, long argument);

/* Waits for descriptors of Linux (select_linux.c). A watch raises the bits of the event flags when
 * one of the descriptors is ready, once. NULL: errno says why there is none. */
struct vxworks_watch;
struct vxworks_watch *vxworks_watch(tact_event_t event, uint64_t bits, const struct pollfd *fds,
				    uint32_t count);
/* The descriptors were ready, and are not any more: set the bits when they are again. */
void vxworks_watch_again(struct vxworks_watch *watch);
void vxworks_unwatch(struct vxworks_watch *watch);

#endif
