/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Symbols for modules that are loaded later: all that are not static. */
#ifndef TACTUS_RTAI_LINUX_EXPORT_H
#define TACTUS_RTAI_LINUX_EXPORT_H

#define EXPORT_SYMBOL(symbol)        _Static_assert(sizeof(&symbol), #symbol)
#define EXPORT_SYMBOL_GPL(symbol)    EXPORT_SYMBOL(symbol)
#define EXPORT_SYMBOL_NOVERS(symbol) EXPORT_SYMBOL(symbol)
#define EXPORT_NO_SYMBOLS            _Static_assert(1, "")

#endif
