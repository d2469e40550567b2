# SPDX-License-Identifier: LGPL-2.1-or-later
"""Reports in the layout of a browser on a phone, 390 px wide; skipped without a browser."""

from __future__ import annotations

import html
import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import lab_factory
import measure_factory
import pytest

from tactus.lab.report import page as lab_page
from tactus.lab.results import load
from tactus.measure import document, manifest
from tactus.report import page as measure_page

BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("chrome")
PHONE_PX = 390
LEAST_TEXT_PX = 7.0
"""The scale of pictures, whose captions are also small in print."""
LOOK = """
<body style="margin:0"><iframe id="page" src="page.html" style="width:%dpx;height:900px;border:0">
</iframe><pre id="found"></pre><script>
page.onload = () => {
  const made = page.contentDocument, view = page.contentWindow;
  const found = {wide: [], heads: [], texts: []};
  made.querySelectorAll("details").forEach(one => one.open = true);
  found.page = made.documentElement.scrollWidth;
  for (const one of made.querySelectorAll("body *")) {
    const place = one.getBoundingClientRect();
    if (place.width && place.right > %d && !one.closest(".tip, pre"))
      found.wide.push(one.outerHTML.slice(0, 80));
  }
  for (const one of made.querySelectorAll("td[data-head]")) {
    const shown = view.getComputedStyle(one).display !== "none";
    const head = one.dataset.head && view.getComputedStyle(one, "::before").content !== "none";
    if (shown && head && !one.textContent.trim()) found.heads.push(one.dataset.head);
  }
  for (const one of made.querySelectorAll("img"))
    found.texts.push(one.getBoundingClientRect().width / one.naturalWidth);
  document.getElementById("found").textContent = JSON.stringify(found);
};
</script></body>
"""

pytestmark = pytest.mark.skipif(BROWSER is None, reason="no chromium")


def seen(folder: Path, page: str) -> dict[str, Any]:
    """What the browser found: too wide, heads without a figure, scale of the pictures."""
    (folder / "page.html").write_text(page, encoding="utf-8")
    (folder / "look.html").write_text(LOOK % (PHONE_PX, PHONE_PX), encoding="utf-8")
    command = [
        str(BROWSER),
        *("--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"),
        *("--allow-file-access-from-files", "--virtual-time-budget=5000", "--dump-dom"),
        f"--user-data-dir={folder / 'profile'}",
        f"file://{folder / 'look.html'}",
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    text = re.search(r'<pre id="found">(.*?)</pre>', done.stdout, re.S)
    assert text is not None and text[1], done.stderr[-2000:]
    found: dict[str, Any] = json.loads(html.unescape(text[1]))
    return found


def measured() -> str:
    made = measure_factory.usual()
    facts = manifest.collect(Path("/"), 1, ["measure"], {})
    return measure_page.render(document.make(made, facts, 1))


def compared(folder: Path) -> str:
    lab_factory.save(folder, lab_factory.default_plan(count=200))
    return lab_page.render(lab_page.make(load([folder])))


def without_script(page: str) -> str:
    """A browser with its script switched off."""
    page = re.sub(r"<script.*?</script>", "", page, flags=re.S)
    return re.sub(r"</?noscript>", "", page).replace("noscript img", "figure img")


@pytest.mark.parametrize("script", [True, False])
@pytest.mark.parametrize("report", ["measure", "lab"])
def test_report_fits_a_phone_and_every_head_has_its_figure(
    tmp_path: Path, report: str, script: bool
) -> None:
    (tmp_path / "results").mkdir()
    text = measured() if report == "measure" else compared(tmp_path / "results")
    found = seen(tmp_path, text if script else without_script(text))
    assert found["wide"] == []
    assert found["page"] <= PHONE_PX
    assert found["heads"] == []
    # Pictures have captions of 7 and 9 points, which are 1.33 px at their own size.
    assert bool(found["texts"]) is not script
    assert min(found["texts"], default=1) * 7 * 96 / 72 >= LEAST_TEXT_PX
