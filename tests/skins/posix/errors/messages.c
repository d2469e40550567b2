/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Messages that are sent by sockets, one and several. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <limits.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/un.h>

#include "errors.h"
#include "reset.h"

static char text[1 << 20];

/* With the changes of a case. */
static struct mmsghdr *message(void *name, socklen_t name_bytes, void *place, size_t bytes)
{
	static __thread struct iovec part;
	static __thread struct mmsghdr one;

	part = (struct iovec){place, bytes};
	one = (struct mmsghdr){.msg_hdr = {.msg_name = name,
					   .msg_namelen = name_bytes,
					   .msg_iov = &part,
					   .msg_iovlen = 1}};
	return &one;
}

#define SEND_WITH(name, code, fd, header, flags)                                     \
	do {                                                                         \
		struct mmsghdr *const errors_header = header;                        \
		FAILS_CODE(name, code, sendmsg(fd, &errors_header->msg_hdr, flags)); \
		FAILS_CODE(name, code, sendmmsg(fd, errors_header, 1, flags));       \
	} while (0)
#define SENDS_WITH(code, fd, header, flags) SEND_WITH(#code, code, fd, header, flags)
#define SENDS(code, fd, flags)              SEND_WITH(#code, code, fd, message(NULL, 0, text, 1), flags)

static void to_path(int fd, const char *path, const char *name, int error)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};

	snprintf(address.sun_path, sizeof(address.sun_path), "%s", path);
	SEND_WITH(name, error, fd, message(&address, sizeof(address), text, 1), 0);
}

static void to_paths(void)
{
	const int fd = socket(AF_UNIX, SOCK_DGRAM, 0);
	char folder[] = "/tmp/tactus-errors-XXXXXX", loop[64];

	NEED(mkdtemp(folder));
	snprintf(loop, sizeof(loop), "%s/loop", folder);
	NEED(!symlink(loop, loop));
	to_path(fd, "/dev/null/none", "ENOTDIR", ENOTDIR);
	to_path(fd, "/tactus/none", "ENOENT", ENOENT);
	to_path(fd, loop, "ELOOP", ELOOP);
	NEED(!chmod(folder, 0));
	AS_NOBODY(to_path(fd, loop, "EACCES", EACCES));
	NEED(!chmod(folder, 0700));
	NEED(!unlink(loop));
	NEED(!rmdir(folder));
	close(fd);
}

static void between_two(void)
{
	struct sockaddr_un other = {.sun_family = AF_UNIX};
	struct mmsghdr *long_list;
	int pair[2], plain = open("/dev/null", O_WRONLY);

	NEED(!socketpair(AF_UNIX, SOCK_STREAM, 0, pair));
	SENDS_WITH(EISCONN, pair[0], message(&other, sizeof(other), text, 1), 0);
	SENDS_WITH(EFAULT, pair[0], message(NULL, 0, nowhere(), 1), 0);
	FAILS(EFAULT, sendmsg(pair[0], nowhere(), 0));
	FAILS(EFAULT, sendmmsg(pair[0], nowhere(), 1, 0));
	long_list = message(NULL, 0, text, 1);
	long_list->msg_hdr.msg_iovlen = 1025;
	SENDS_WITH(EMSGSIZE, pair[0], long_list, 0);
	while (send(pair[0], text, 4096, MSG_DONTWAIT) > 0)
		;
	SENDS(EAGAIN, pair[0], MSG_DONTWAIT);
	INTERRUPTED(FAILS(EINTR, sendmsg(pair[0], &message(NULL, 0, text, 4096)->msg_hdr, 0)));
	INTERRUPTED(FAILS(EINTR, sendmmsg(pair[0], message(NULL, 0, text, 4096), 1, 0)));
	close(pair[1]);
	SENDS(EPIPE, pair[0], MSG_NOSIGNAL);
	close(pair[0]);
	SENDS(EBADF, pair[0], 0);
	/* Of so many, Linux reads a thousand. */
	FAILS(EBADF, sendmmsg(pair[0], nowhere(), UINT_MAX, 0));
	SENDS(ENOTSOCK, plain, 0);
	close(plain);
	NEED(!socketpair(AF_UNIX, SOCK_DGRAM, 0, pair));
	SENDS(EOPNOTSUPP, pair[0], MSG_OOB);
	SENDS_WITH(EMSGSIZE, pair[0], message(NULL, 0, text, sizeof(text)), 0);
	close(pair[0]);
	close(pair[1]);
}

static void by_net(void)
{
	struct sockaddr_in everybody = {.sin_family = AF_INET,
					.sin_port = htons(9),
					.sin_addr.s_addr = htonl(INADDR_BROADCAST)};
	struct sockaddr_in strange = {.sin_family = 77};
	int fd = socket(AF_INET, SOCK_DGRAM, 0);

	SENDS(EDESTADDRREQ, fd, 0);
	SENDS_WITH(EINVAL, fd, message(&everybody, 1, text, 1), 0);
	SENDS_WITH(EAFNOSUPPORT, fd, message(&strange, sizeof(strange), text, 1), 0);
	close(fd);
	fd = socket(AF_UNIX, SOCK_STREAM, 0);
	SENDS(ENOTCONN, fd, MSG_NOSIGNAL);
	close(fd);
	fd = reset();
	FAILS(ECONNRESET, sendmsg(fd, &message(NULL, 0, text, 1)->msg_hdr, MSG_NOSIGNAL));
	close(fd);
	fd = reset();
	FAILS(ECONNRESET, sendmmsg(fd, message(NULL, 0, text, 1), 1, MSG_NOSIGNAL));
	close(fd);
}

static void cases(void)
{
	to_paths();
	between_two();
	by_net();
}

int main(void)
{
	return from_every_thread(cases);
}
