// SPDX-License-Identifier: GPL-2.0-only
// The name of del_timer_sync() (6.2, and stable kernels).
// about: timer_delete_sync
#include <linux/timer.h>

int probe(struct timer_list *timer);
int probe(struct timer_list *timer)
{
	return timer_delete_sync(timer);
}
