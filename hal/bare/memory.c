/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Memory that real-time code uses is locked in the same places as on the thread back end. Here that
 * means: it is pinned, and mapped on the cores. */
#include "bare.h"

#include "back_end.h"
#include "device.h"

/* Before there are cores this is not needed: the start maps all memory. */
bool backend_memory_lock(void *memory, size_t bytes)
{
	return bare_program.device < 0 || !device_add(memory, bytes, NULL);
}
