/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* stdio is the C library's. */
#ifndef VXWORKS_STDIOLIB_H
#define VXWORKS_STDIOLIB_H

#include <stdio.h>

#include <fioLib.h>
#include <vxWorks.h>

#endif
