/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Refusals of real-time sockets, by the codes that <rtdm/ipc.h> documents. */
#include "sockets.h"

#include <sys/ioctl.h>
#include <sys/uio.h>
#include <sys/wait.h>

static char bytes[8192];

static void a_socket_is_of_a_type_and_a_protocol(void)
{
	expect_errno(socket(AF_RTIPC, SOCK_STREAM, IPCPROTO_IDDP), EAFNOSUPPORT);
	expect_errno(socket(AF_RTIPC, SOCK_DGRAM, IPCPROTO_MAX), EPROTONOSUPPORT);
	expect_errno(socket(AF_RTIPC, SOCK_DGRAM, -1), EPROTONOSUPPORT);
}

static void a_closed_one_is_none(void)
{
	struct sockaddr_ipc address = {.sipc_family = AF_RTIPC, .sipc_port = 1};
	struct sockaddr *plain = (struct sockaddr *)&address;
	struct iovec vector = {bytes, 1};
	struct msghdr message = {.msg_iov = &vector, .msg_iovlen = 1};
	struct mmsghdr several = {.msg_hdr = message};
	socklen_t length = sizeof(address);
	int value = 0;
	int fd = rtipc_socket(IPCPROTO_IDDP);

	expect_ok(close(fd));
	expect_errno(bind(fd, plain, sizeof(address)), EBADF);
	expect_errno(connect(fd, plain, sizeof(address)), EBADF);
	expect_errno(listen(fd, 1), EBADF);
	expect_errno(accept(fd, NULL, NULL), EBADF);
	expect_errno(getsockname(fd, plain, &length), EBADF);
	expect_errno(getpeername(fd, plain, &length), EBADF);
	length = sizeof(value);
	expect_errno(getsockopt(fd, SOL_SOCKET, SO_TYPE, &value, &length), EBADF);
	expect_errno(setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &value, length), EBADF);
	expect_errno(sendmsg(fd, &message, 0), EBADF);
	expect_errno(recvmsg(fd, &message, 0), EBADF);
	expect_errno(sendmmsg(fd, &several, 1, 0), EBADF);
	expect_errno(recvmmsg(fd, &several, 1, 0, NULL), EBADF);
	expect_errno(sendto(fd, bytes, 1, 0, plain, sizeof(address)), EBADF);
	expect_errno(recvfrom(fd, bytes, 1, 0, NULL, NULL), EBADF);
	expect_errno(send(fd, bytes, 1, 0), EBADF);
	expect_errno(recv(fd, bytes, 1, 0), EBADF);
	expect_errno(write(fd, bytes, 1), EBADF);
	expect_errno(read(fd, bytes, 1), EBADF);
	expect_errno(ioctl(fd, FIONREAD, &value), EBADF);
	expect_errno(shutdown(fd, SHUT_RD), EBADF);
	expect_errno(close(fd), EBADF);
}

static void addresses_are_looked_at(void)
{
	struct sockaddr_ipc address = {.sipc_family = AF_INET, .sipc_port = 1};
	struct sockaddr *plain = (struct sockaddr *)&address;
	int fd = rtipc_socket(IPCPROTO_IDDP);

	expect_errno(bind(fd, plain, sizeof(address)), EINVAL);
	expect_errno(connect(fd, plain, sizeof(address)), EINVAL);
	expect_errno(bind(fd, plain, 3), EINVAL);
	expect_errno(__RT(bind)(fd, NULL, sizeof(address)), EFAULT);
	expect_errno(bind_to(fd, 32), EINVAL);
	expect_errno(bind_to(fd, -2), EINVAL);
	expect_errno(connect_to(fd, 32), EINVAL);
	address.sipc_family = AF_RTIPC;
	address.sipc_port = -1;
	expect_errno(sendto(fd, bytes, 1, 0, plain, sizeof(address)), EINVAL);
	expect_errno(sendto(fd, bytes, 1, 0, plain, 3), EINVAL);
	expect_ok(close(fd));
}

static void a_port_is_one_sockets(void)
{
	int fd = bound_socket(IPCPROTO_IDDP, 1);
	int other = rtipc_socket(IPCPROTO_IDDP);
	int all[32];

	expect_errno(bind_to(fd, 2), EADDRINUSE);
	expect_errno(bind_to(other, 1), EADDRINUSE);
	expect_ok(close(fd));
	expect_ok(bind_to(other, 1));
	for (int i = 0; i < 31; i++)
		all[i] = bound_socket(IPCPROTO_IDDP, -1);
	all[31] = rtipc_socket(IPCPROTO_IDDP);
	expect_errno(bind_to(all[31], -1), EADDRINUSE);
	for (int i = 0; i < 32; i++)
		expect_ok(close(all[i]));
	expect_ok(close(other));
}

