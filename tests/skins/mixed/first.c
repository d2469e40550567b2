/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The skins of the first program. */
#include "mixed.h"

const struct mixed_skin *const mixed_skins[] = {
	&mixed_alchemy, &mixed_vxworks, &mixed_psos, &mixed_uitron, NULL,
};
