/* SPDX-License-Identifier: GPL-2.0-only */
/* Included before everything else (Kbuild): each message of the module begins with its name. */
#define pr_fmt(fmt) "tactus: " fmt
