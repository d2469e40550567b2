/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The three names of each function of functions.def: see cobalt/wrappers.h. A function that this
 * skin or the POSIX skin serves has its own __wrap_f(), which replaces the weak one here.
 */
#define FORWARD(f, c)                                          \
	__asm__(".text\n"                                      \
		".globl __real_" #f "\n"                       \
		".type __real_" #f ", @function\n"             \
		"__real_" #f ":\n"                             \
		"\tjmp " #c "@PLT\n"                           \
		".size __real_" #f ", . - __real_" #f "\n"     \
		".globl __cobalt_" #f "\n"                     \
		".type __cobalt_" #f ", @function\n"           \
		"__cobalt_" #f ":\n"                           \
		"\tjmp __wrap_" #f "@PLT\n"                    \
		".size __cobalt_" #f ", . - __cobalt_" #f "\n" \
		".weak __wrap_" #f "\n"                        \
		".type __wrap_" #f ", @function\n"             \
		"__wrap_" #f ":\n"                             \
		"\tjmp " #c "@PLT\n"                           \
		".size __wrap_" #f ", . - __wrap_" #f);
#define COBALT_FUNCTION(f, names, before)       FORWARD(f, f)
#define COBALT_FUNCTION_AS(f, c, names, before) FORWARD(f, c)
#include "functions.def"
