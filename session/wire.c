/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Messages over a socket: whole, or not at all. A peer that has gone is an error and no signal. */
#define _GNU_SOURCE
#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <unistd.h>

#include "internal.h"

union with_file {
	struct cmsghdr header;
	char bytes[CMSG_SPACE(sizeof(int))];
};

static void attach(struct msghdr *message, union with_file *control, int file)
{
	memset(control, 0, sizeof(*control));
	message->msg_control = control;
	message->msg_controllen = sizeof(control->bytes);
	control->header.cmsg_level = SOL_SOCKET;
	control->header.cmsg_type = SCM_RIGHTS;
	control->header.cmsg_len = CMSG_LEN(sizeof(int));
	memcpy(CMSG_DATA(&control->header), &file, sizeof(int));
}

int session_send(int fd, const void *head, size_t head_bytes, const void *body, size_t bytes,
		 int file)
{
	struct iovec part[] = {{(void *)(uintptr_t)head, head_bytes},
			       {(void *)(uintptr_t)body, bytes}};
	struct msghdr message = {.msg_iov = part, .msg_iovlen = 2};
	union with_file control;

	if (file > 0)
		attach(&message, &control, file);
	while (part[0].iov_len || part[1].iov_len) {
		ssize_t sent = sendmsg(fd, &message, MSG_NOSIGNAL);

		if (sent < 0 && errno == EINTR)
			continue;
		if (sent < 0)
			return -errno;
		message.msg_control = NULL;
		message.msg_controllen = 0;
		for (int i = 0; i < 2; i++) {
			size_t step =
				(size_t)sent < part[i].iov_len ? (size_t)sent : part[i].iov_len;

			part[i].iov_base = (char *)part[i].iov_base + step;
			part[i].iov_len -= step;
			sent -= (ssize_t)step;
		}
	}
	return 0;
}

void session_refuse(int fd)
{
	const struct session_answer no = {.result = -ENOMEM, .bytes = SESSION_REFUSED};

	(void)session_send(fd, &no, sizeof(no), NULL, 0, 0);
}

static void take_file(struct msghdr *message, int *file)
{
	for (struct cmsghdr *header = CMSG_FIRSTHDR(message); header;
	     header = CMSG_NXTHDR(message, header))
		if (header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS)
			memcpy(file, CMSG_DATA(header), sizeof(int));
}

int session_receive(int fd, void *data, size_t bytes, int *file)
{
	struct iovec part = {data, bytes};
	union with_file control;

	if (file)
		*file = 0;
	while (part.iov_len) {
		struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
		ssize_t came;

		if (file) {
			message.msg_control = &control;
			message.msg_controllen = sizeof(control.bytes);
		}
		came = recvmsg(fd, &message, MSG_CMSG_CLOEXEC);
		if (came < 0 && errno == EINTR)
			continue;
		if (came <= 0)
			return came ? -errno : -EPIPE;
		if (file)
			take_file(&message, file);
		part.iov_base = (char *)part.iov_base + came;
		part.iov_len -= (size_t)came;
	}
	return 0;
}

struct session_hello session_hello(enum session_kind kind, uint64_t thread)
{
	return (struct session_hello){.revision = SESSION_REVISION,
				      .kind = kind,
				      .peer = session_self.peer,
				      .thread = thread,
				      .pid = (uint32_t)getpid()};
}

static int connect_for(const char *node, const struct session_hello *hello, struct timeval patience)
{
	struct sockaddr_un address;
	int error = session_node_address(session_self.folder, node, &address);
	int fd;

	if (error)
		return error;
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	/* No descriptor is no less the caller's want than no memory. */
	if (fd < 0)
		return errno == EMFILE || errno == ENFILE || errno == ENOBUFS ? -ENOMEM : -errno;
	/* The peer may be stopped. */
	(void)setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience));
	(void)setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
	while (connect(fd, (struct sockaddr *)&address, sizeof(address))) {
		if (errno == EINTR)
			continue;
		error = errno == ENOENT ? -ECONNREFUSED : -errno;
		goto close_socket;
	}
	error = session_send(fd, hello, sizeof(*hello), NULL, 0, 0);
	if (!error)
		return fd;
	error = error == -EPIPE || error == -ECONNRESET ? -ECONNREFUSED : error;
close_socket:
	close(fd);
	return error;
}

int session_connect(const char *node, const struct session_hello *hello)
{
	return connect_for(node, hello, (struct timeval){.tv_sec = SESSION_PATIENCE_MS / 1000});
}

int session_tell(const char *node, const struct session_hello *hello)
{
	int fd = connect_for(node, hello, (struct timeval){.tv_usec = 1000});

	if (fd < 0)
		return fd;
	close(fd);
	return 0;
}
