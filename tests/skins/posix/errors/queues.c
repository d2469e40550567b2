/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Message queues. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <limits.h>
#include <mqueue.h>

#include "errors.h"

static const struct timespec wrong = {.tv_nsec = -1}, past = {.tv_sec = 1};
static struct timespec far;
static char name[32], text[16];

static mqd_t opened(int flags)
{
	struct mq_attr small = {.mq_maxmsg = 1, .mq_msgsize = sizeof(text)};
	mqd_t queue = mq_open(name, O_CREAT | flags, 0600, &small);

	NEED(queue >= 0);
	return queue;
}

static void empty(mqd_t queue)
{
	INTERRUPTED(FAILS(EINTR, mq_receive(queue, text, sizeof(text), NULL)));
	INTERRUPTED(FAILS(EINTR, mq_timedreceive(queue, text, sizeof(text), NULL, &far)));
	FAILS(ETIMEDOUT, mq_timedreceive(queue, text, sizeof(text), NULL, &past));
	FAILS(EINVAL, mq_timedreceive(queue, text, sizeof(text), NULL, &wrong));
	FAILS(EMSGSIZE, mq_receive(queue, text, sizeof(text) - 1, NULL));
	FAILS(EMSGSIZE, mq_timedreceive(queue, text, sizeof(text) - 1, NULL, &far));
	FAILS(EMSGSIZE, mq_send(queue, text, sizeof(text) + 1, 1));
	FAILS(EMSGSIZE, mq_timedsend(queue, text, sizeof(text) + 1, 1, &far));
	FAILS(EINVAL, mq_send(queue, text, 1, (unsigned)MQ_PRIO_MAX));
	FAILS(EINVAL, mq_timedsend(queue, text, 1, (unsigned)MQ_PRIO_MAX, &far));
}

static void full(mqd_t queue)
{
	NEED(!mq_send(queue, text, 1, 1));
	INTERRUPTED(FAILS(EINTR, mq_send(queue, text, 1, 1)));
	INTERRUPTED(FAILS(EINTR, mq_timedsend(queue, text, 1, 1, &far)));
	FAILS(ETIMEDOUT, mq_timedsend(queue, text, 1, 1, &past));
	FAILS(EINVAL, mq_timedsend(queue, text, 1, 1, &wrong));
	NEED(mq_receive(queue, text, sizeof(text), NULL) == 1);
}

static void no_queue(mqd_t queue)
{
	struct mq_attr flags = {.mq_flags = 0};
	struct sigevent event = {.sigev_notify = SIGEV_NONE};

	FAILS(EBADF, mq_receive(queue, text, sizeof(text), NULL));
	FAILS(EBADF, mq_timedreceive(queue, text, sizeof(text), NULL, &far));
	FAILS(EBADF, mq_send(queue, text, 1, 1));
	FAILS(EBADF, mq_timedsend(queue, text, 1, 1, &far));
	FAILS(EBADF, mq_setattr(queue, &flags, NULL));
	FAILS(EBADF, mq_notify(queue, &event));
}

static void notices(mqd_t queue)
{
	struct sigevent event = {.sigev_notify = SIGEV_NONE};
	struct sigevent no_event = {.sigev_notify = 77};
	struct sigevent no_signal = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = 99};

	FAILS(EINVAL, mq_notify(queue, &no_event));
	FAILS(EINVAL, mq_notify(queue, &no_signal));
	NEED(!mq_notify(queue, &event));
	FAILS(EBUSY, mq_notify(queue, &event));
	NEED(!mq_notify(queue, NULL));
}

static void without_waits(mqd_t queue)
{
	struct mq_attr flags = {.mq_flags = O_NONBLOCK}, no_flags = {.mq_flags = O_APPEND};

	FAILS(EINVAL, mq_setattr(queue, &no_flags, NULL));
	NEED(!mq_setattr(queue, &flags, NULL));
	FAILS(EAGAIN, mq_receive(queue, text, sizeof(text), NULL));
	FAILS(EAGAIN, mq_timedreceive(queue, text, sizeof(text), NULL, &far));
	NEED(!mq_send(queue, text, 1, 1));
	FAILS(EAGAIN, mq_send(queue, text, 1, 1));
	FAILS(EAGAIN, mq_timedsend(queue, text, 1, 1, &far));
}

static void one_way(void)
{
	mqd_t reads = opened(O_RDONLY), writes = opened(O_WRONLY);

	FAILS(EBADF, mq_send(reads, text, 1, 1));
	FAILS(EBADF, mq_timedsend(reads, text, 1, 1, &far));
	FAILS(EBADF, mq_receive(writes, text, sizeof(text), NULL));
	FAILS(EBADF, mq_timedreceive(writes, text, sizeof(text), NULL, &far));
	NEED(!mq_close(reads));
	NEED(!mq_close(writes));
}

static void cases(void)
{
	mqd_t queue;

	far = errors_far(CLOCK_REALTIME);
	snprintf(name, sizeof(name), "/tactus-errors-%d", (int)getpid());
	queue = opened(O_RDWR);
	empty(queue);
	full(queue);
	notices(queue);
	one_way();
	no_queue(STDOUT_FILENO);
	without_waits(queue);
	NEED(!mq_close(queue));
	no_queue(queue);
	FAILS(EBADF, mq_close(queue));
	NEED(!mq_unlink(name));
}

int main(void)
{
	return from_every_thread(cases);
}
