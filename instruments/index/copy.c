/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * File copy: a file of so many blocks is copied to another, buffer by buffer, and both are rewound
 * at the end, repeatedly. The figure is KiB per second. Before that, the file is written and read
 * for a while, so that it exists and is in the cache, and both are synced.
 * usage: SECONDS FOLDER BUFFER_BYTES FILE_KIB
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>

#include "count.h"

#define BUFFER_MAX   8192u
#define BUFFER_MIN   256u
#define PRELUDE_PART 15.0 /* the time of copying over this: writing, and reading, before it */

/* Not from malloc(): the kernel copies to and from the usual place of a program's buffer. */
static char buffer[BUFFER_MAX];
static volatile sig_atomic_t over;
static int source, target;
static unsigned long buffer_bytes, file_buffers;
static char source_path[PATH_MAX], target_path[PATH_MAX];

static void end(int signal)
{
	(void)signal;
	over = 1;
}

static void fail(const char *what)
{
	fprintf(stderr, "%s: %s\n", what, strerror(errno));
	(void)unlink(source_path);
	(void)unlink(target_path);
	exit(1);
}

static void sync_and_rest(double seconds)
{
	for (int i = 0; i < 2; i++) {
		(void)fsync(source);
		(void)fsync(target);
		(void)usleep((useconds_t)(seconds * 1e6));
	}
}

static void begin(double seconds)
{
	(void)lseek(source, 0, SEEK_SET);
	(void)lseek(target, 0, SEEK_SET);
	over = 0;
	count_until(seconds, end);
}

/* Always whole files, so that later reads get the full length. */
static void write_source(double seconds)
{
	begin(seconds);
	while (!over) {
		for (unsigned long i = 0; i < file_buffers; i++) {
			/* A full disk first takes a part, and reports the error at the next
			 * write. */
			if (write(source, buffer, buffer_bytes) < 0 && errno != EINTR)
				fail(source_path);
		}
		(void)lseek(source, 0, SEEK_SET);
	}
}

static void read_source(double seconds)
{
	begin(seconds);
	while (!over) {
		const ssize_t got = read(source, buffer, buffer_bytes);

		if (got < 0 && errno != EINTR)
			fail(source_path);
		if (got != (ssize_t)buffer_bytes)
			(void)lseek(source, 0, SEEK_SET);
	}
}

static double copy_source(double seconds)
{
	unsigned long long bytes = 0;
	double start;

	begin(seconds);
	start = count_now();
	while (!over) {
		ssize_t got = read(source, buffer, buffer_bytes);

		if (got < 0 && errno != EINTR)
			fail(source_path);
		if (got != (ssize_t)buffer_bytes) {
			(void)lseek(source, 0, SEEK_SET);
			(void)lseek(target, 0, SEEK_SET);
			continue;
		}
		got = write(target, buffer, buffer_bytes);
		if (got < 0 && errno != EINTR)
			fail(target_path);
		bytes += got > 0 ? (unsigned long long)got : 0;
	}
	return (double)bytes / 1024 / (count_now() - start);
}

static void open_files(const char *folder)
{
	(void)snprintf(source_path, sizeof(source_path), "%s/tactus-copy-%d-a", folder, getpid());
	(void)snprintf(target_path, sizeof(target_path), "%s/tactus-copy-%d-b", folder, getpid());
	source = open(source_path, O_RDWR | O_CREAT | O_EXCL, 0600);
	if (source < 0)
		fail(source_path);
	target = open(target_path, O_RDWR | O_CREAT | O_EXCL, 0600);
	if (target < 0)
		fail(target_path);
}

int main(int argc, char **argv)
{
	const double seconds = count_seconds(argv[0], argc == 5 ? argv[1] : NULL);
	const double prelude = seconds / PRELUDE_PART;
	const unsigned long file_kib = strtoul(argv[4], NULL, 10);
	double rate;

	buffer_bytes = strtoul(argv[3], NULL, 10);
	if (buffer_bytes < BUFFER_MIN || buffer_bytes > BUFFER_MAX || file_kib < 1 ||
	    file_kib > 1024 * 1024) {
		fprintf(stderr,
			"%s: use a buffer of %u to %u bytes, and a file of 1 to 1048576 KiB\n",
			argv[0], BUFFER_MIN, BUFFER_MAX);
		return 2;
	}
	file_buffers = file_kib * 1024 / buffer_bytes;
	for (unsigned long i = 0; i < buffer_bytes; i++)
		buffer[i] = (char)(i & 0xff);
	open_files(argv[2]);
	sync_and_rest(prelude);
	write_source(prelude);
	sync_and_rest(prelude);
	read_source(prelude);
	sync_and_rest(prelude);
	rate = copy_source(seconds);
	(void)unlink(source_path);
	(void)unlink(target_path);
	count_report(rate, 0, seconds);
	return 0;
}
