// SPDX-License-Identifier: LGPL-2.1-or-later
// As the component frameworks are that found the native API of Xenomai 2 by <native/task.h> below a
// folder for headers, and got no options from xeno-config.
extern "C" {
#include <native/cond.h>
#include <native/mutex.h>
#include <native/sem.h>
#include <native/task.h>
#include <native/timer.h>
#include <xeno_config.h>
}

#include <cstdio>

#if CONFIG_XENO_VERSION_MAJOR * 1000 + CONFIG_XENO_VERSION_MINOR * 100 + \
		CONFIG_XENO_REVISION_LEVEL <                             \
	3300
#error an older release
#endif

int main()
{
	RT_MUTEX mutex;
	RT_MUTEX_INFO info;
	RT_TASK task;

	if (rt_task_shadow(&task, "found", 10, 0) || rt_mutex_create(&mutex, nullptr) ||
	    rt_mutex_acquire(&mutex, TM_INFINITE) || rt_mutex_inquire(&mutex, &info))
		return 1;
	std::printf("locked %d times\n", info.locked);
	return rt_mutex_release(&mutex) || rt_mutex_delete(&mutex) || rt_timer_ns2tsc(5) != 5;
}
