/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A part of pSOSystem that is not here. */
#error "phile.h: pHILE+ (the file system) is not here: use the files of Linux, <stdio.h> and <fcntl.h>"
