/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A module of RTAI's kernel side, as it would be loaded on a machine with RTAI: a periodic task
 * controls an oven and puts a record of each turn into a FIFO. Commands come by another FIFO, whose
 * handler hands them to the task by a mailbox.
 */
#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/module.h>

#include <rtai_fifos.h>
#include <rtai_mbx.h>
#include <rtai_sched.h>

#include "oven.h"

MODULE_LICENSE("LGPL");
MODULE_DESCRIPTION("Controls an oven");

static int period_ms = 100;
module_param(period_ms, int, 0444);
MODULE_PARM_DESC(period_ms, "time between two turns");

static int limits[2] = {20, 250};
static int limits_given;
module_param_array(limits, int, &limits_given, 0444);
MODULE_PARM_DESC(limits, "lowest and highest target, in degrees");

static RT_TASK controller;
static MBX commands;
static int target = 60;

/* The oven: it takes a part of what the heater gives, and loses a part of what it has. */
static int heat(int milli_degrees, int power)
{
	return milli_degrees + power * 40 - (milli_degrees - 20000) / 50;
}

static void control(long start)
{
	struct oven_record record = {.milli_degrees = (int)start};
	int wanted;

	for (;;) {
		if (!rt_mbx_receive_if(&commands, &wanted, sizeof(wanted))) {
			target = wanted;
			rt_printk("turn %d: the target is %d\n", record.turn, target);
		}
		record.power = (target * 1000 - record.milli_degrees) / 50;
		record.power = min(max(record.power, 0), 100);
		record.milli_degrees = heat(record.milli_degrees, record.power);
		record.turn++;
		rtf_put(OVEN_RECORDS, &record, sizeof(record));
		rt_task_wait_period();
	}
}

/* Runs in Linux after each write to the FIFO. A negative result is what the writer gets. */
static int take_command(unsigned int fifo, int rw)
{
	int wanted;

	if (rw != 'w' || rtf_get(fifo, &wanted, sizeof(wanted)) != sizeof(wanted))
		return 0;
	if (wanted < limits[0] || wanted > limits[1])
		return -EINVAL;
	rt_mbx_send(&commands, &wanted, sizeof(wanted));
	return 0;
}

static int __init oven_init(void)
{
	const RTIME period = nano2count(period_ms * 1000000LL);
	int error;

	if (period_ms < 1)
		return -EINVAL;
	error = rtf_create(OVEN_RECORDS, 4096);
	if (error)
		return error;
	error = rtf_create(OVEN_COMMANDS, 64);
	if (error)
		goto destroy_records;
	rtf_create_handler(OVEN_COMMANDS, X_FIFO_HANDLER(take_command));
	error = rt_mbx_init(&commands, 4 * sizeof(int));
	if (error)
		goto destroy_commands;
	rt_set_oneshot_mode();
	start_rt_timer(0);
	error = rt_task_init(&controller, control, 20000, 8192, 1, 1, NULL);
	if (!error)
		error = rt_task_make_periodic(&controller, rt_get_time() + period, period);
	if (error)
		goto delete_mailbox;
	printk(KERN_INFO "oven: a turn each %d ms, targets from %d to %d\n", period_ms, limits[0],
	       limits[1]);
	return 0;
delete_mailbox:
	rt_mbx_delete(&commands);
destroy_commands:
	rtf_destroy(OVEN_COMMANDS);
destroy_records:
	rtf_destroy(OVEN_RECORDS);
	return error;
}

static void __exit oven_exit(void)
{
	stop_rt_timer();
	rt_task_delete(&controller);
	rt_mbx_delete(&commands);
	rtf_destroy(OVEN_COMMANDS);
	rtf_destroy(OVEN_RECORDS);
	printk(KERN_INFO "oven: off\n");
}

module_init(oven_init);
module_exit(oven_exit);
