/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The watchdog of RTAI: not here. */
#error "rtai_wd.h: the watchdog of RTAI is not here; that of Tactus stops tasks that keep a CPU (tact_config.watchdog_ms)"
