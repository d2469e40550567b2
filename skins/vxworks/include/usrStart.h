/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The start of a program that has no main(): not part of VxWorks. */
#ifndef VXWORKS_USRSTART_H
#define VXWORKS_USRSTART_H

#include <vxWorks.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The root functions of a program; NULL: the program has none of this name. The first one that it
 * has runs in the task tUsrRoot:
 *   usrRoot()      gets memory of the system partition, and how much
 *   usrAppInit()
 *   init_module()  of a program for the kernel module of Xenomai 2; another result than 0 is an
 *                  error. cleanup_module() runs when the program has ended.
 * Before usrAppInit() and init_module(), the devices /null and /pipe/... are there (iosInit(),
 * pipeDrv()). A usrRoot() does that itself, as in VxWorks.
 */
struct usrRoots {
	void (*usrRoot)(char *pMemPoolStart, unsigned int memPoolSize);
	void (*usrAppInit)(void);
	int (*init_module)(void);
	void (*cleanup_module)(void);
};

/* Run the function that argv names, or the root function if argv names none, and return when the
 * program has ended: 0, or 1 if it could not be started. */
int usrStart(int argc, char *argv[], const struct usrRoots *roots);

#ifdef __cplusplus
}
#endif

#endif
