/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Real-time sockets in the form that tests need. */
#ifndef COBALT_SOCKETS_H
#define COBALT_SOCKETS_H

#include "cobalt_test.h"

#include <fcntl.h>
#include <stdio.h>
#include <rtdm/ipc.h>
#include <sys/select.h>
#include <sys/socket.h>

/* So that no ports of other programs interfere. */
static inline void own_session(void)
{
	char label[32];

	snprintf(label, sizeof(label), "test-%d", (int)getpid());
	expect_ok(setenv("TACTUS_SESSION", label, 1));
}

static inline int rtipc_socket(int protocol)
{
	int fd = socket(AF_RTIPC, SOCK_DGRAM, protocol);

	expect_true(fd >= 0);
	return fd;
}

static inline int with_port(int (*call)(int, const struct sockaddr *, socklen_t), int fd, int port)
{
	struct sockaddr_ipc address = {.sipc_family = AF_RTIPC, .sipc_port = (rtipc_port_t)port};

	return call(fd, (struct sockaddr *)&address, sizeof(address));
}
#define bind_to(fd, port)    with_port(__RT(bind), fd, port)
#define connect_to(fd, port) with_port(__RT(connect), fd, port)

static inline int set_label(int fd, int level, const char *label)
{
	struct rtipc_port_label value = {""};

	strncpy(value.label, label, sizeof(value.label) - 1);
	return setsockopt(fd, level, XDDP_LABEL, &value, sizeof(value));
}

static inline int set_size(int fd, int level, int option, size_t bytes)
{
	return setsockopt(fd, level, option, &bytes, sizeof(bytes));
}

static inline int set_timeout(int fd, int option, unsigned ms)
{
	struct timeval time = {ms / 1000, ms % 1000 * 1000};

	return setsockopt(fd, SOL_SOCKET, option, &time, sizeof(time));
}

/* Bound to its own port. */
static inline int bound_socket(int protocol, int port)
{
	int fd = rtipc_socket(protocol);

	if (protocol == IPCPROTO_BUFP)
		expect_ok(set_size(fd, SOL_BUFP, BUFP_BUFSZ, 4096));
	expect_ok(bind_to(fd, port));
	return fd;
}

static inline int port_of(int fd)
{
	struct sockaddr_ipc address;
	socklen_t bytes = sizeof(address);

	expect_ok(getsockname(fd, (struct sockaddr *)&address, &bytes));
	expect_eq(bytes, sizeof(address));
	return address.sipc_port;
}

static inline void expect_text(int fd, int flags, const char *text)
{
	char buffer[64] = "";
	ssize_t bytes = recv(fd, buffer, sizeof(buffer) - 1, flags);

	expect_eq(bytes, (int64_t)strlen(text));
	if (strcmp(buffer, text))
		__STD(printf)("# received %s, expected %s\n", buffer, text);
	expect_ok(strcmp(buffer, text));
}

static inline void send_text(int fd, int flags, const char *text)
{
	expect_eq(send(fd, text, strlen(text), flags), (int64_t)strlen(text));
}

#endif
