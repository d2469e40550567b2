/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* From a handler to another one, for which the frame is as Linux made it. */
#include "arch/self.h"

#include <stdint.h>

void hal_arch_signal_pass(const void *handler, void (*way_back)(void), int signal, siginfo_t *info,
			  void *ucontext)
{
	uintptr_t *const frame = (uintptr_t *)ucontext - 1;

	frame[0] = (uintptr_t)way_back;
	__asm__ volatile("movq %0, %%rsp\n\tjmp *%1"
			 :
			 : "r"(frame), "r"(handler), "D"(signal), "S"(info), "d"(ucontext), "a"(0)
			 : "memory");
	__builtin_unreachable();
}
