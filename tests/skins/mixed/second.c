/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The skins of the second program, with µITRON 4.0. */
#include "mixed.h"

const struct mixed_skin *const mixed_skins[] = {
	&mixed_vxworks, &mixed_psos, &mixed_uitron, &mixed_vrtx, &mixed_rtai, NULL,
};
