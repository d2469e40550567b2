/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Notices of a run: no sentence is lost; if there is no room, it is printed at once. */
#include "common/notices.h"

#include <stdarg.h>
#include <stdio.h>

#include "common/complain.h"

void notices_add(struct notices *notices, const char *format, ...)
{
	char text[NOTICES_TEXT_SIZE];
	char *slot = notices->count < NOTICES_MAX ? notices->text[notices->count] : text;
	va_list arguments;

	va_start(arguments, format);
	(void)vsnprintf(slot, NOTICES_TEXT_SIZE, format, arguments);
	va_end(arguments);
	if (slot == text)
		complain("%s", text);
	else
		notices->count++;
}
