/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Descriptors are those of Linux; open(), read(), write() and close() are the C library's.
 */
#ifndef VXWORKS_IOLIB_H
#define VXWORKS_IOLIB_H

#include <errno.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <vxWorks.h>

#ifndef STD_IN
#define STD_IN  0
#define STD_OUT 1
#define STD_ERR 2
#endif

/* The names that VxWorks has for modes of open(). */
#ifndef READ
#define READ   O_RDONLY
#define WRITE  O_WRONLY
#define UPDATE O_RDWR
#endif

#endif
