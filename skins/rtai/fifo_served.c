/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * FIFOs as files of the machine, /dev/rtf0 to /dev/rtf63, in the process of modules. A reader gets
 * what is there, and waits for the first byte; a writer waits for room for all of its bytes.
 */
#include <string.h>

#include "rtai_module_host.h"

#include "rtai_fifo_internal.h"
#include "runtime/served_file.h"

static _Atomic bool serving;

struct served_fifo {
	unsigned int number;
	tact_sem_t moved; /* what the reading thread waits at */
	_Atomic bool open;
};

static struct served_fifo served[MAX_FIFOS];

static int take(void *owner, struct runtime_served_data *data, size_t most)
{
	const struct served_fifo *fifo = owner;

	data->at = data->room;
	return rtf_get(fifo->number, data->room,
		       (int)(most < sizeof(data->room) ? most : sizeof(data->room)));
}

static int wait(void *owner, struct runtime_served_data *data)
{
	const struct served_fifo *fifo = owner;
	const int error = tact_sem_wait(fifo->moved, TACT_FOREVER);

	(void)data;
	return error == -TACT_EIDRM || error == -TACT_EBADF ? error : 0;
}

static bool ready(void *owner)
{
	const struct served_fifo *fifo = owner;

	return rtf_get_avbs(fifo->number) > 0;
}

static int put(void *owner, const void *data, size_t bytes)
{
	const struct served_fifo *fifo = owner;

	return rtf_put(fifo->number, data, (int)bytes);
}

static int done(void *owner, int how)
{
	const struct served_fifo *fifo = owner;

	return rtai_fifo_done(fifo->number, how);
}

static const struct runtime_served_ops ops = {
	.take = take,
	.wait = wait,
	.ready = ready,
	.put = put,
	.done = done,
};

RUNTIME_SERVED_KIND(files, "rtf", MAX_FIFOS, false, &ops);

void rtai_module_serve_files(void)
{
	atomic_store(&serving, true);
}

bool rtai_fifo_is_elsewhere(unsigned int number)
{
	return rtf_get_avbs(number) < 0 && runtime_served_exists(&files, (int)number);
}

void rtai_fifo_serve(unsigned int number, const char *name)
{
	struct served_fifo *fifo = &served[number];

	if (!atomic_load(&serving))
		return;
	if (runtime_served_reserve(&files, (int)number)) {
		(void)rt_printk("/dev/rtf%u belongs to another process: only this one can use "
				"FIFO %u\n",
				number, number);
		return;
	}
	fifo->number = number;
	if (tact_sem_create(NULL, 0, 1, TACT_FIFO, &fifo->moved)) {
		runtime_served_release(&files, (int)number);
		return;
	}
	atomic_store(&fifo->open, true);
	(void)runtime_served_open(&files, (int)number, name, fifo);
}

void rtai_fifo_moved(unsigned int number)
{
	if (atomic_load_explicit(&served[number].open, memory_order_relaxed))
		(void)tact_sem_post(served[number].moved);
}

void rtai_fifo_stop(unsigned int number)
{
	if (!atomic_load(&served[number].open))
		return;
	runtime_served_stop(&files, (int)number);
	(void)tact_sem_delete(served[number].moved);
}

void rtai_fifo_close(unsigned int number)
{
	if (!atomic_exchange(&served[number].open, false))
		return;
	runtime_served_close(&files, (int)number);
	runtime_served_release(&files, (int)number);
}
