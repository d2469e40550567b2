/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Built without unwind tables: the unwinding of the stack stops here. For stopped.cpp. */
void without_unwind(void (*what)(void));

void without_unwind(void (*what)(void))
{
	what();
	/* No tail call: this frame stays on the stack. */
	__asm__ volatile("");
}
