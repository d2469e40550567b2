/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Events, which come by a signal. */
#ifndef THREAD_EVENT_H
#define THREAD_EVENT_H

/* The frame returns on the kernel thread that runs now: give it that thread's mask and stack. */
void thread_frame_adapt(void *ucontext);
/* Unblock the events that the kernel blocked when a handler began. Context: stalled. */
void thread_events_unblock(void);

#endif
