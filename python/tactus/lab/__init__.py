# SPDX-License-Identifier: LGPL-2.1-or-later
"""The laboratory: the same instruments on many kernels, and the statements of their results."""
