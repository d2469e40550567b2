/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Files of other machines: not here. */
#error "nfsLib.h: File systems are not here; use files of Linux"
