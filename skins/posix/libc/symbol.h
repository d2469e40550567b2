/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The symbol of a C library's function here, for a function that is defined with other parameters
 * than in its header. Another skin has its own names for these functions, which are macros.
 */
#ifndef POSIX_SYMBOL_H
#define POSIX_SYMBOL_H

#define POSIX_QUOTED(name) #name
#define POSIX_SYMBOL(name) POSIX_QUOTED(name)

#endif
