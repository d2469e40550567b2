/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the symbol of a C library's function is here, for one that is defined with other parameters
 * than its header tells. Another skin has these functions under names of its own, which are macros.
 */
#ifndef POSIX_SYMBOL_H
#define POSIX_SYMBOL_H

#define POSIX_QUOTED(name) #name
#define POSIX_SYMBOL(name) POSIX_QUOTED(name)

#endif
