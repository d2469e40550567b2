# SPDX-License-Identifier: LGPL-2.1-or-later
"""The configurator of µITRON 4.0: static API in, the C source that makes the objects out."""
