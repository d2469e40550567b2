/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Drivers and devices. A driver is seven functions of the program; a device is a structure of the
 * program that begins with a DEV_HDR. The functions are called as
 *   create(header, rest of the name, flags), open(header, rest of the name, flags, mode)
 *   delete(header, rest of the name), close(value)
 *   read(value, buffer, bytes), write(value, buffer, bytes), ioctl(value, function, argument)
 * where value is what create() or open() has returned, an int or an address (a long). The argument
 * of ioctl() is a long. A function that is NULL is an operation that the driver does not have.
 */
#ifndef VXWORKS_IOSLIB_H
#define VXWORKS_IOSLIB_H

#include <dllLib.h>
#include <vwModNum.h>
#include <vxWorks.h>

#ifdef __cplusplus
extern "C" {
#endif

#define S_iosLib_DEVICE_NOT_FOUND        (M_iosLib | 1)
#define S_iosLib_DRIVER_GLUT             (M_iosLib | 2)
#define S_iosLib_INVALID_FILE_DESCRIPTOR (M_iosLib | 3)
#define S_iosLib_TOO_MANY_OPEN_FILES     (M_iosLib | 4)
#define S_iosLib_DUPLICATE_DEVICE_NAME   (M_iosLib | 6)

typedef struct {
	DL_NODE node;
	short drvNum;
	char *name;
} DEV_HDR;

/* nullDevName: of a device that takes everything and gives nothing; NULL: none. The numbers of
 * drivers and files are fixed. */
STATUS iosInit(int max_drivers, int max_files, char *nullDevName);
int iosDrvInstall(FUNCPTR pCreate, FUNCPTR pDelete, FUNCPTR pOpen, FUNCPTR pClose, FUNCPTR pRead,
		  FUNCPTR pWrite, FUNCPTR pIoctl);
STATUS iosDrvRemove(int drvnum, BOOL forceClose);
STATUS iosDevAdd(DEV_HDR *pDevHdr, char *name, int drvnum);
void iosDevDelete(DEV_HDR *pDevHdr);
DEV_HDR *iosDevFind(char *name, char **pNameTail);
int iosFdValue(int fd);
void iosDrvShow(void);
void iosDevShow(void);
void iosFdShow(void);

#ifdef __cplusplus
}
#endif

#endif
