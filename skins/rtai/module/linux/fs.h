/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Devices of Linux's kernel: not here. */
#ifndef TACTUS_RTAI_LINUX_FS_H
#define TACTUS_RTAI_LINUX_FS_H

#ifndef __KERNEL__
#include_next <linux/fs.h>
#else
#include <linux/types.h>

struct file;
struct inode;
struct file_operations;
#define RTAI_NO_DEVICE "modules make no devices here: use a FIFO, which is /dev/rtf0 and so on"
int register_chrdev(unsigned int major, const char *name, const void *operations)
	TACTUS_RTAI_REFUSED(RTAI_NO_DEVICE);
int unregister_chrdev(unsigned int major, const char *name) TACTUS_RTAI_REFUSED(RTAI_NO_DEVICE);
int misc_register(void *device) TACTUS_RTAI_REFUSED(RTAI_NO_DEVICE);
int misc_deregister(void *device) TACTUS_RTAI_REFUSED(RTAI_NO_DEVICE);
#endif

#endif
