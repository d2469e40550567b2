/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Memory that real-time code uses is locked where the thread back end locks it, and here that
 * means: pinned, and mapped on the cores. */
#include "bare.h"

#include "back_end.h"
#include "device.h"

/* Before there are cores the start has it all mapped. */
bool backend_memory_lock(void *memory, size_t bytes)
{
	return bare_program.device < 0 || !device_add(memory, bytes, NULL);
}
