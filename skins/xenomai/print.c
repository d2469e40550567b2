/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The printing services. The C library formats texts, and may allocate memory for unusual ones. It
 * needs thread-local storage, so handlers have a small formatter of their own. */
#include <xenomai/print.h>

#include <errno.h>
#include <string.h>

#include <tactus/tact.h>

#include "base/string.h"
#include "print_pool.h"

struct format {
	const char *format;
	va_list *args;
};

struct bytes {
	const char *from;
	size_t count;
	char last; /* 0: nothing more */
};

static __thread char own_name[TACT_NAME_BYTES];

/* Is this a handler of the native API? Handlers of Alchemy's alarms run in a task. */
static bool has_no_storage(void)
{
	return tact_mode() == TACT_MODE_HANDLER;
}

static size_t print_format(char *to, size_t room, void *arg)
{
	const struct format *text = arg;
	va_list args;
	int length;

	va_copy(args, *text->args);
	length = has_no_storage() ? (int)base_format(to, room, text->format, args)
				  : vsnprintf(to, room, text->format, args);
	va_end(args);
	return length >= 0 && (size_t)length < room ? (size_t)length : SIZE_MAX;
}

static size_t print_bytes(char *to, size_t room, void *arg)
{
	const struct bytes *text = arg;
	size_t length = text->count + (text->last != 0);

	if (length > room)
		return SIZE_MAX;
	memcpy(to, text->from, text->count);
	if (text->last)
		to[text->count] = text->last;
	return length;
}

static int put_format(const struct print_entry *what, const char *format, va_list args)
{
	struct format text = {.format = format};
	va_list copy;
	int length;

	va_copy(copy, args);
	text.args = &copy;
	length = print_pool_put(what, print_format, &text);
	va_end(copy);
	return length;
}

static int put_bytes(FILE *stream, const void *from, size_t count, char last)
{
	struct bytes text = {.from = from, .count = count, .last = last};

	return print_pool_put(&(struct print_entry){.stream = stream}, print_bytes, &text);
}

int rt_vfprintf(FILE *stream, const char *format, va_list args)
{
	return put_format(&(struct print_entry){.stream = stream}, format, args);
}

int rt_vprintf(const char *format, va_list args)
{
	return rt_vfprintf(stdout, format, args);
}

/* Each of these has a list of arguments of its own, which only it can begin and end. */
int rt_fprintf(FILE *stream, const char *format, ...)
{
	va_list args;
	int length;

	va_start(args, format);
	length = rt_vfprintf(stream, format, args);
	va_end(args);
	return length;
}

int rt_printf(const char *format, ...)
{
	va_list args;
	int length;

	va_start(args, format);
	length = rt_vfprintf(stdout, format, args);
	va_end(args);
	return length;
}

int rt_puts(const char *s)
{
	return put_bytes(stdout, s, strlen(s), '\n') < 0 ? EOF : 1;
}

int rt_fputs(const char *s, FILE *stream)
{
	return put_bytes(stream, s, strlen(s), 0) < 0 ? EOF : 1;
}

int rt_fputc(int c, FILE *stream)
{
	unsigned char one = (unsigned char)c;

	return put_bytes(stream, &one, 1, 0) < 0 ? EOF : one;
}

int rt_putchar(int c)
{
	return rt_fputc(c, stdout);
}

size_t rt_fwrite(const void *ptr, size_t size, size_t nmemb, FILE *stream)
{
	size_t bytes;

	if (__builtin_mul_overflow(size, nmemb, &bytes) || !bytes)
		return 0;
	return put_bytes(stream, ptr, bytes, 0) < 0 ? 0 : nmemb;
}

void rt_vsyslog(int priority, const char *format, va_list args)
{
	(void)put_format(&(struct print_entry){.priority = priority}, format, args);
}

void rt_syslog(int priority, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	rt_vsyslog(priority, format, args);
	va_end(args);
}

int rt_print_init(size_t buffer_size, const char *name)
{
	if (has_no_storage())
		return EPERM;
	if (name)
		snprintf(own_name, sizeof(own_name), "%s", name);
	return -print_pool_provide(buffer_size);
}

void rt_print_cleanup(void)
{
	rt_print_flush_buffers();
	own_name[0] = 0;
}

void rt_print_auto_init(int enable)
{
	(void)enable;
}

const char *rt_print_buffer_name(void)
{
	static __thread struct tact_task_info info;

	if (own_name[0])
		return own_name;
	return tact_task_inquire(TACT_SELF, &info) ? "" : info.name;
}

void rt_print_flush_buffers(void)
{
	if (!has_no_storage())
		print_pool_flush();
}
