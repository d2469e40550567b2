/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* ioctl() for descriptors of Linux: what VxWorks's numbers mean there. */
#define _GNU_SOURCE
#include "io.h"

#include <ioLib.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

/* As the literal numbers of VxWorks, which ioLib.h replaces by Linux's. */
#define VX_FIONREAD 1
#define VX_FIONBIO  16
/* No function of VxWorks is above. Linux's begin much later. */
#define VX_FUNCTIONS 256

#define PATH_OF_FD "/proc/self/fd/%d"
#define NAME_BYTES 100

static int get_name(int fd, char *name)
{
	char path[sizeof(PATH_OF_FD) + 12];
	ssize_t bytes;

	snprintf(path, sizeof(path), PATH_OF_FD, fd);
	bytes = name ? readlink(path, name, NAME_BYTES - 1) : -1;
	if (bytes < 0)
		return vxworks_fail(name ? EBADF : EINVAL);
	name[bytes] = '\0';
	return OK;
}

struct option {
	int option;
	tcflag_t input, output, local;
};

static const struct option options[] = {
	{OPT_ECHO, 0, 0, ECHO},    {OPT_CRMOD, ICRNL, ONLCR, 0}, {OPT_TANDEM, IXON | IXOFF, 0, 0},
	{OPT_7_BIT, ISTRIP, 0, 0}, {OPT_ABORT, 0, 0, ISIG},      {OPT_LINE, 0, 0, ICANON},
};

static tcflag_t with(tcflag_t flags, tcflag_t mask, bool set)
{
	return set ? flags | mask : flags & ~mask;
}

static int set_options(int fd, int wanted)
{
	struct termios line;

	if (tcgetattr(fd, &line))
		return ERROR;
	for (size_t i = 0; i < NELEMENTS(options); i++) {
		const struct option *option = &options[i];
		const bool set = wanted & option->option;

		line.c_iflag = with(line.c_iflag, option->input, set);
		line.c_oflag = with(line.c_oflag, option->output, set);
		line.c_lflag = with(line.c_lflag, option->local, set);
	}
	line.c_oflag |= OPOST;
	return tcsetattr(fd, TCSANOW, &line);
}

static int get_options(int fd)
{
	struct termios line;
	int found = 0;

	if (tcgetattr(fd, &line))
		return ERROR;
	for (size_t i = 0; i < NELEMENTS(options); i++) {
		const struct option *option = &options[i];

		if ((line.c_iflag & option->input) == option->input &&
		    (line.c_oflag & option->output) == option->output &&
		    (line.c_lflag & option->local) == option->local)
			found |= option->option;
	}
	return found;
}

int vxworks_linux_ioctl(int fd, unsigned long function, long argument)
{
	switch (function) {
	case VX_FIONREAD:
		return ioctl(fd, FIONREAD, argument);
	case VX_FIONBIO:
		return ioctl(fd, FIONBIO, argument);
	case FIOFLUSH:
		return tcflush(fd, TCIOFLUSH);
	case FIORFLUSH:
		return tcflush(fd, TCIFLUSH);
	case FIOWFLUSH:
		return tcflush(fd, TCOFLUSH);
	case FIOSETOPTIONS:
		return set_options(fd, (int)argument);
	case FIOGETOPTIONS:
		return get_options(fd);
	case FIOSEEK:
		return lseek(fd, argument, SEEK_SET) < 0 ? ERROR : OK;
	case FIOWHERE:
		return (int)lseek(fd, 0, SEEK_CUR);
	case FIOGETNAME:
		return get_name(fd, (char *)(uintptr_t)argument);
	case FIOISATTY:
		return isatty(fd);
	case FIOSYNC:
		return fsync(fd);
	default:
		return function < VX_FUNCTIONS ? vxworks_fail(S_ioLib_UNKNOWN_REQUEST)
					       : ioctl(fd, function, argument);
	}
}
