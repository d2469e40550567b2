/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Headers and names beside the documented interface that programs for Xenomai 3 count on: calls of
 * devices, where the kernel's part of them is declared, and what a header brings along. */
#include <alchemy/task.h>
#include <boilerplate/atomic.h>
#include <boilerplate/compiler.h>
#include <cobalt/ticks.h>
#include <cobalt/uapi/kernel/thread.h>
#include <copperplate/clockobj.h>
#include <rtdm/rtdm.h>
#include <rtdm/uapi/can.h>
#include <rtdm/uapi/gpio.h>
#include <rtdm/uapi/gpiopwm.h>
#include <rtdm/uapi/ipc.h>
#include <rtdm/uapi/rtdm.h>
#include <rtdm/uapi/serial.h>
#include <rtdm/uapi/spi.h>
#include <rtdm/uapi/testing.h>
#include <rtdm/uapi/udd.h>
#include <xenomai/version.h>

#if XENO_VERSION_CODE < XENO_VERSION(3, 0, 0)
#error an older release
#endif

struct __packed wire {
	char kind;
	int value;
};

static sem_t posts; /* alchemy/task.h has what declares it, bool and FILE */
static bool is_told;
static FILE *told;
static __u32 cpu; /* <rtdm/...> have Linux's types */
static atomic_t count = ATOMIC_INIT(1);
static atomic_long_t total = ATOMIC_INIT(0);

int main(void)
{
	ticks_t before = clockobj_get_ns();
	char bytes[8];
	int fd;

	assert(!sem_init(&posts, 0, 0));
	is_told = !told && !cpu && clockobj_get_ns() >= before;
	assert(is_told && _IOC_SIZE(RTTST_RTIOC_RTDM_ACTOR_GET_CPU) == sizeof(cpu));
	atomic_set(&count, 2);
	atomic_long_set(&total, __align_to(5, 8));
	smp_mb();
	if (rt_dev_open("/dev/rtdm/gpio0", O_RDWR) != -1)
		return 1;
	printf("%s, ", strerror(errno));
	if (atomic_add_fetch(&count, 3) != 5 || atomic_sub_fetch(&count, 1) != 4 ||
	    atomic_cmpxchg(&count, 4, 3) != 4 || atomic_long_read(&total) != 8 ||
	    sizeof(struct wire) != 5 || XNTRAPSW != XNWARN || !GPIO_RTIOC_REQS)
		return 2;
	fd = rt_dev_open("/dev/zero", O_RDONLY);
	if (rt_dev_read(fd, bytes, sizeof(bytes)) != 8 || rt_dev_close(fd) ||
	    rt_dev_ioctl(fd, RTIOC_DEVICE_INFO, bytes) != -1 || errno != EBADF)
		return 3;
	printf("%d, %lld ticks\n", atomic_read(&count), (long long)cobalt_ns_to_ticks(2));
	return 0;
}
