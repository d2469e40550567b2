/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Pages: not here. */
#error "vmLib.h: Control of pages is not here; use mprotect() of Linux"
