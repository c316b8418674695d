// The star map: pan and zoom by mouse, touch, buttons and keys; which hex a point is in; outlines of hexes.

const frame = document.querySelector("[data-map-frame]");
const svg = frame?.querySelector("[data-starmap]");

export const map = svg ? begin() : null;

function begin() {
  const { side, height, margin, columns, rows } = Object.fromEntries(
    Object.entries(svg.dataset).map(([key, value]) => [key, Number(value)]),
  );
  const step = side * 1.5;
  svg.style.overflow = "hidden"; // before svg-pan-zoom would write a style attribute, which the CSP forbids
  const wanted = svg.dataset.focus.split(" ").map(Number);
  const zoom = window.svgPanZoom(svg, {
    zoomEnabled: true, controlIconsEnabled: false, fit: true, center: true, dblClickZoomEnabled: false,
    mouseWheelZoomEnabled: false, minZoom: 1, maxZoom: 8, zoomScaleSensitivity: 0.3,
    customEventsHandler: { haltEventListeners: ["touchstart", "touchmove", "touchend", "touchleave", "touchcancel"], init: touch, destroy() {} },
    beforePan: inside,
  });
  const room = frame.querySelector("[data-map-window]");
  const layer = svg.querySelector(".svg-pan-zoom_viewport");

  // A map larger than its window fills it; a smaller one stands in its middle.
  function inside(_, next) {
    const sizes = zoom?.getSizes() ?? this.getSizes();
    const held = (room, map, at) => (map <= room ? (room - map) / 2 : Math.max(room - map, Math.min(0, at)));
    return {
      x: held(sizes.width, sizes.viewBox.width * sizes.realZoom, next.x),
      y: held(sizes.height, sizes.viewBox.height * sizes.realZoom, next.y),
    };
  }

  function look(x, y, scale) {
    zoom.zoom(scale);
    const sizes = zoom.getSizes();
    zoom.pan({ x: sizes.width / 2 - x * sizes.realZoom, y: sizes.height / 2 - y * sizes.realZoom });
  }

  function all() {
    zoom.resize();
    zoom.fit();
    zoom.center();
  }

  // One finger moves the map, two zoom it.
  function touch({ svgElement, instance }) {
    let last = null;
    const spots = (event) => {
      const box = svgElement.getBoundingClientRect();
      const points = Array.from(event.touches, (finger) => ({ x: finger.clientX - box.left, y: finger.clientY - box.top }));
      const x = points.reduce((sum, p) => sum + p.x, 0) / points.length;
      const y = points.reduce((sum, p) => sum + p.y, 0) / points.length;
      const spread = points.length > 1 ? Math.hypot(points[0].x - points[1].x, points[0].y - points[1].y) : 0;
      return { x, y, spread, count: points.length };
    };
    svgElement.addEventListener("touchstart", (event) => { last = spots(event); }, { passive: true });
    svgElement.addEventListener("touchmove", (event) => {
      const now = spots(event);
      if (last && last.count === now.count) {
        if (now.count > 1 && last.spread) instance.zoomAtPointBy(now.spread / last.spread, { x: now.x, y: now.y });
        instance.panBy({ x: now.x - last.x, y: now.y - last.y });
        event.preventDefault();
      }
      last = now;
    }, { passive: false });
    svgElement.addEventListener("touchend", (event) => { last = event.touches.length ? spots(event) : null; });
  }

  room.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && !room.matches(":focus-within")) return;
    event.preventDefault();
    const box = svg.getBoundingClientRect();
    zoom.zoomAtPointBy(event.deltaY < 0 ? 1.2 : 1 / 1.2, { x: event.clientX - box.left, y: event.clientY - box.top });
  }, { passive: false });

  const KEYS = { ArrowLeft: [60, 0], ArrowRight: [-60, 0], ArrowUp: [0, 60], ArrowDown: [0, -60] };
  room.addEventListener("keydown", (event) => {
    if (event.target !== room || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key in KEYS) zoom.panBy({ x: KEYS[event.key][0], y: KEYS[event.key][1] });
    else if (event.key === "+" || event.key === "=") zoom.zoomIn();
    else if (event.key === "-") zoom.zoomOut();
    else if (event.key === "0") all();
    else return;
    event.preventDefault();
  });

  const tools = frame.querySelector("[data-map-tools]");
  tools.hidden = false;
  tools.addEventListener("click", (event) => {
    const what = event.target.closest("[data-zoom]")?.dataset.zoom;
    if (what === "in") zoom.zoomIn();
    if (what === "out") zoom.zoomOut();
    if (what === "all") all();
  });
  window.addEventListener("resize", () => { zoom.resize(); });
  if (room.clientWidth < 560 && wanted.length === 2) look(wanted[0], wanted[1], Math.max(1, 0.95 / zoom.getSizes().realZoom));

  const centre = (label) => {
    const column = Number(label.slice(0, 2));
    const row = Number(label.slice(2));
    return [margin + side + step * (column - 1), margin + height / 2 + height * (row - 1) + (column % 2 ? 0 : height / 2)];
  };
  const label = (column, row) => String(column).padStart(2, "0") + String(row).padStart(2, "0");

  return {
    svg,
    centre,
    says(words) { frame.querySelector("[data-map-says]").textContent = words; },
    outline: (labels) => labels.map((each) => {
      const [x, y] = centre(each);
      return `M${x + side} ${y}l-12 21h-24l-12-21 12-21h24z`;
    }).join(""),
    way: (labels) => `M${labels.map((each) => centre(each).join(" ")).join(" ")}`,
    // The hex of a pointer event, or null beside the map.
    hexAt(event) {
      const spot = new DOMPoint(event.clientX, event.clientY).matrixTransform(layer.getScreenCTM().inverse());
      const guess = Math.round((spot.x - margin - side) / step) + 1;
      let best = null;
      for (let column = Math.max(1, guess - 1); column <= Math.min(columns, guess + 1); column++) {
        const shift = column % 2 ? 0 : height / 2;
        const row = Math.round((spot.y - margin - height / 2 - shift) / height) + 1;
        if (row < 1 || row > rows) continue;
        const [x, y] = centre(label(column, row));
        const far = Math.hypot(spot.x - x, spot.y - y);
        if (far < side && (!best || far < best.far)) best = { label: label(column, row), far };
      }
      return best?.label ?? null;
    },
  };
}
