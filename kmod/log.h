/* SPDX-License-Identifier: GPL-2.0-only */
/* Included before everything else (Kbuild): what the module prints begins with its name. */
#define pr_fmt(fmt) "tactus: " fmt
