/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * FIFOs by numbers: streams of bytes, each with a binary semaphore. The uses of a FIFO are counted;
 * the last one deletes it. Calls by number do not wait; those of descriptors (fifo_file.c) may.
 */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "rtai_fifo_internal.h"
#include "rtai_module_calls.h"

struct fifo {
	_Atomic int uses; /* 0: there is none */
	_Atomic tact_buffer_t buffer;
	tact_sem_t sem;
	_Atomic int listeners;
	int (*_Atomic handler)(unsigned int number, int how); /* of a module; NULL: none */
	const void *maker;                                    /* where a module made it */
	char name[RTF_NAMELEN + 1];
};

static struct fifo fifo[MAX_FIFOS];

/* Creation, deletion and a change of size one at a time. */
static _Atomic int changing;

static int begin_change(void)
{
	int idle = 0;

	if (rtai_begin())
		return -ENOMEM;
	/* A task that is deleted here ends when the change is done. */
	(void)tact_task_safe();
	while (!atomic_compare_exchange_weak(&changing, &idle, 1)) {
		idle = 0;
		(void)runtime_nap();
	}
	return 0;
}

static void end_change(void)
{
	atomic_store(&changing, 0);
	(void)tact_task_unsafe();
}

/* Returns 0, -ENODEV, -EINVAL. */
static int find(unsigned int number, struct fifo **found)
{
	if (number >= MAX_FIFOS)
		return -ENODEV;
	*found = &fifo[number];
	return atomic_load(&fifo[number].uses) ? 0 : -EINVAL;
}

static int make(struct fifo *new, const char *name, int size)
{
	tact_buffer_t made;

	if (tact_buffer_create(NULL, (uint32_t)size, TACT_PRIO, &made))
		return -ENOMEM;
	if (tact_sem_create(NULL, 0, 1, TACT_PRIO, &new->sem)) {
		(void)tact_buffer_delete(made);
		return -ENOMEM;
	}
	(void)snprintf(new->name, sizeof(new->name), "%s", name ? name : "");
	atomic_store(&new->handler, NULL);
	new->maker = NULL;
	atomic_store(&new->buffer, made);
	atomic_store(&new->uses, 1);
	rtai_fifo_serve((unsigned int)(new - fifo), new->name);
	return 0;
}

static struct tact_buffer_info state_of(const struct fifo *found)
{
	struct tact_buffer_info info = {0};

	(void)tact_buffer_inquire(atomic_load(&found->buffer), &info);
	return info;
}

/* The bytes go to a buffer of another size. No task comes between. */
static int resize(struct fifo *found, int size)
{
	char piece[256];
	tact_buffer_t old = atomic_load(&found->buffer);
	tact_buffer_t made;
	int moved;
	int error = 0;

	if (tact_buffer_create(NULL, (uint32_t)size, TACT_PRIO, &made))
		return -ENOMEM;
	rtai_hold();
	if (state_of(found).used > (uint32_t)size)
		error = -EBUSY;
	while (!error && (moved = tact_buffer_read(old, piece, sizeof(piece), TACT_BUFFER_PARTIAL,
						   TACT_NOWAIT)) > 0)
		(void)tact_buffer_write(made, piece, (size_t)moved, TACT_BUFFER_WHOLE, TACT_NOWAIT);
	if (!error)
		atomic_store(&found->buffer, made);
	rtai_let_go();
	(void)tact_buffer_delete(error ? made : old);
	return error;
}

int rtf_create(unsigned int number, int size)
{
	struct fifo *found;
	int error;

	if (number >= MAX_FIFOS)
		return -ENODEV;
	if (size < 1)
		return -EINVAL;
	error = begin_change();
	if (error)
		return error;
	found = &fifo[number];
	if (!atomic_load(&found->uses)) {
		error = make(found, NULL, size);
	} else {
		if ((uint32_t)size > state_of(found).bytes)
			error = resize(found, size);
		if (!error)
			atomic_fetch_add(&found->uses, 1);
	}
	end_change();
	return error;
}

