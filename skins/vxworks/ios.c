/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Drivers, devices and the descriptors of their files. The tables have fixed sizes and no lock: a
 * place is taken by one exchange. A descriptor is a number that Linux has given for a descriptor
 * without a file behind it, so no number means two things, and a call that does not come here gets
 * EBADF.
 */
#define _GNU_SOURCE /* O_PATH */
#include "io.h"
#include "shell.h"

#include <fcntl.h>
#include <intLib.h>
#include <ioLib.h>
#include <memPartLib.h>
#include <string.h>
#include <unistd.h>

#define DRIVERS 64u
#define DEVICES 256u
/* As long as a name of a file may be. */
#define DEVICE_NAME_BYTES 101u

enum { FREE, TAKEN, USED };

/* Number 0 is no driver. */
static struct vxworks_driver drivers[DRIVERS];
/* The names stay where they are, because another task may be comparing one that goes. */
static struct device {
	_Atomic uint32_t state;
	_Atomic(DEV_HDR *) header;
	char name[DEVICE_NAME_BYTES];
} devices[DEVICES];
static struct vxworks_file files[VXWORKS_FILES];

static bool take(_Atomic uint32_t *state)
{
	uint32_t is_free = FREE;

	return atomic_compare_exchange_strong(state, &is_free, TAKEN);
}

static struct vxworks_driver *driver_of_number(int number)
{
	if (number <= 0 || number >= (int)DRIVERS || atomic_load(&drivers[number].state) != USED)
		return NULL;
	return &drivers[number];
}

int iosDrvInstall(FUNCPTR pCreate, FUNCPTR pDelete, FUNCPTR pOpen, FUNCPTR pClose, FUNCPTR pRead,
		  FUNCPTR pWrite, FUNCPTR pIoctl)
{
	if (vxworks_in_handler())
		return vxworks_fail(S_intLib_NOT_ISR_CALLABLE);
	for (uint32_t i = 1; i < DRIVERS; i++) {
		struct vxworks_driver *driver = &drivers[i];

		if (!take(&driver->state))
			continue;
		driver->create = (vxworks_driver_t)(uintptr_t)pCreate;
		driver->delete_file = (vxworks_driver_t)(uintptr_t)pDelete;
		driver->open = (vxworks_driver_t)(uintptr_t)pOpen;
		driver->close = (vxworks_driver_t)(uintptr_t)pClose;
		driver->read = (vxworks_driver_t)(uintptr_t)pRead;
		driver->write = (vxworks_driver_t)(uintptr_t)pWrite;
		driver->ioctl = (vxworks_driver_t)(uintptr_t)pIoctl;
		atomic_store(&driver->state, USED);
		return (int)i;
	}
	return vxworks_fail(S_iosLib_DRIVER_GLUT);
}

static int null_open(void)
{
	return 0;
}

static int null_write(long value, const char *data, long bytes)
{
	(void)value;
	(void)data;
	return (int)bytes;
}

STATUS iosInit(int max_drivers, int max_files, char *nullDevName)
{
	static DEV_HDR null_device;
	static _Atomic int number;

	(void)max_drivers;
	(void)max_files;
	if (!nullDevName)
		return OK;
	if (!number)
		number = iosDrvInstall((FUNCPTR)null_open, NULL, (FUNCPTR)null_open, NULL,
				       (FUNCPTR)null_open, (FUNCPTR)null_write, NULL);
	if (number == ERROR) {
		number = 0;
		return ERROR;
	}
	return iosDevAdd(&null_device, nullDevName, number);
}

/* Does the name begin with that of the device, and does it end there, or go on as a path? */
static bool matches(const struct device *device, const char *name, size_t *bytes)
{
	*bytes = strnlen(device->name, DEVICE_NAME_BYTES - 1);
	return *bytes && !strncmp(device->name, name, *bytes) &&
	       (!name[*bytes] || name[*bytes] == '/' || device->name[*bytes - 1] == '/' ||
		device->name[*bytes - 1] == ':');
}

DEV_HDR *vxworks_device(const char *name, const char **rest)
{
	DEV_HDR *found = NULL;
	size_t longest = 0;

	for (uint32_t i = 0; name && i < DEVICES; i++) {
		DEV_HDR *device = atomic_load(&devices[i].header);
		size_t bytes;

		if (device && matches(&devices[i], name, &bytes) && bytes > longest) {
			found = device;
			longest = bytes;
		}
	}
	if (rest && name)
		*rest = name + longest;
	return found;
}

