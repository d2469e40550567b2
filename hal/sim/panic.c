/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The end of a simulation that cannot go on. */

#include "panic.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "hal/hal.h"
#include "hal/sim.h"
#include "trace.h"

void hal_panic(const char *record)
{
	size_t length = strlen(record);
	bool named = !strncmp(record, "tactus: ", 8);

	sim_trace_stop();
	fflush(NULL);
	if (!named)
		hal_print("tactus: ", 8);
	hal_print(record, length);
	if (!length || record[length - 1] != '\n')
		hal_print("\n", 1);
	_exit(HAL_SIM_EXIT_PANIC);
}

/* In virtual time both ends have the same exit status. */
void hal_end_program(const char *record, enum hal_fault_cause cause)
{
	(void)cause;
	hal_panic(record);
}

void sim_panicf(const char *format, ...)
{
	char record[512];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(record, sizeof(record), format, arguments);
	va_end(arguments);
	hal_panic(record);
}
