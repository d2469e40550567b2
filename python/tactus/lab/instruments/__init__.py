# SPDX-License-Identifier: LGPL-2.1-or-later
"""The laboratory's calls of each instrument, and one strict reader for each output."""

from tactus.lab.instruments.recipes import RECIPES, Recipe, recipe
from tactus.lab.instruments.text import OutputError

__all__ = ["RECIPES", "OutputError", "Recipe", "recipe"]