DEV_HDR *iosDevFind(char *name, char **pNameTail)
{
	DEV_HDR *found = vxworks_device(name, (const char **)pNameTail);

	return found ? found : vxworks_no_id(S_iosLib_DEVICE_NOT_FOUND);
}

/* A device of this name, but not this one. */
static bool has_name(const DEV_HDR *but, const char *name)
{
	for (uint32_t i = 0; i < DEVICES; i++) {
		const DEV_HDR *device = atomic_load(&devices[i].header);

		if (device && device != but && !strcmp(devices[i].name, name))
			return true;
	}
	return false;
}

static void withdraw(DEV_HDR *device)
{
	for (uint32_t i = 0; i < DEVICES; i++) {
		DEV_HDR *there = device;

		if (atomic_compare_exchange_strong(&devices[i].header, &there, NULL)) {
			atomic_store(&devices[i].state, FREE);
			return;
		}
	}
}

STATUS iosDevAdd(DEV_HDR *pDevHdr, char *name, int drvnum)
{
	uint32_t at = 0;

	if (vxworks_in_handler())
		return vxworks_fail(S_intLib_NOT_ISR_CALLABLE);
	if (!pDevHdr || !name || !*name)
		return vxworks_fail(EINVAL);
	if (!driver_of_number(drvnum))
		return vxworks_fail(S_ioLib_NO_DRIVER);
	if (strlen(name) >= DEVICE_NAME_BYTES)
		return vxworks_fail(S_ioLib_NAME_TOO_LONG);
	if (has_name(NULL, name))
		return vxworks_fail(S_iosLib_DUPLICATE_DEVICE_NAME);
	while (at < DEVICES && !take(&devices[at].state))
		at++;
	if (at == DEVICES)
		return vxworks_fail(S_memLib_NOT_ENOUGH_MEMORY);
	strcpy(devices[at].name, name);
	*pDevHdr = (DEV_HDR){.drvNum = (short)drvnum, .name = devices[at].name};
	atomic_store(&devices[at].header, pDevHdr);
	/* Two callers at once: each sees the other one. */
	if (has_name(pDevHdr, name)) {
		withdraw(pDevHdr);
		return vxworks_fail(S_iosLib_DUPLICATE_DEVICE_NAME);
	}
	return OK;
}

void iosDevDelete(DEV_HDR *pDevHdr)
{
	if (pDevHdr && !vxworks_in_handler())
		withdraw(pDevHdr);
}

const struct vxworks_driver *vxworks_driver_of(const DEV_HDR *device)
{
	return driver_of_number(device->drvNum);
}

static struct vxworks_file *file_of(int fd)
{
	if (fd < 0 || fd >= VXWORKS_FILES ||
	    atomic_load_explicit(&files[fd].state, memory_order_acquire) != USED)
		return NULL;
	return &files[fd];
}

const struct vxworks_driver *vxworks_file(int fd, long *value)
{
	const struct vxworks_file *file = file_of(fd);

	if (!file)
		return NULL;
	*value = file->value;
	return &drivers[file->driver];
}

const char *vxworks_file_name(int fd)
{
	const struct vxworks_file *file = file_of(fd);

	return file ? file->name : NULL;
}

int iosFdValue(int fd)
{
	long value;

	return vxworks_file(fd, &value) ? (int)value
					: vxworks_fail(S_iosLib_INVALID_FILE_DESCRIPTOR);
}

/* A number that no descriptor of Linux has; ERROR: errno says why. */
static int reserve(void)
{
	const int fd = open("/", O_PATH | O_CLOEXEC);

	if (fd >= 0 && fd < VXWORKS_FILES && take(&files[fd].state))
		return fd;
	if (fd >= 0)
		(void)close(fd);
	return vxworks_fail(S_iosLib_TOO_MANY_OPEN_FILES);
}

static void release(int fd)
{
	/* In this order: when Linux gives the number again, the place is free. */
	atomic_store(&files[fd].state, FREE);
	(void)close(fd);
}

/* What a driver returns is an int, of which a part of the register is chance, or an address. */
static bool is_error(long result)
{
	return (int)result == ERROR;
}

