/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The start of a program that has no main(): not part of VxWorks. */
#ifndef VXWORKS_USRSTART_H
#define VXWORKS_USRSTART_H

#include <vxWorks.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Run the function that argv names, or usrAppInit if there is none (NULL: the program has none),
 * and return when the program has ended: 0, or 1 if it could not be started. */
int usrStart(int argc, char *argv[], void (*usrAppInit)(void));

#ifdef __cplusplus
}
#endif

#endif
