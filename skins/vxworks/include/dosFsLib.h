/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* File systems: not here. */
#error "dosFsLib.h: File systems are not here; use files of Linux"
