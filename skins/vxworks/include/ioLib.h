/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Descriptors. open(), creat(), close(), read(), write(), ioctl(), lseek(), remove(), unlink(),
 * rename(), isatty() and select() are declared by the C library's headers. In a program that is
 * linked with this library's flags they serve the devices of iosLib.h, and all else goes to Linux.
 */
#ifndef VXWORKS_IOLIB_H
#define VXWORKS_IOLIB_H

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <unistd.h>

#include <vwModNum.h>
#include <vxWorks.h>

#ifdef __cplusplus
extern "C" {
#endif

#define S_ioLib_NO_DRIVER       (M_ioLib | 1)
#define S_ioLib_UNKNOWN_REQUEST (M_ioLib | 2)
#define S_ioLib_NAME_TOO_LONG   (M_ioLib | 10)

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

/* Functions of ioctl(). FIONREAD and FIONBIO are Linux's. */
#define FIOFLUSH       2
#define FIOOPTIONS     3
#define FIOBAUDRATE    4
#define FIODISKFORMAT  5
#define FIODISKINIT    6
#define FIOSEEK        7
#define FIOWHERE       8
#define FIODIRENTRY    9
#define FIORENAME      10
#define FIOREADYCHANGE 11
#define FIONWRITE      12
#define FIODISKCHANGE  13
#define FIOCANCEL      14
#define FIOSQUEEZE     15
#define FIONMSGS       17
#define FIOGETNAME     18
#define FIOGETOPTIONS  19
#define FIOSETOPTIONS  FIOOPTIONS
#define FIOISATTY      20
#define FIOSYNC        21
#define FIOPROTOHOOK   22
#define FIOPROTOARG    23
#define FIORBUFSET     24
#define FIOWBUFSET     25
#define FIORFLUSH      26
#define FIOWFLUSH      27
#define FIOSELECT      28
#define FIOUNSELECT    29
#define FIONFREE       30

/* Options of terminals: FIOSETOPTIONS, FIOGETOPTIONS. */
#define OPT_RAW      0x00
#define OPT_ECHO     0x01
#define OPT_CRMOD    0x02
#define OPT_TANDEM   0x04
#define OPT_7_BIT    0x08
#define OPT_MON_TRAP 0x10
#define OPT_ABORT    0x20
#define OPT_LINE     0x40
#define OPT_TERMINAL \
	(OPT_ECHO | OPT_CRMOD | OPT_TANDEM | OPT_MON_TRAP | OPT_7_BIT | OPT_ABORT | OPT_LINE)

/* Where the standard input, output and error output of all tasks, and of one task, go. */
void ioGlobalStdSet(int stdFd, int newFd);
int ioGlobalStdGet(int stdFd);
void ioTaskStdSet(int taskId, int stdFd, int newFd);
int ioTaskStdGet(int taskId, int stdFd);

#ifdef __cplusplus
}
#endif

#endif
