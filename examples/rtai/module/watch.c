/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A program of Linux that watches the oven by its FIFOs, as files. With `tactus rtai run` it runs
 * beside the module, in virtual time; on a machine with the module it is a program of its own.
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "oven.h"

#define TURNS 40

static void command(int fd, int degrees)
{
	const ssize_t written = write(fd, &degrees, sizeof(degrees));

	printf("command %d: %s\n", degrees, written == sizeof(degrees) ? "accepted" : "refused");
}

int main(int argc, char **argv)
{
	const int records = open("/dev/rtf0", O_RDONLY);
	const int commands = open("/dev/rtf1", O_WRONLY);
	struct oven_record record;

	if (records < 0 || commands < 0) {
		perror("/dev/rtf0 or /dev/rtf1");
		return 1;
	}
	for (int i = 1; i < argc; i++)
		printf("given: %s\n", argv[i]);
	do {
		if (read(records, &record, sizeof(record)) != sizeof(record))
			return 1;
		if (record.turn % 5 == 0)
			printf("turn %2d: %3d.%03d degrees, %3d %%\n", record.turn,
			       record.milli_degrees / 1000, record.milli_degrees % 1000,
			       record.power);
		if (record.turn == 12)
			command(commands, 90);
		if (record.turn == 20)
			command(commands, 900);
	} while (record.turn < TURNS);
	close(records);
	close(commands);
	return 0;
}
