/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The standard input, output and error output: of all tasks together, and of a task that has other
 * ones. The functions that print to the C library's streams stdout and stderr follow; what else a
 * program does with these streams, such as fwrite(), does not. stdioFp() gives streams for that.
 */
#define _GNU_SOURCE /* fopencookie() */
#include "io.h"

#include <fioLib.h>
#include <intLib.h>
#include <ioLib.h>
#include <stdioLib.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define STANDARD 3

int __wrap_printf(const char *format, ...) __attribute__((format(printf, 1, 2)));
int __wrap___printf_chk(int flag, const char *format, ...) __attribute__((format(printf, 2, 3)));
int __wrap_vprintf(const char *format, va_list args) __attribute__((format(printf, 1, 0)));
int __wrap___vprintf_chk(int flag, const char *format, va_list args)
	__attribute__((format(printf, 2, 0)));
int __wrap_fprintf(FILE *stream, const char *format, ...) __attribute__((format(printf, 2, 3)));
int __wrap___fprintf_chk(FILE *stream, int flag, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
int __wrap_vfprintf(FILE *stream, const char *format, va_list args)
	__attribute__((format(printf, 2, 0)));
int __wrap___vfprintf_chk(FILE *stream, int flag, const char *format, va_list args)
	__attribute__((format(printf, 3, 0)));
int __wrap_fputs(const char *text, FILE *stream);
int __wrap_puts(const char *text);
int __wrap_putc(int c, FILE *stream);
int __wrap_fputc(int c, FILE *stream);
int __wrap_putchar(int c);

static _Atomic int global[STANDARD] = {STD_IN, STD_OUT, STD_ERR};
/* Some task or all have others than at the start. */
static _Atomic bool redirected;

static bool is_standard(int fd)
{
	return fd >= 0 && fd < STANDARD;
}

int vxworks_std(int fd)
{
	const struct vxworks_object *self;
	int own;

	if (!is_standard(fd) || !atomic_load_explicit(&redirected, memory_order_relaxed))
		return fd;
	self = vxworks_in_handler() ? NULL : vxworks_task_self();
	own = self ? self->task.standard[fd] : 0;
	return own ? own - 1 : atomic_load(&global[fd]);
}

void ioGlobalStdSet(int stdFd, int newFd)
{
	if (!is_standard(stdFd))
		return;
	atomic_store(&global[stdFd], newFd);
	atomic_store(&redirected, true);
}

int ioGlobalStdGet(int stdFd)
{
	return is_standard(stdFd) ? atomic_load(&global[stdFd]) : ERROR;
}

void ioTaskStdSet(int taskId, int stdFd, int newFd)
{
	struct vxworks_object *task = vxworks_task_find(taskId);

	if (!task || !is_standard(stdFd))
		return;
	/* A standard descriptor means that of all tasks. */
	task->task.standard[stdFd] = is_standard(newFd) ? 0 : newFd + 1;
	atomic_store(&redirected, true);
}

int ioTaskStdGet(int taskId, int stdFd)
{
	const struct vxworks_object *task = vxworks_task_find(taskId);

	if (!task)
		return vxworks_fail(S_objLib_OBJ_ID_ERROR);
	if (!is_standard(stdFd))
		return ERROR;
	return task->task.standard[stdFd] ? task->task.standard[stdFd] - 1
					  : atomic_load(&global[stdFd]);
}

int vxworks_print(int fd, const char *format, va_list args)
{
	const int to = vxworks_std(fd);
	char *text = NULL;
	long value;
	int bytes;

	if (vxworks_in_handler())
		return vxworks_fail(S_intLib_NOT_ISR_CALLABLE);
	if (!vxworks_file(to, &value))
		return vdprintf(to, format, args);
	bytes = vasprintf(&text, format, args);
	if (bytes >= 0) {
		bytes = (int)vxworks_write(to, text, (size_t)bytes);
		free(text);
	}
	return bytes;
}

/* The standard descriptor of a stream that goes elsewhere now; ERROR: the C library has it. */
static int elsewhere(const FILE *stream)
{
	const int fd = stream == stdout ? STD_OUT : stream == stderr ? STD_ERR : ERROR;

	return fd != ERROR && vxworks_std(fd) != fd ? fd : ERROR;
}

int __wrap_vfprintf(FILE *stream, const char *format, va_list args)
{
	const int fd = elsewhere(stream);

	return fd == ERROR ? vfprintf(stream, format, args) : vxworks_print(fd, format, args);
}

int __wrap___vfprintf_chk(FILE *stream, int flag, const char *format, va_list args)
{
	(void)flag;
	return __wrap_vfprintf(stream, format, args);
}

int __wrap_vprintf(const char *format, va_list args)
{
	return __wrap_vfprintf(stdout, format, args);
}

int __wrap___vprintf_chk(int flag, const char *format, va_list args)
{
	(void)flag;
	return __wrap_vfprintf(stdout, format, args);
}

/* Print the arguments of the calling function, which follow its parameter LAST. */
#define PRINT_TO(STREAM, FORMAT, LAST)                             \
	({                                                         \
		va_list args_;                                     \
		int printed_;                                      \
		va_start(args_, LAST);                             \
		printed_ = __wrap_vfprintf(STREAM, FORMAT, args_); \
		va_end(args_);                                     \
		printed_;                                          \
	})

int __wrap_printf(const char *format, ...)
{
	return PRINT_TO(stdout, format, format);
}

int __wrap___printf_chk(int flag, const char *format, ...)
{
	(void)flag;
	return PRINT_TO(stdout, format, format);
}

int __wrap_fprintf(FILE *stream, const char *format, ...)
{
	return PRINT_TO(stream, format, format);
}

int __wrap___fprintf_chk(FILE *stream, int flag, const char *format, ...)
{
	(void)flag;
	return PRINT_TO(stream, format, format);
}

int __wrap_fputs(const char *text, FILE *stream)
{
	const int fd = elsewhere(stream);

	if (fd == ERROR)
		return fputs(text, stream);
	return vxworks_write(fd, text, strlen(text)) < 0 ? EOF : 1;
}

int __wrap_puts(const char *text)
{
	return elsewhere(stdout) == ERROR ? puts(text) : __wrap_printf("%s\n", text);
}

int __wrap_putc(int c, FILE *stream)
{
	const int fd = elsewhere(stream);
	const char text = (char)c;

	if (fd == ERROR)
		return putc(c, stream);
	return vxworks_write(fd, &text, 1) == 1 ? (unsigned char)c : EOF;
}

int __wrap_fputc(int c, FILE *stream)
{
	return __wrap_putc(c, stream);
}

int __wrap_putchar(int c)
{
	return __wrap_putc(c, stdout);
}

static ssize_t stream_read(void *cookie, char *data, size_t bytes)
{
	const int fd = (int)(intptr_t)cookie;
	long value;
	const struct vxworks_driver *driver = vxworks_file(fd, &value);

	if (!driver)
		return read(fd, data, bytes);
	return driver->read ? (int)driver->read(value, (long)(uintptr_t)data, (long)bytes, 0) : -1;
}

static ssize_t stream_write(void *cookie, const char *data, size_t bytes)
{
	const ssize_t written = vxworks_write((int)(intptr_t)cookie, data, bytes);

	/* Of a stream, an error is 0. */
	return written < 0 ? 0 : written;
}

/* The stream of a descriptor, which is made once for each number. */
static FILE *stream_of(int fd)
{
	static _Atomic(FILE *) streams[VXWORKS_FILES];
	static const cookie_io_functions_t functions = {.read = stream_read, .write = stream_write};
	FILE *none = NULL;
	FILE *made;

	if (fd < 0 || fd >= VXWORKS_FILES)
		return vxworks_no_id(S_iosLib_INVALID_FILE_DESCRIPTOR);
	if (atomic_load(&streams[fd]))
		return atomic_load(&streams[fd]);
	made = fopencookie((void *)(intptr_t)fd, "r+", functions);
	if (!made)
		return NULL;
	(void)setvbuf(made, NULL, _IONBF, 0);
	if (!atomic_compare_exchange_strong(&streams[fd], &none, made)) {
		(void)fclose(made);
		made = none;
	}
	return made;
}

FILE *stdioFp(int stdFd)
{
	int to;

	if (vxworks_in_handler())
		return vxworks_no_id(S_intLib_NOT_ISR_CALLABLE);
	if (!is_standard(stdFd))
		return vxworks_no_id(S_iosLib_INVALID_FILE_DESCRIPTOR);
	to = vxworks_std(stdFd);
	if (to == STD_IN)
		return stdin;
	return to == STD_OUT ? stdout : to == STD_ERR ? stderr : stream_of(to);
}
