// SPDX-License-Identifier: LGPL-2.1-or-later
// Draws the charts of a report as SVG: log and linear axes, steps, bars and dots; drag to zoom,
// double-click to see all, point for values, click a name to hide its line. No other file is needed.
"use strict";
(() => {
const NS = "http://www.w3.org/2000/svg";
const DASHES = ["", "8 4", "", "3 3", "10 3 2 3", "", "5 2", "1 4"];
const UNITS = [[1e9, "s"], [1e6, "ms"], [1e3, "µs"], [1, "ns"]];

function element(parent, name, attributes, text) {
  const node = document.createElementNS(NS, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  if (text !== undefined) node.textContent = text;
  parent.append(node);
  return node;
}

function html(parent, name, className, text) {
  const node = document.createElement(name);
  node.className = className;
  if (text !== undefined) node.textContent = text;
  parent.append(node);
  return node;
}

const tidy = (number) => String(Number(number.toPrecision(3)));

function format(value, unit) {
  if (unit === "s") return `${tidy(value)} s`;
  if (unit === "") return `${tidy(value * 100)} %`;
  const [scale, name] = UNITS.find(([size]) => value >= size) || [1, "ns"];
  return `${tidy(value / scale)} ${name}`;
}

function axis(spec, range, pixels) {
  const log = spec.scale === "log";
  const forward = log ? Math.log10 : (value) => value;
  const [low, high] = range.map(forward);
  const span = high - low || 1;
  const place = (value) => pixels[0] + (forward(value) - low) / span * (pixels[1] - pixels[0]);
  const value = (pixel) => {
    const position = low + (pixel - pixels[0]) / (pixels[1] - pixels[0]) * span;
    return log ? 10 ** position : position;
  };
  return { place, value, ticks: log ? logTicks(range) : linearTicks(range) };
}

function logTicks([low, high]) {
  const ticks = [];
  const decades = Math.log10(high / low);
  const factors = decades > 3 ? [1] : decades > 1 ? [1, 2, 5] : [1, 1.5, 2, 3, 4, 5, 6, 7, 8, 9];
  for (let power = Math.floor(Math.log10(low)); power <= Math.log10(high); power++)
    for (const factor of factors) ticks.push(factor * 10 ** power);
  return ticks.filter((tick) => tick >= low * 0.999 && tick <= high * 1.001);
}

function linearTicks([low, high]) {
  const rough = (high - low) / 6 || 1;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough);
  const ticks = [];
  for (let tick = Math.ceil(low / step) * step; tick <= high; tick += step) ticks.push(tick);
  return ticks;
}

class Chart {
  constructor(figure, spec) {
    Object.assign(this, { figure, spec, zoomed: null, hiddenNames: new Set() });
    html(figure, "h3", "", spec.title);
    this.reset = html(figure, "button", "reset", "show all");
    this.reset.hidden = true;
    this.reset.onclick = () => this.zoom(null);
    this.svg = element(figure, "svg", { role: "img", "aria-label": `${spec.title}: ${spec.series.map((s) => s.name).join(", ")}` });
    this.tip = html(figure, "div", "tip");
    this.tip.hidden = true;
    this.legend();
    this.listen();
    new ResizeObserver(() => this.draw()).observe(figure);
  }

  legend() {
    const list = html(this.figure, "div", "legend");
    for (const series of this.spec.series) {
      const button = html(list, "button", "");
      button.type = "button";
      button.setAttribute("aria-pressed", "true");
      const sample = element(button, "svg", { viewBox: "0 0 26 10", "aria-hidden": "true" });
      if (series.kind === "dots") this.mark(sample, series, 13, 5);
      else element(sample, "path", { d: "M0 5H26", ...this.stroke(series) });
      button.append(series.name);
      button.onclick = () => {
        const hide = !this.hiddenNames.delete(series.name) && this.hiddenNames.add(series.name);
        button.setAttribute("aria-pressed", String(!hide));
        this.draw();
      };
    }
  }

  // A style has a dash of its own; where one colour stands for several lines, they name theirs.
  stroke({ style, dash = style }) {
    return { class: "line", style: `stroke:var(--s${style})`, "stroke-dasharray": DASHES[dash] };
  }

  // Three shapes in turn, so that neighbours differ without colour.
  mark(parent, { style, mark = style }, x, y) {
    const d = [`M${x - 2.5} ${y}a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0 -5 0`, `M${x - 3} ${y + 2.5}h6l-3-6z`,
      `M${x - 2.3} ${y - 2.3}h4.6v4.6h-4.6z`][mark % 3];
    element(parent, "path", { d, style: `fill:var(--s${style})`, "fill-opacity": 0.75 });
  }

  visible() {
    return this.spec.series.filter((series) => !this.hiddenNames.has(series.name));
  }

  ranges() {
    const xs = [], ys = [];
    for (const { kind, points } of this.visible()) for (const point of points) {
      const inside = !this.zoomed || (point[0] <= this.zoomed[1] && point[kind === "bars" ? 1 : 0] >= this.zoomed[0]);
      if (!inside) continue;
      xs.push(point[0], kind === "bars" ? point[1] : point[0]);
      ys.push(kind === "bars" ? point[2] : point[1]);
    }
    return [this.zoomed || this.widen(xs, this.spec.x), this.widen(ys, this.spec.y)];
  }

  widen(values, spec) {
    if (values.length === 0) return spec.scale === "log" ? [1, 10] : [0, 1];
    let low = values.reduce((a, b) => Math.min(a, b)), high = values.reduce((a, b) => Math.max(a, b));
    if (spec.scale !== "log") return [Math.min(0, low), high || 1];
    if (spec.unit === "" && high > 0.5) return [low / 1.3, 1];
    return [low / 1.15, high * 1.3];
  }

  draw() {
    const width = this.figure.clientWidth;
    if (width < 50) return;
    const height = Math.min(380, Math.max(240, width * 0.42));
    const box = { left: 62, right: width - 24, top: 10, bottom: height - 42 };
    const [xRange, yRange] = this.ranges();
    const x = axis(this.spec.x, xRange, [box.left, box.right]);
    const y = axis(this.spec.y, yRange, [box.bottom, box.top]);
    Object.assign(this, { box, x, y });
    this.svg.replaceChildren();
    this.svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.axes(width, height);
    const id = `clip${Chart.count = (Chart.count || 0) + 1}`;
    const clip = element(this.svg, "clipPath", { id });
    element(clip, "rect", { x: box.left, y: box.top - 3, width: box.right - box.left, height: box.bottom - box.top + 3 });
    const plot = element(this.svg, "g", { "clip-path": `url(#${id})` });
    for (const series of this.visible()) this.plot(plot, series);
    this.line = element(this.svg, "path", { class: "cursor", d: "" });
    this.area = element(this.svg, "rect", { class: "zoom", y: box.top, height: box.bottom - box.top, width: 0, x: 0 });
  }

  axes(width, height) {
    const { box, x, y } = this;
    let free = -Infinity;
    for (const tick of x.ticks) {
      const at = x.place(tick);
      element(this.svg, "path", { class: "grid", d: `M${at} ${box.top}V${box.bottom}` });
      if (at < free) continue;
      free = at + 52;
      element(this.svg, "text", { x: at, y: box.bottom + 16, "text-anchor": "middle" }, format(tick, this.spec.x.unit));
    }
    for (const tick of y.ticks) {
      const at = y.place(tick);
      element(this.svg, "path", { class: "grid", d: `M${box.left} ${at}H${box.right}` });
      element(this.svg, "text", { x: box.left - 6, y: at + 4, "text-anchor": "end" }, format(tick, this.spec.y.unit));
    }
    element(this.svg, "text", { x: (box.left + box.right) / 2, y: height - 6, "text-anchor": "middle" }, this.spec.x.label);
  }

  plot(parent, series) {
    const { kind, points } = series;
    const { x, y, box } = this;
    if (kind === "dots") {
      for (const point of points) this.mark(parent, series, x.place(point[0]), y.place(point[1]));
      return;
    }
    let d = "";
    if (kind === "steps") {
      // Down at each value: the share stays until the next longer latency.
      points.forEach(([value, share], i) => {
        d += i === 0 ? `M${box.left} ${y.place(share)}H${x.place(value)}` : `V${y.place(share)}H${x.place(value)}`;
      });
      if (points.length) d += `V${box.bottom}`;
    } else {
      let end = null;
      for (const [low, high, share] of points) {
        if (low !== end) d += (end === null ? "" : `V${box.bottom}`) + `M${x.place(low)} ${box.bottom}`;
        d += `V${y.place(share)}H${x.place(high)}`;
        end = high;
      }
      if (end !== null) d += `V${box.bottom}`;
    }
    element(parent, "path", { d, ...this.stroke(series) });
  }

  listen() {
    let from = null;
    const at = (event) => {
      const place = event.clientX - this.svg.getBoundingClientRect().left;
      return Math.min(this.box.right, Math.max(this.box.left, place));
    };
    this.svg.onpointerdown = (event) => { from = at(event); };
    this.svg.onpointermove = (event) => {
      const to = at(event);
      if (from !== null) {
        this.area.setAttribute("x", Math.min(from, to));
        this.area.setAttribute("width", Math.abs(to - from));
      }
      this.point(to, event);
    };
    this.svg.onpointerup = (event) => {
      const to = at(event);
      if (from !== null && Math.abs(to - from) > 8) this.zoom([from, to].sort((a, b) => a - b).map(this.x.value));
      from = null;
    };
    this.svg.onpointerleave = () => {
      from = null;
      this.tip.hidden = true;
      this.line.setAttribute("d", "");
      this.area.setAttribute("width", 0);
    };
    this.svg.ondblclick = () => this.zoom(null);
  }

  zoom(range) {
    this.zoomed = range;
    this.reset.hidden = range === null;
    this.draw();
  }

  valueAt({ kind, points }, value) {
    if (kind === "bars") return (points.find(([low, high]) => low <= value && value < high) || [0, 0, 0])[2];
    if (kind === "steps") return (points.find(([own]) => own >= value) || [0, 0])[1];
    const near = points.reduce((best, point) => Math.abs(point[0] - value) < Math.abs(best[0] - value) ? point : best, points[0]);
    return near ? near[1] : 0;
  }

  point(pixel, event) {
    const value = this.x.value(pixel);
    this.line.setAttribute("d", `M${pixel} ${this.box.top}V${this.box.bottom}`);
    this.tip.replaceChildren();
    html(this.tip, "b", "", format(value, this.spec.x.unit));
    for (const series of this.visible())
      html(this.tip, "div", "", `${series.name}: ${format(this.valueAt(series, value), this.spec.y.unit)}`)
        .style.color = `var(--s${series.style})`;
    this.tip.hidden = false;
    const inside = event.clientY - this.figure.getBoundingClientRect().top;
    const room = this.figure.clientWidth - pixel;
    this.tip.style.left = room > 230 ? `${pixel + 12}px` : `${Math.max(0, pixel - this.tip.offsetWidth - 12)}px`;
    this.tip.style.top = `${inside + 12}px`;
  }
}

for (const figure of document.querySelectorAll("figure.chart"))
  new Chart(figure, JSON.parse(figure.querySelector("script").textContent));
addEventListener("beforeprint", () => {
  for (const details of document.querySelectorAll("details")) details.open = true;
});
})();
