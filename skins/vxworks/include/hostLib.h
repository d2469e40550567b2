/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Names of hosts: not here. */
#error "hostLib.h: A table of hosts is not here; use <netdb.h> of Linux"
