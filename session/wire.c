/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Messages over a socket, sent whole or not at all. If the peer has gone, that is an error, and no
 * SIGPIPE is raised. */
#define _GNU_SOURCE
#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <unistd.h>

#include "internal.h"

union with_files {
	struct cmsghdr header;
	char bytes[CMSG_SPACE(SESSION_FILES * sizeof(int))];
};

void session_files_close(const struct session_files *files)
{
	for (uint32_t i = 0; i < files->count; i++)
		close(files->file[i]);
}

static void attach(struct msghdr *message, union with_files *control,
		   const struct session_files *files)
{
	const size_t bytes = files->count * sizeof(int);

	memset(control, 0, sizeof(*control));
	message->msg_control = control;
	message->msg_controllen = CMSG_SPACE(bytes);
	control->header.cmsg_level = SOL_SOCKET;
	control->header.cmsg_type = SCM_RIGHTS;
	control->header.cmsg_len = CMSG_LEN(bytes);
	memcpy(CMSG_DATA(&control->header), files->file, bytes);
}

int session_send(int fd, const void *data, size_t bytes, const struct session_files *files)
{
	struct iovec part = {(void *)(uintptr_t)data, bytes};
	struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
	union with_files control;

	if (files && files->count)
		attach(&message, &control, files);
	while (part.iov_len) {
		ssize_t sent = sendmsg(fd, &message, MSG_NOSIGNAL);

		if (sent < 0 && errno == EINTR)
			continue;
		if (sent < 0)
			return -errno;
		message.msg_control = NULL;
		message.msg_controllen = 0;
		part.iov_base = (char *)part.iov_base + sent;
		part.iov_len -= (size_t)sent;
	}
	return 0;
}

static void take_files(struct msghdr *message, struct session_files *files)
{
	for (struct cmsghdr *header = CMSG_FIRSTHDR(message); header;
	     header = CMSG_NXTHDR(message, header)) {
		size_t count = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);

		if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS)
			continue;
		for (size_t i = 0; i < count && files->count < SESSION_FILES; i++)
			memcpy(&files->file[files->count++], CMSG_DATA(header) + i * sizeof(int),
			       sizeof(int));
	}
}

static ssize_t receive_some(int fd, struct iovec *part, struct session_files *files, int flags)
{
	union with_files control;
	struct msghdr message = {.msg_iov = part, .msg_iovlen = 1};
	ssize_t came;

	if (files) {
		message.msg_control = &control;
		message.msg_controllen = sizeof(control.bytes);
	}
	came = recvmsg(fd, &message, MSG_CMSG_CLOEXEC | flags);
	if (came < 0)
		return -errno;
	if (files)
		take_files(&message, files);
	return came;
}

int session_receive(int fd, void *data, size_t bytes, struct session_files *files)
{
	struct iovec part = {data, bytes};

	if (files)
		files->count = 0;
	while (part.iov_len) {
		ssize_t came = receive_some(fd, &part, files, 0);

		if (came == -EINTR)
			continue;
		if (came <= 0) {
			if (files)
				session_files_close(files);
			return came ? (int)came : -EPIPE;
		}
		part.iov_base = (char *)part.iov_base + came;
		part.iov_len -= (size_t)came;
	}
	return 0;
}

/* The other side sends the greeting in one write, and nothing else before the answer. */
int session_receive_hello(int fd, struct session_hello *hello, struct session_files *files)
{
	struct iovec part = {hello, sizeof(*hello)};
	ssize_t came;

	files->count = 0;
	came = receive_some(fd, &part, files, MSG_DONTWAIT);
	if (came == sizeof(*hello) && hello->revision == SESSION_REVISION)
		return 0;
	session_files_close(files);
	return -EAGAIN;
}

int session_welcome(int fd, enum session_welcome welcome, const struct session_files *files)
{
	const char byte = (char)welcome;

	return session_send(fd, &byte, 1, files);
}

struct session_hello session_hello(enum session_kind kind, uint64_t thread)
{
	return (struct session_hello){.revision = SESSION_REVISION,
				      .kind = kind,
				      .peer = session_self.peer,
				      .thread = thread,
				      .pid = (uint32_t)getpid()};
}

static int connect_for(const char *node, const struct session_hello *hello,
		       const struct session_files *files, struct timeval patience)
{
	struct sockaddr_un address;
	int error = session_node_address(session_self.folder, node, &address);
	int fd;

	if (error)
		return error;
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	/* A lack of descriptors is reported as a lack of memory. */
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
	error = session_send(fd, hello, sizeof(*hello), files);
	if (!error)
		return fd;
	error = error == -EPIPE || error == -ECONNRESET ? -ECONNREFUSED : error;
close_socket:
	close(fd);
	return error;
}

int session_connect(const char *node, const struct session_hello *hello,
		    const struct session_files *files)
{
	return connect_for(node, hello, files,
			   (struct timeval){.tv_sec = SESSION_PATIENCE_MS / 1000});
}

int session_notify(const char *node, const struct session_hello *hello)
{
	int fd = connect_for(node, hello, NULL, (struct timeval){.tv_usec = 1000});

	if (fd < 0)
		return fd;
	close(fd);
	return 0;
}