int vxworks_file_open(DEV_HDR *device, const char *name, const char *rest, int flags, int mode,
		      bool create)
{
	const struct vxworks_driver *driver = driver_of_number(device->drvNum);
	const vxworks_driver_t how = driver ? create ? driver->create : driver->open : NULL;
	long value;
	int fd;

	if (vxworks_in_handler())
		return vxworks_fail(S_intLib_NOT_ISR_CALLABLE);
	if (!how)
		return vxworks_fail(ENOTSUP);
	fd = reserve();
	if (fd == ERROR)
		return ERROR;
	value = how((long)(uintptr_t)device, (long)(uintptr_t)rest, flags, mode);
	if (is_error(value)) {
		release(fd);
		return ERROR;
	}
	/* A driver that returns the address of its device, cut to an int, gets the whole of it. */
	if ((uint32_t)value == (uint32_t)(uintptr_t)device)
		value = (long)(uintptr_t)device;
	files[fd].driver = device->drvNum;
	files[fd].value = value;
	files[fd].device = device;
	strncpy(files[fd].name, name, VXWORKS_FILE_NAME_BYTES - 1);
	files[fd].name[VXWORKS_FILE_NAME_BYTES - 1] = '\0';
	atomic_store_explicit(&files[fd].state, USED, memory_order_release);
	return fd;
}

STATUS vxworks_file_close(int fd)
{
	struct vxworks_file *file = &files[fd];
	uint32_t used = USED;
	vxworks_driver_t how;
	long result = OK;

	if (vxworks_in_handler())
		return vxworks_fail(S_intLib_NOT_ISR_CALLABLE);
	if (!atomic_compare_exchange_strong(&file->state, &used, TAKEN))
		return vxworks_fail(S_iosLib_INVALID_FILE_DESCRIPTOR);
	how = drivers[file->driver].close;
	if (how)
		result = how(file->value, 0, 0, 0);
	release(fd);
	return (STATUS)result;
}

int vxworks_files_of(const DEV_HDR *device)
{
	int found = 0;

	for (int fd = 0; fd < VXWORKS_FILES; fd++)
		found += file_of(fd) && files[fd].device == device;
	return found;
}

void vxworks_close_files_of(const DEV_HDR *device)
{
	for (int fd = 0; fd < VXWORKS_FILES; fd++)
		if (file_of(fd) && files[fd].device == device)
			(void)vxworks_file_close(fd);
}

static int files_of_driver(int number)
{
	int found = 0;

	for (int fd = 0; fd < VXWORKS_FILES; fd++)
		found += file_of(fd) && files[fd].driver == number;
	return found;
}

/* Its devices and files go with it. */
STATUS iosDrvRemove(int drvnum, BOOL forceClose)
{
	struct vxworks_driver *driver = driver_of_number(drvnum);

	if (vxworks_in_handler())
		return vxworks_fail(S_intLib_NOT_ISR_CALLABLE);
	if (!driver)
		return vxworks_fail(S_ioLib_NO_DRIVER);
	if (!forceClose && files_of_driver(drvnum))
		return vxworks_fail(EBUSY);
	for (uint32_t i = 0; i < DEVICES; i++) {
		DEV_HDR *device = atomic_load(&devices[i].header);

		if (device && device->drvNum == drvnum) {
			vxworks_close_files_of(device);
			withdraw(device);
		}
	}
	for (int fd = 0; fd < VXWORKS_FILES; fd++)
		if (file_of(fd) && files[fd].driver == drvnum)
			(void)vxworks_file_close(fd);
	atomic_store(&driver->state, FREE);
	return OK;
}

static const char *given(vxworks_driver_t function)
{
	return function ? "yes" : "-";
}

void iosDrvShow(void)
{
	FILE *out;

	if (vxworks_in_handler())
		return;
	out = vxworks_out();
	fprintf(out, "drv create delete open close read write ioctl\n");
	for (uint32_t i = 1; i < DRIVERS; i++) {
		const struct vxworks_driver *driver = driver_of_number((int)i);

		if (driver)
			fprintf(out, "%3u %-6s %-6s %-4s %-5s %-4s %-5s %s\n", i,
				given(driver->create), given(driver->delete_file),
				given(driver->open), given(driver->close), given(driver->read),
				given(driver->write), given(driver->ioctl));
	}
}

void iosDevShow(void)
{
	FILE *out;

	if (vxworks_in_handler())
		return;
	out = vxworks_out();
	fprintf(out, "drv name\n");
	for (uint32_t i = 0; i < DEVICES; i++) {
		const DEV_HDR *device = atomic_load(&devices[i].header);

		if (device)
			fprintf(out, "%3d %s\n", device->drvNum, devices[i].name);
	}
}

void iosFdShow(void)
{
	FILE *out;

	if (vxworks_in_handler())
		return;
	out = vxworks_out();
	fprintf(out, " fd drv name\n");
	for (int fd = 0; fd < VXWORKS_FILES; fd++) {
		const struct vxworks_file *file = file_of(fd);

		if (file)
			fprintf(out, "%3d %3d %s\n", fd, file->driver, file->name);
	}
}
