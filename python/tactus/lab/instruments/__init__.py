# SPDX-License-Identifier: LGPL-2.1-or-later
"""How the laboratory calls each instrument, and one strict reader of each one's output."""

from tactus.lab.instruments.recipes import RECIPES, Recipe, recipe
from tactus.lab.instruments.text import OutputError

__all__ = ["RECIPES", "OutputError", "Recipe", "recipe"]