static void a_label_is_one_sockets(void)
{
	int fd = rtipc_socket(IPCPROTO_BUFP);
	int other = rtipc_socket(IPCPROTO_BUFP);

	expect_errno(bind_to(fd, 1), ENOBUFS);
	expect_ok(set_label(fd, SOL_BUFP, "mine"));
	expect_ok(set_label(other, SOL_BUFP, "mine"));
	expect_ok(set_size(fd, SOL_BUFP, BUFP_BUFSZ, 100));
	expect_ok(set_size(other, SOL_BUFP, BUFP_BUFSZ, 100));
	expect_ok(bind_to(fd, 1));
	expect_errno(bind_to(other, 2), EEXIST);
	expect_errno(set_size(fd, SOL_BUFP, BUFP_BUFSZ, 200), EALREADY);
	expect_errno(write(fd, bytes, 101), EINVAL);
	expect_errno(read(fd, bytes, 101), EINVAL);
	expect_ok(close(other));
	expect_ok(close(fd));
}

/* For connect(); the socket keeps the label with which it was bound. Labels of XDDP are only for
 * bind(). */
static void a_bound_client_may_name_another_label(void)
{
	int server = rtipc_socket(IPCPROTO_IDDP);
	int client = bound_socket(IPCPROTO_IDDP, 2);
	int other = rtipc_socket(IPCPROTO_IDDP);
	int device = bound_socket(IPCPROTO_XDDP, -1);

	expect_ok(set_label(server, SOL_IDDP, "server"));
	expect_ok(bind_to(server, 1));
	expect_ok(set_label(client, SOL_IDDP, "server"));
	expect_ok(connect_to(client, -1));
	expect_eq(write(client, bytes, 1), 1);
	expect_eq(read(server, bytes, 1), 1);
	expect_ok(set_label(client, SOL_IDDP, "no server's"));
	expect_ok(set_label(other, SOL_IDDP, "no server's"));
	expect_ok(bind_to(other, 3));
	expect_ok(set_label(server, SOL_IDDP, "another"));
	expect_ok(set_label(client, SOL_IDDP, "server"));
	expect_ok(connect_to(client, -1));
	expect_errno(set_label(device, SOL_XDDP, "late"), EALREADY);
	expect_ok(close(device));
	expect_ok(close(other));
	expect_ok(close(client));
	expect_ok(close(server));
}

static void sizes_have_limits(void)
{
	int fd = rtipc_socket(IPCPROTO_BUFP);
	int datagrams = rtipc_socket(IPCPROTO_IDDP);

	expect_ok(set_size(fd, SOL_BUFP, BUFP_BUFSZ, (size_t)1 << 40));
	expect_errno(bind_to(fd, 1), ENOMEM);
	expect_ok(set_size(datagrams, SOL_IDDP, IDDP_POOLSZ, (size_t)1 << 40));
	expect_errno(bind_to(datagrams, 1), ENOMEM);
	expect_ok(set_size(datagrams, SOL_IDDP, IDDP_POOLSZ, 1));
	expect_ok(bind_to(datagrams, 1));
	expect_errno(write(datagrams, bytes, sizeof(bytes)), EMSGSIZE);
	expect_ok(close(datagrams));
	expect_ok(close(fd));
}

static void options_are_looked_at(void)
{
	struct timeval time = {0, 1000000};
	struct rtipc_port_label label;
	socklen_t room = sizeof(label);
	int fd = rtipc_socket(IPCPROTO_XDDP);
	void *monitor = NULL;

	expect_errno(set_size(fd, SOL_IDDP, IDDP_POOLSZ, 4096), ENOPROTOOPT);
	expect_errno(set_size(fd, SOL_XDDP, XDDP_POOLSZ, 0), EINVAL);
	expect_errno(set_size(fd, SOL_XDDP, 77, 1), EINVAL);
	expect_errno(setsockopt(fd, SOL_XDDP, XDDP_LABEL, &label, 3), EINVAL);
	expect_errno(setsockopt(fd, SOL_XDDP, XDDP_POOLSZ, &label, 3), EINVAL);
	expect_errno(setsockopt(fd, SOL_XDDP, XDDP_BUFSZ, &label, 3), EINVAL);
	expect_errno(setsockopt(fd, SOL_XDDP, XDDP_MONITOR, &monitor, sizeof(monitor)), EPERM);
	expect_errno(__RT(setsockopt)(fd, SOL_XDDP, XDDP_LABEL, NULL, 32), EFAULT);
	expect_errno(setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &time, sizeof(time)), EDOM);
	expect_errno(setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &time, 3), EINVAL);
	expect_errno(setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &time, sizeof(time)), EINVAL);
	expect_ok(set_timeout(fd, SO_RCVTIMEO, 1500));
	room = sizeof(time);
	expect_ok(getsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &time, &room));
	expect_eq(time.tv_sec, 1);
	expect_eq(time.tv_usec, 500000);
	room = 2;
	expect_errno(getsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &time, &room), EINVAL);
	expect_errno(getsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &time, &room), EINVAL);
	expect_errno(getsockopt(fd, SOL_BUFP, BUFP_LABEL, &label, &room), ENOPROTOOPT);
	expect_errno(getsockopt(fd, SOL_XDDP, XDDP_POOLSZ, &label, &room), EINVAL);
	expect_ok(set_label(fd, SOL_XDDP, "told"));
	room = sizeof(label);
	expect_ok(getsockopt(fd, SOL_XDDP, XDDP_LABEL, &label, &room));
	expect_ok(strcmp(label.label, "told"));
	expect_ok(close(fd));
}