int rtf_destroy(unsigned int number)
{
	struct fifo *found;
	int left;

	if (begin_change())
		return -EINVAL;
	/* Found here, because another caller may take the last use meanwhile. */
	left = find(number, &found);
	if (left) {
		end_change();
		return left;
	}
	left = atomic_fetch_sub(&found->uses, 1) - 1;
	if (!left) {
		rtai_fifo_stop(number);
		(void)tact_buffer_delete(atomic_load(&found->buffer));
		(void)tact_sem_delete(found->sem);
		found->name[0] = 0;
		rtai_fifo_close(number);
	}
	end_change();
	return left;
}

/* Returns 0, or an error: of the number, or of the buffer. */
static int check(unsigned int number, const void *buf, int count, struct fifo **found)
{
	const int error = find(number, found);

	return error ? error : count < 0 || (!buf && count) ? -EFAULT : 0;
}

/* Whoever polls looks again, and whoever wants a signal gets one. */
static void has_moved(const struct fifo *found)
{
	rtai_changed();
	rtai_fifo_moved((unsigned int)(found - fifo));
	if (atomic_load_explicit(&found->listeners, memory_order_relaxed))
		rtai_file_notify((unsigned int)(found - fifo));
}

void rtai_fifo_listen(unsigned int number, int change)
{
	if (number < MAX_FIFOS)
		atomic_fetch_add(&fifo[number].listeners, change);
}

int rtai_fifo_done(unsigned int number, int how)
{
	int (*handler)(unsigned int, int) = NULL;
	int result;

	if (number < MAX_FIFOS)
		handler = atomic_load(&fifo[number].handler);
	result = handler ? handler(number, how) : 0;
	return result < 0 ? result : 0;
}

int rtai_module_fifo_handler(unsigned int number, void *handler)
{
	struct fifo *found;
	const int error = find(number, &found);

	if (!error)
		atomic_store(&found->handler, (int (*)(unsigned int, int))handler);
	return error;
}

int rtai_module_fifo_create(unsigned int number, int size)
{
	const bool first = number < MAX_FIFOS && !atomic_load(&fifo[number].uses);
	const int error = rtf_create(number, size);

	if (!error && first)
		fifo[number].maker = __builtin_return_address(0);
	return error;
}

static bool within(const void *code, const void *from, const void *to)
{
	return code && (const char *)code >= (const char *)from &&
	       (const char *)code < (const char *)to;
}

void rtai_fifos_left(const void *from, const void *to, void (*tell)(void *arg, unsigned int number),
		     void *arg)
{
	for (unsigned int i = 0; i < MAX_FIFOS; i++) {
		if (within((const void *)(uintptr_t)atomic_load(&fifo[i].handler), from, to))
			atomic_store(&fifo[i].handler, NULL);
		if (!atomic_load(&fifo[i].uses) || !within(fifo[i].maker, from, to))
			continue;
		tell(arg, i);
		while (rtf_destroy(i) > 0)
			;
	}
}

static int put(unsigned int number, const void *buf, int count, uint32_t how)
{
	struct fifo *found;
	int error = check(number, buf, count, &found);

	if (error)
		return error;
	error = tact_buffer_write(atomic_load(&found->buffer), buf, (size_t)count, how,
				  TACT_NOWAIT);
	if (error > 0)
		has_moved(found);
	return error < 0 ? 0 : error;
}

static int get(unsigned int number, void *buf, int count, uint32_t how)
{
	struct fifo *found;
	int error = check(number, buf, count, &found);

	if (error)
		return error;
	error = tact_buffer_read(atomic_load(&found->buffer), buf, (size_t)count, how, TACT_NOWAIT);
	if (error > 0)
		has_moved(found);
	return error < 0 ? 0 : error;
}

int rtf_put(unsigned int number, const void *buf, int count)
{
	return put(number, buf, count, TACT_BUFFER_PARTIAL);
}

int rtf_put_if(unsigned int number, const void *buf, int count)
{
	return put(number, buf, count, TACT_BUFFER_WHOLE);
}

int rtf_ovrwr_put(unsigned int number, const void *buf, int count)
{
	struct fifo *found;
	int error = check(number, buf, count, &found);

	if (!error && count) {
		(void)rtai_overwrite(atomic_load(&found->buffer), buf, count);
		has_moved(found);
	}
	return error;
}

