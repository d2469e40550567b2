/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Trace objects. An atomic counter assigns the places of marks in an array. So a task that leaves a
 * mark never waits for another one that was preempted or deleted meanwhile. The tasks that take
 * part are stored by their handles, so that a task that is deleted counts as one that has left.
 */
#include <copperplate/traceobj.h>

#include "alchemy_internal.h"

#define WRONG_ORDER 5

/* How often traceobj_join() looks for tasks that were deleted. */
#define LOOK_NS 5000000u

struct tracemark {
	const char *file;
	int line;
	int mark;
};

int traceobj_init(struct traceobj *trobj, const char *label, int nr_marks)
{
	tact_sem_t left;
	int error = alchemy_begin();

	if (error)
		return error;
	*trobj = (struct traceobj){.label = label, .nr_marks = nr_marks};
	if (nr_marks > 0) {
		trobj->marks = calloc((size_t)nr_marks, sizeof(*trobj->marks));
		if (!trobj->marks)
			return -ENOMEM;
	}
	error = tact_sem_create(NULL, 0, TACT_SEM_VALUE_MAX, TACT_FIFO, &left);
	if (error) {
		free(trobj->marks);
		return alchemy_result(error);
	}
	trobj->left = left.id;
	return 0;
}

static tact_sem_t left_of(const struct traceobj *trobj)
{
	return (tact_sem_t){trobj->left};
}

void traceobj_destroy(struct traceobj *trobj)
{
	(void)tact_sem_delete(left_of(trobj));
	free(trobj->marks);
	trobj->marks = NULL;
	trobj->nr_marks = 0;
}

static int marks_left(const struct traceobj *trobj)
{
	int count = __atomic_load_n(&trobj->cur_mark, __ATOMIC_ACQUIRE);

	return count < trobj->nr_marks ? count : trobj->nr_marks;
}

static void dump(const struct traceobj *trobj)
{
	for (int i = 0; i < marks_left(trobj); i++)
		fprintf(stderr, "[%d] at %s:%d\n", trobj->marks[i].mark, trobj->marks[i].file,
			trobj->marks[i].line);
}

static const char *label_of(const struct traceobj *trobj)
{
	return trobj->label ? trobj->label : "traceobj";
}

void __traceobj_mark(struct traceobj *trobj, const char *file, int line, int mark)
{
	int place = __atomic_fetch_add(&trobj->cur_mark, 1, __ATOMIC_ACQ_REL);

	if (place < trobj->nr_marks) {
		trobj->marks[place] = (struct tracemark){file, line, mark};
		return;
	}
	/* A handler cannot print this; traceobj_verify() then reports too many marks. */
	if (runtime_in_handler())
		return;
	dump(trobj);
	fprintf(stderr, "%s: too many marks: [%d] at %s:%d\n", label_of(trobj), mark, file, line);
	exit(EXIT_FAILURE);
}

static _Noreturn void wrong_order(const struct traceobj *trobj, const int tseq[], int nr_seq)
{
	int count = marks_left(trobj);

	fprintf(stderr, "%s: the marks are not in the right order\n", label_of(trobj));
	for (int i = 0; i < count || i < nr_seq; i++) {
		if (i < count)
			fprintf(stderr, "at %s:%d: [%d]", trobj->marks[i].file,
				trobj->marks[i].line, trobj->marks[i].mark);
		else
			fputs("nothing", stderr);
		if (i >= nr_seq)
			fputs(", and there should be nothing\n", stderr);
		else if (i >= count || trobj->marks[i].mark != tseq[i])
			fprintf(stderr, ", should be [%d]\n", tseq[i]);
		else
			fputc('\n', stderr);
	}
	exit(WRONG_ORDER);
}

void traceobj_verify(struct traceobj *trobj, int tseq[], int nr_seq)
{
	int count = __atomic_load_n(&trobj->cur_mark, __ATOMIC_ACQUIRE);

	if (!count) {
		fprintf(stderr, "%s: no mark was left\n", label_of(trobj));
		exit(EXIT_FAILURE);
	}
	if (count != nr_seq || nr_seq > trobj->nr_marks)
		wrong_order(trobj, tseq, nr_seq);
	for (int i = 0; i < nr_seq; i++)
		if (trobj->marks[i].mark != tseq[i])
			wrong_order(trobj, tseq, nr_seq);
}