static void who_is_connected_to_nobody_is_told_so(void)
{
	struct sockaddr_ipc address = {.sipc_family = AF_RTIPC, .sipc_port = 30};
	int fd = rtipc_socket(IPCPROTO_IDDP);

	expect_errno(send(fd, bytes, 1, 0), EDESTADDRREQ);
	expect_errno(write(fd, bytes, 1), EDESTADDRREQ);
	expect_errno(recv(fd, bytes, 1, 0), EAGAIN);
	expect_errno(sendto(fd, bytes, 1, 0, (struct sockaddr *)&address, sizeof(address)),
		     ECONNRESET);
	expect_ok(connect_to(fd, 30));
	expect_errno(write(fd, bytes, 1), ECONNRESET);
	expect_ok(connect_to(fd, -1));
	expect_errno(write(fd, bytes, 1), EDESTADDRREQ);
	expect_errno(listen(fd, 1), EOPNOTSUPP);
	expect_errno(accept(fd, NULL, NULL), EOPNOTSUPP);
	expect_errno(shutdown(fd, SHUT_RD), ENOTCONN);
	expect_ok(close(fd));
	expect_errno(read(fd, bytes, 1), EBADF);
}

static void unknown_flags_are_refused(void)
{
	int fd = bound_socket(IPCPROTO_BUFP, 1);
	struct msghdr header = {.msg_iovlen = UIO_MAXIOV,
				.msg_iov = (struct iovec[UIO_MAXIOV]){{bytes, 1}}};
	struct sockaddr_ipc address;
	socklen_t room = 1;

	expect_errno(send(fd, bytes, 1, MSG_OOB), EINVAL);
	expect_errno(send(fd, bytes, 1, MSG_MORE), EINVAL);
	expect_errno(recv(fd, bytes, 1, MSG_PEEK), EINVAL);
	expect_errno(sendmsg(fd, &header, 0), EINVAL);
	expect_errno(recvmsg(fd, &header, 0), EINVAL);
	expect_errno(recvfrom(fd, bytes, 1, 0, (struct sockaddr *)&address, &room), EINVAL);
	expect_errno(getsockname(fd, (struct sockaddr *)&address, &room), EINVAL);
	expect_eq(send(fd, bytes, 0, 0), 0);
	expect_eq(recv(fd, bytes, 0, 0), 0);
	expect_ok(close(fd));
}

static void descriptors_that_do_not_wait_are_told_so(void)
{
	int fd = socket(AF_RTIPC, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, IPCPROTO_IDDP);

	expect_ok(bind_to(fd, 1));
	expect_errno(read(fd, bytes, 1), EAGAIN);
	expect_ok(fcntl(fd, F_SETFL, 0));
	expect_ok(set_timeout(fd, SO_RCVTIMEO, 5));
	expect_errno(read(fd, bytes, 1), ETIMEDOUT);
	expect_ok(fcntl(fd, F_SETFL, O_NONBLOCK));
	expect_errno(read(fd, bytes, 1), EAGAIN);
	expect_eq(fcntl(fd, F_GETFD), FD_CLOEXEC);
	expect_ok(close(fd));
}

static void linux_has_no_memory_of_more_than_there_is(void)
{
	int fd = rtipc_socket(IPCPROTO_XDDP);
	int sent = 0;

	expect_ok(set_size(fd, SOL_XDDP, XDDP_POOLSZ, 16384));
	expect_ok(bind_to(fd, -1));
	while (sent < 1000 && send(fd, bytes, 4096, 0) == 4096)
		sent++;
	expect_eq(errno, ENOMEM);
	expect_true(sent > 0 && sent < 1000);
	expect_ok(close(fd));
}

static void a_child_has_no_sockets(void)
{
	int fd = bound_socket(IPCPROTO_IDDP, 1);
	int status = -1;
	pid_t child = fork();

	if (!child)
		_exit(recv(fd, bytes, 1, 0) == -1 && errno == ENOTSOCK && !close(fd) ? 0 : 1);
	expect_eq(waitpid(child, &status, 0), child);
	expect_eq(status, 0);
	expect_eq(write(fd, bytes, 3), 3);
	expect_eq(read(fd, bytes, 3), 3);
	expect_ok(close(fd));
}

int main(void)
{
	static const struct test_case cases[] = {
		CASE(a_socket_is_of_a_type_and_a_protocol),
		CASE(a_closed_one_is_none),
		CASE(addresses_are_looked_at),
		CASE(a_port_is_one_sockets),
		CASE(a_label_is_one_sockets),
		CASE(a_bound_client_may_name_another_label),
		CASE(sizes_have_limits),
		CASE(options_are_looked_at),
		CASE(who_is_connected_to_nobody_is_told_so),
		CASE(unknown_flags_are_refused),
		CASE(descriptors_that_do_not_wait_are_told_so),
		CASE(linux_has_no_memory_of_more_than_there_is),
		CASE(a_child_has_no_sockets),
	};

	own_session();
	return run_cases(cases, sizeof(cases) / sizeof(cases[0]));
}