/* All of it at once where the FIFO can hold it, otherwise piece by piece. */
static int move(struct fifo *found, const struct rtai_fifo_order *order, tact_timeout_t timeout)
{
	const tact_buffer_t buffer = atomic_load(&found->buffer);
	const uint32_t how = order->any || order->bytes > state_of(found).bytes
				     ? TACT_BUFFER_PARTIAL
				     : TACT_BUFFER_WHOLE;
	int moved = order->write
			    ? tact_buffer_write(buffer, order->data, order->bytes, how, timeout)
			    : tact_buffer_read(buffer, order->data, order->bytes, how, timeout);

	/* Was the size changed? */
	if (moved == -TACT_EIDRM) {
		const tact_buffer_t now = atomic_load(&found->buffer);

		if (!tact_same(buffer, now))
			moved = 0;
	}
	if (moved > 0)
		has_moved(found);
	return moved;
}

static int told(int error)
{
	if (error == -TACT_EIDRM || error == -TACT_EBADF)
		return -EINVAL;
	return error == -TACT_ECANCELED ? -EINTR : error;
}

static long move_all(struct fifo *found, struct rtai_fifo_order order, tact_timeout_t timeout)
{
	const size_t wanted = order.bytes;
	bool last = false;
	int moved = 0;

	while (order.bytes && !last && moved >= 0) {
		moved = move(found, &order, timeout);
		/* The time has come: what there is. */
		if ((moved == -TACT_ETIMEDOUT || moved == -TACT_EAGAIN) && !order.any) {
			order.any = last = true;
			moved = move(found, &order, TACT_NOWAIT);
		}
		if (moved > 0) {
			order.data += moved;
			order.bytes -= (size_t)moved;
			last |= order.any;
		}
	}
	if (moved >= 0 || wanted > order.bytes || moved == -TACT_ETIMEDOUT || moved == -TACT_EAGAIN)
		return (long)(wanted - order.bytes);
	return told(moved);
}

long rtai_fifo_transfer(struct rtai_fifo_order order, tact_timeout_t timeout)
{
	const int timed = timeout.kind == TACT_TIMEOUT_FOREVER ? 0 : RT_SCHED_DELAYED;
	struct runtime_record *self;
	struct fifo *found;
	long moved = find(order.number, &found);

	if (moved)
		return moved;
	if (order.bytes > INT_MAX || (!order.data && order.bytes))
		return -EFAULT;
	if (timeout.kind != TACT_TIMEOUT_NOWAIT && runtime_in_handler())
		return -EPERM;
	if (timeout.kind == TACT_TIMEOUT_RELATIVE)
		timeout = tact_at(tact_time_add(tact_now(), timeout.ns));
	self = rtai_waits(RT_SCHED_MBXSUSP | timed);
	moved = move_all(found, order, timeout);
	rtai_waited(self);
	return moved;
}

int rtai_fifo_peek(unsigned int number, void *data, int bytes)
{
	struct fifo *found;
	int error = check(number, data, bytes, &found);

	if (error || !bytes)
		return error;
	error = rtai_peek(atomic_load(&found->buffer), data, bytes);
	return error < 0 ? told(error) : error;
}

int rtf_get(unsigned int number, void *buf, int count)
{
	return get(number, buf, count, TACT_BUFFER_PARTIAL);
}

int rtf_get_if(unsigned int number, void *buf, int count)
{
	return get(number, buf, count, TACT_BUFFER_WHOLE);
}

int rtf_get_avbs(unsigned int number)
{
	struct fifo *found;
	const int error = find(number, &found);

	return error ? error : (int)state_of(found).used;
}

int rtf_get_frbs(unsigned int number)
{
	struct fifo *found;
	const int error = find(number, &found);
	struct tact_buffer_info info;

	if (error)
		return error;
	info = state_of(found);
	return (int)(info.bytes - info.used);
}

int rtf_reset_lxrt(unsigned int number)
{
	struct fifo *found;
	const int error = find(number, &found);

	if (error)
		return error;
	(void)tact_buffer_clear(atomic_load(&found->buffer));
	has_moved(found);
	return 0;
}

