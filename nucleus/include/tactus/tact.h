/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The whole native API. */
#ifndef TACTUS_TACT_H
#define TACTUS_TACT_H

#include <tactus/barrier.h>
#include <tactus/buffer.h>
#include <tactus/cond.h>
#include <tactus/data.h>
#include <tactus/device.h>
#include <tactus/doorbell.h>
#include <tactus/error.h>
#include <tactus/event.h>
#include <tactus/event_rule.h>
#include <tactus/fault.h>
#include <tactus/handler_lock.h>
#include <tactus/heap.h>
#include <tactus/mailbox.h>
#include <tactus/mutex.h>
#include <tactus/object.h>
#include <tactus/partition.h>
#include <tactus/pipe.h>
#include <tactus/pool.h>
#include <tactus/port.h>
#include <tactus/queue.h>
#include <tactus/quota.h>
#include <tactus/registry.h>
#include <tactus/rendezvous.h>
#include <tactus/restart.h>
#include <tactus/routine.h>
#include <tactus/rwlock.h>
#include <tactus/safe.h>
#include <tactus/sched.h>
#include <tactus/select.h>
#include <tactus/sem.h>
#include <tactus/start.h>
#include <tactus/stat.h>
#include <tactus/suspension.h>
#include <tactus/task.h>
#include <tactus/time.h>
#include <tactus/timer.h>
#include <tactus/timer_discard.h>
#include <tactus/turn.h>
#include <tactus/watch.h>
#include <tactus/word.h>
#include <tactus/zqueue.h>

#endif
