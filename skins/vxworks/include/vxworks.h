/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* For sources from hosts whose file names have no case. */
#include <vxWorks.h>