int rtf_resize_lxrt(unsigned int number, int size)
{
	struct fifo *found;
	int error = find(number, &found);

	if (error)
		return error;
	if (size < 1)
		return -EINVAL;
	error = begin_change();
	if (error)
		return error;
	error = resize(found, size);
	end_change();
	return error ? error : size;
}

int rtf_sem_init_lxrt(unsigned int number, int value)
{
	struct fifo *found;
	const int error = find(number, &found);

	if (error)
		return error;
	if (value != 0 && value != 1)
		return -EINVAL;
	(void)tact_sem_reset(found->sem, (uint32_t)value);
	return 0;
}

int rtf_sem_post_lxrt(unsigned int number)
{
	struct fifo *found;
	const int error = find(number, &found);

	if (!error)
		(void)tact_sem_post(found->sem);
	return error;
}

int rtf_sem_trywait_lxrt(unsigned int number)
{
	struct fifo *found;
	const int error = find(number, &found);

	if (error)
		return error;
	return tact_sem_wait(found->sem, TACT_NOWAIT) ? -EAGAIN : 0;
}

int rtf_sem_destroy_lxrt(unsigned int number)
{
	struct fifo *found;
	const int error = find(number, &found);

	if (error)
		return error;
	(void)tact_sem_flush(found->sem);
	(void)tact_sem_reset(found->sem, 0);
	return 0;
}

/* As in RTAI, the last waiter whose time has come leaves the semaphore at 1. */
static void give_up(const struct fifo *found)
{
	struct tact_sem_info info = {0};

	if (!tact_sem_inquire(found->sem, &info) && !info.waiters)
		(void)tact_sem_post(found->sem);
}

int rtai_fifo_sem_take(unsigned int number, tact_timeout_t timeout)
{
	const int timed = timeout.kind == TACT_TIMEOUT_FOREVER ? 0 : RT_SCHED_DELAYED;
	struct runtime_record *self;
	struct fifo *found;
	int error = find(number, &found);

	if (error)
		return error;
	if (runtime_in_handler())
		return -EPERM;
	self = rtai_waits(RT_SCHED_SEMAPHORE | timed);
	error = tact_sem_wait(found->sem, timeout);
	rtai_waited(self);
	if (error == -TACT_ETIMEDOUT)
		give_up(found);
	if (error == -TACT_EIDRM)
		return -EINVAL;
	return !error ? 0 : error == -TACT_EINTR ? -EINTR : -EPERM;
}

int rtai_module_fifo_sem_trywait(unsigned int number)
{
	const int error = rtf_sem_trywait_lxrt(number);

	return error == -EAGAIN ? 0 : error ? error : 1;
}

int rtai_module_fifo_evdrp(unsigned int number, void *buf, int count)
{
	return rtai_fifo_peek(number, buf, count);
}

static bool good_name(const char *name)
{
	return name && *name && strlen(name) <= RTF_NAMELEN;
}

static int number_of(const char *name)
{
	for (int i = 0; i < MAX_FIFOS; i++)
		if (atomic_load(&fifo[i].uses) && !strcmp(fifo[i].name, name))
			return i;
	return -ENODEV;
}

static int free_number(void)
{
	for (int i = 0; i < MAX_FIFOS; i++)
		if (!atomic_load(&fifo[i].uses))
			return i;
	return -EBUSY;
}

int rtf_named_create_lxrt(const char *name, int size)
{
	int number;
	int error;

	if (!good_name(name) || size < 1)
		return -EINVAL;
	error = begin_change();
	if (error)
		return error;
	number = number_of(name) < 0 ? free_number() : -EBUSY;
	error = number < 0 ? number : make(&fifo[number], name, size);
	end_change();
	return error ? error : number;
}

int rtf_create_named_lxrt(const char *name)
{
	return rtf_named_create_lxrt(name, RTAI_FIFO_DEFAULT_BYTES);
}

int rtf_getfifobyname_lxrt(const char *name)
{
	return good_name(name) ? number_of(name) : -ENODEV;
}

char *rtf_getfifobyminor(int minor, char *buf, int len)
{
	if (!buf || len < 1)
		return NULL;
	(void)snprintf(buf, (size_t)len, "/dev/rtf%d", minor);
	return buf;
}
