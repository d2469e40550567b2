/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Memory of several processors: not here. */
#error "smMemLib.h: Shared memory of processors is not here; use memPartLib.h, for all are in one program"