/* A task that was deleted, or ended otherwise, has left. */
static bool is_gone(unsigned int task)
{
	struct tact_task_info info = {0};

	return tact_task_inquire((tact_task_t){task}, &info) || info.state & TACT_TASK_STATE_ENDED;
}

/* Take the place that this task has; 0: nobody. */
static bool take_place(unsigned int *place, unsigned int there, unsigned int self)
{
	return __atomic_compare_exchange_n(place, &there, self, 0, __ATOMIC_ACQ_REL,
					   __ATOMIC_RELAXED);
}

/* Takes a place for the task. The places of tasks that are gone are taken when no other is left. */
static bool enter(struct traceobj *trobj, unsigned int self)
{
	for (int i = 0; i < TRACEOBJ_TASKS; i++)
		if (take_place(&trobj->task[i], 0, self))
			return true;
	for (int i = 0; i < TRACEOBJ_TASKS; i++) {
		unsigned int there = __atomic_load_n(&trobj->task[i], __ATOMIC_RELAXED);

		if (is_gone(there) && take_place(&trobj->task[i], there, self))
			return true;
	}
	return false;
}

void traceobj_enter(struct traceobj *trobj)
{
	unsigned int self = tact_task_self().id;

	if (!self)
		__atomic_fetch_add(&trobj->nr_threads, 1, __ATOMIC_ACQ_REL);
	if (self && !enter(trobj, self)) {
		fprintf(stderr, "%s: more than %d tasks\n", label_of(trobj), TRACEOBJ_TASKS);
		exit(EXIT_FAILURE);
	}
	__atomic_fetch_add(&trobj->nr_entered, 1, __ATOMIC_ACQ_REL);
}

void traceobj_unwind(struct traceobj *trobj)
{
	unsigned int self = tact_task_self().id;

	if (!self)
		__atomic_fetch_sub(&trobj->nr_threads, 1, __ATOMIC_ACQ_REL);
	for (int i = 0; self && i < TRACEOBJ_TASKS; i++)
		if (__atomic_load_n(&trobj->task[i], __ATOMIC_RELAXED) == self) {
			__atomic_store_n(&trobj->task[i], 0, __ATOMIC_RELEASE);
			self = 0;
		}
	(void)tact_sem_post(left_of(trobj));
}

void traceobj_exit(struct traceobj *trobj)
{
	traceobj_unwind(trobj);
}

static bool is_inside(const struct traceobj *trobj)
{
	if (__atomic_load_n(&trobj->nr_threads, __ATOMIC_ACQUIRE) > 0 ||
	    !__atomic_load_n(&trobj->nr_entered, __ATOMIC_ACQUIRE))
		return true;
	for (int i = 0; i < TRACEOBJ_TASKS; i++) {
		unsigned int task = __atomic_load_n(&trobj->task[i], __ATOMIC_ACQUIRE);

		if (task && !is_gone(task))
			return true;
	}
	return false;
}

void traceobj_join(struct traceobj *trobj)
{
	while (is_inside(trobj))
		(void)tact_sem_wait(left_of(trobj), tact_in(LOOK_NS));
}

void __traceobj_assert_failed(struct traceobj *trobj, const char *file, int line, const char *cond)
{
	dump(trobj);
	fprintf(stderr, "%s: %s:%d: expected %s\n", label_of(trobj), file, line, cond);
	exit(EXIT_FAILURE);
}

static void tell_status(const struct traceobj *trobj, const char *file, int line, int received,
			int expected)
{
	dump(trobj);
	fprintf(stderr, "%s: %s:%d: status %d (%s), expected %d (%s)\n", label_of(trobj), file,
		line, received, received < 0 ? strerror(-received) : "no error", expected,
		expected < 0 ? strerror(-expected) : "no error");
}

void __traceobj_check_abort(struct traceobj *trobj, const char *file, int line, int received,
			    int expected)
{
	tell_status(trobj, file, line, received, expected);
	exit(EXIT_FAILURE);
}

void __traceobj_check_warn(struct traceobj *trobj, const char *file, int line, int received,
			   int expected)
{
	tell_status(trobj, file, line, received, expected);
}
