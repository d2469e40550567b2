/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The words of VxWorks that all of its headers use.
 *
 * A STATUS is OK or ERROR; if it is ERROR, or an id is NULL, errno says why. A timeout is a number
 * of ticks, NO_WAIT or WAIT_FOREVER. Ids are small numbers, whatever their type: they fit an int.
 */
#ifndef VXWORKS_H
#define VXWORKS_H

#include <stddef.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef OK
#define OK 0
#endif
#define ERROR        (-1)
#define NO_WAIT      0
#define WAIT_FOREVER (-1)
#ifndef TRUE
#define TRUE  1
#define FALSE 0
#endif

typedef int STATUS;
typedef int BOOL;

#ifdef __cplusplus
}
#endif

#endif
