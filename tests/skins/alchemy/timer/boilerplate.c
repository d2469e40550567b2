/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Additions of Xenomai's headers to the API: sums of times, marks in the trace, devices' names. */
#include "test.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <boilerplate/ancillaries.h>
#include <boilerplate/time.h>
#include <boilerplate/trace.h>
#include <cobalt/trace.h>
#include <cobalt/uapi/syscall.h>
#include <rtdm/can.h>
#include <rtdm/gpio.h>
#include <rtdm/serial.h>
#include <rtdm/testing.h>
#include <rtdm/udd.h>
#include <trank/native/event.h>
#include <trank/native/task.h>
#include <trank/native/timer.h>
#include <trank/nucleus/types.h>
#include <trank/rtdm/rtcan.h>
#include <trank/rtdm/rtdm.h>
#include <trank/rtdm/rtserial.h>
#include <trank/rtdm/rttesting.h>
#include <xeno_config.h>
#include <xenomai/init.h>

static void expect_time(struct timespec t, long long sec, long ns)
{
	expect_eq(t.tv_sec, sec);
	expect_eq(t.tv_nsec, ns);
}

TEST(sums_of_times_are_normal)
{
	const struct timespec a = {3, 900000000};
	const struct timespec b = {1, 950000000};
	struct timespec r;

	timespec_add(&r, &a, &b);
	expect_time(r, 5, 850000000);
	timespec_sub(&r, &a, &b);
	expect_time(r, 1, 950000000);
	timespec_sub(&r, &b, &a);
	expect_time(r, -2, 50000000);
	expect_eq(timespec_scalar(&r), -1950000000);
	timespec_adds(&r, &a, 2100000000);
	expect_time(r, 6, 0);
	timespec_subs(&r, &a, 4000000000);
	expect_time(r, -1, 900000000);
	timespec_sets(&r, -1);
	expect_time(r, -1, 999999999);
	r = a;
	timespec_add(&r, &r, &b);
	expect_time(r, 5, 850000000);
}

TEST(times_are_compared)
{
	const struct timespec early = {1, 5};
	const struct timespec later = {1, 6};
	const struct timespec last = {2, 0};

	expect_true(timespec_before(&early, &later) && timespec_before(&later, &last));
	expect_true(!timespec_before(&early, &early) && !timespec_before(&last, &early));
	expect_true(timespec_after(&last, &later) && !timespec_after(&last, &last));
	expect_true(timespec_before_or_same(&early, &early) &&
		    timespec_after_or_same(&last, &last));
	expect_true(!timespec_before_or_same(&last, &later) &&
		    !timespec_after_or_same(&early, &later));
}

TEST(names_are_cut_to_their_array)
{
	char name[5];

	expect_str(namecpy(name, "rtcan0"), "rtca");
	expect_str(namecpy(name, "can"), "can");
	expect_eq(ARRAY_LEN(name), 5);
}

TEST(can_is_linuxs)
{
	struct can_ifreq request;
	int s = socket(PF_CAN, SOCK_RAW, CAN_RAW);

	/* Linux writes as much as its own request has. */
	expect_eq(sizeof(request), sizeof(struct ifreq));
	expect_eq(sizeof(can_frame_t), 16);
	expect_eq(_IOC_TYPE(SIOCSCANBAUDRATE), RTDM_CLASS_CAN);
	if (s < 0)
		test_skip("Linux has no CAN here");
	namecpy(request.ifr_name, "nosuchcan0");
	errno = 0;
	expect_eq(ioctl(s, SIOCGIFINDEX, &request), -1);
	expect_eq(errno, ENODEV);
	expect_eq(ioctl(s, SIOCGCANSTATE, &request), -1);
	close(s);
}

TASK_TEST(tasks_leave_marks_and_end_the_trace)
{
	expect_ok(xntrace_special(1, 2));
	expect_ok(xntrace_special_u64(1, ~0ull));
	expect_ok(xntrace_user_freeze(3, 0));
	expect_ok(xntrace_user_freeze(4, 1));
	expect_ok(xntrace_user_start());
	expect_ok(xntrace_user_stop(5));
	expect_ok(xntrace_user_start());
}

TEST(devices_of_the_driver_model_are_not_there)
{
	errno = 0;
	expect_eq(open("/dev/rtdm/timerbench", O_RDWR), -1);
	expect_eq(errno, ENOENT);
	expect_eq(_IOC_TYPE(RTTST_RTIOC_TMBENCH_START), RTDM_CLASS_TESTING);
	expect_eq(_IOC_SIZE(RTTST_RTIOC_TMBENCH_START), sizeof(struct rttst_tmbench_config));
	expect_eq(_IOC_TYPE(GPIO_RTIOC_DIR_OUT), RTDM_CLASS_GPIO);
	expect_eq(_IOC_SIZE(UDD_RTIOC_IRQSIG), sizeof(struct udd_signotify));
}

/* Masks were long, as many bits as there are now. */
TASK_TEST(older_masks_of_events_are_taken)
{
	RT_EVENT event;
	unsigned long bits = 0;

	expect_error(rt_event_create(&event, "flags", 1ul << 32, EV_PRIO), EINVAL);
	expect_ok(rt_event_create(&event, "flags", 0x80000001ul, EV_PRIO));
	expect_error(rt_event_signal(&event, 1ul << 32), EINVAL);
	expect_ok(rt_event_signal(&event, 0x10));
	expect_error(rt_event_wait(&event, 1ul << 32, &bits, EV_ANY, TM_NONBLOCK), EINVAL);
	expect_ok(rt_event_wait(&event, 0x80000010ul, &bits, EV_ALL, TM_NONBLOCK));
	expect_eq(bits, 0x80000010);
	expect_ok(rt_event_clear(&event, ~0ul, &bits));
	expect_eq(bits, 0x80000011);
	expect_ok(rt_event_delete(&event));
}

static void note_that_it_ran(void *arg)
{
	*(int *)arg = 1;
}

TASK_TEST(older_bits_of_modes_are_taken)
{
	RT_TASK task;
	int ran = 0;

	expect_ok(rt_task_spawn(&task, NULL, 0, 20, T_CPU(1) | T_FPU | T_NOSIG | T_JOINABLE,
				note_that_it_ran, &ran));
	expect_ok(rt_task_join(&task));
	expect_eq(ran, 1);
}

TEST(older_calls_of_devices_tell_that_there_are_none)
{
	static char long_name[100];

	memset(long_name, 'x', sizeof(long_name) - 1);
	expect_error(rt_dev_open("rtser0", O_RDWR), ENOENT);
	expect_error(rt_dev_open("/dev/rtdm/rtser0", O_RDWR), ENOENT);
	expect_error(rt_dev_open(long_name, O_RDWR), ENAMETOOLONG);
	expect_error(rt_dev_close(-1), EBADF);
	expect_error(rt_dev_read(-1, long_name, 1), EBADF);
	expect_error(rt_dev_ioctl(-1, RTSER_RTIOC_GET_CONFIG, NULL), EBADF);
	expect_error(rt_dev_ioctl(-1, UDD_RTIOC_IRQEN), EBADF);
	expect_error(rt_dev_open("rtser0", O_RDWR | O_CREAT, 0600), ENOENT);
	expect_true(CONFIG_XENO_PREFIX[0] == '/');
}
