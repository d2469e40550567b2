/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Caches: not here. */
#error "cacheLib.h: Control of caches is not here; memory of <tactus/device.h> needs none"
