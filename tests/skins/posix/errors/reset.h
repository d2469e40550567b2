/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A socket whose other end has reset the connection. */
#ifndef POSIX_ERRORS_RESET_H
#define POSIX_ERRORS_RESET_H

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "errors.h"

static inline int reset(void)
{
	const struct linger at_once = {.l_onoff = 1};
	struct sockaddr_in address = {.sin_family = AF_INET,
				      .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t bytes = sizeof(address);
	int listening = socket(AF_INET, SOCK_STREAM, 0), one = socket(AF_INET, SOCK_STREAM, 0);
	int other;

	NEED(!bind(listening, (struct sockaddr *)&address, bytes));
	NEED(!listen(listening, 1));
	NEED(!getsockname(listening, (struct sockaddr *)&address, &bytes));
	NEED(!connect(one, (struct sockaddr *)&address, bytes));
	other = accept(listening, NULL, NULL);
	NEED(!setsockopt(other, SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once)));
	close(other);
	close(listening);
	return one;
}

#endif
