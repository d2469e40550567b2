/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Asynchronous signals: a routine of the nucleus (routine.h), which calls that of the program. A
 * program leaves its routine by as_return(), which goes back into the frame here.
 */
#include "psos_task.h"

#include <tactus/routine.h>

#include "runtime/call_point.h"

#include "psos_errors.h"

#define SIGNALS 0xffffffffu

struct psos_asr_frame {
	struct runtime_call_point point;
	psos_asr_t asr;
	unsigned long signals;
	struct psos_asr_frame *outer; /* of the routine that this one interrupted */
	unsigned long mode;           /* of the task before the routine */
};

static void call(void *arg)
{
	const struct psos_asr_frame *frame = arg;

	((void (*)(unsigned long))frame->asr)(frame->signals);
}

static void run(uint64_t signals, void *arg)
{
	struct psos_task *task = arg;
	struct psos_asr_frame frame = {.asr = task->asr,
				       .signals = (unsigned long)signals,
				       .outer = task->frame,
				       .mode = task->mode};
	/* The nucleus has masked the requests, and will restore the mask. */
	const unsigned long masked = frame.mode | T_NOASR;

	if (!task->asr)
		return;
	task->frame = &frame;
	psos_mode_change(task, masked, task->asr_mode);
	runtime_call_at(&frame.point, call, &frame);
	task->frame = frame.outer;
	psos_mode_change(task, task->mode, masked);
	task->mode = frame.mode;
}

unsigned long as_catch(psos_asr_t start_addr, unsigned long mode)
{
	struct runtime_record *record = psos_task_current();
	struct psos_task *task;

	if (!record || runtime_in_handler() || mode & ~(unsigned long)PSOS_MODES)
		return ERR_SSFN;
	task = psos_task_of(record);
	task->asr = start_addr;
	task->asr_mode = mode;
	return psos_result(
		psos_task_errors,
		tact_task_set_routine(
			TACT_SELF,
			start_addr
				? &(struct tact_routine){.size = sizeof(struct tact_routine),
							 .run = run,
							 .arg = task,
							 .masked = task->mode & T_NOASR ? UINT64_MAX
											: 0}
				: NULL));
}

unsigned long as_send(unsigned long tid, unsigned long signals)
{
	const struct runtime_record *record = psos_task_find(tid);

	if (!record)
		return psos_id_error(tid);
	return psos_result(psos_as_send_errors,
			   tact_task_request(psos_task(record), signals & SIGNALS));
}

unsigned long as_return(void)
{
	struct runtime_record *record = psos_task_current();
	struct psos_asr_frame *frame =
		record && !runtime_in_handler() ? psos_task_of(record)->frame : NULL;

	if (!frame)
		return ERR_NOTINASR;
	runtime_return_to(&frame->point);
}
