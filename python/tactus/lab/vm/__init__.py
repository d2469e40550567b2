# SPDX-License-Identifier: LGPL-2.1-or-later
"""Linux guests in QEMU: the emulator, kernels, the first file system, and a boot with deadlines."""
