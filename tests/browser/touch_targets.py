"""Controls of a page that are too small for a finger."""

from __future__ import annotations

from playwright.sync_api import Page

FINGER = 44  # pixels, both ways
# Everything that does something: links, buttons, fields, disclosures; a tick box with its label.
# Links in a sentence are as high as its lines (WCAG 2.5.8), and on maps and tables every tap near a
# mark chooses it. A control is large if what a finger hits that far above, below, left and right of
# its middle is still the control.
SMALL = """([finger, slack]) => {
  const controls = "a[href], button, input:not([type=hidden]), select, textarea, summary, [role=button]";
  const label = (one) => one.matches("[type=checkbox], [type=radio]") ? one.labels?.[0] ?? one : one;
  const alone = (link) => {
    if (!link.matches("a[href]") || getComputedStyle(link).display !== "inline") return true;
    for (const beside of link.parentElement.childNodes)
      if (beside !== link && (beside.nodeType === 3 ? /[\\p{L}\\p{N}]/u.test(beside.data) : beside.nodeType === 1
        && getComputedStyle(beside).display === "inline" && !beside.matches("a, button, .sr-only, svg, .emblem")
        && /[\\p{L}\\p{N}]/u.test(beside.textContent))) return false;
    return true;
  };
  const seen = (one) => one.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true })
    && getComputedStyle(one).pointerEvents !== "none";
  const half = finger / 2 - slack;
  const found = [];
  for (const control of document.querySelectorAll(controls)) {
    if (!seen(control) || control.disabled || !alone(control)) continue;
    if (control.closest("svg, .skip, [inert], .sr-only, .sr")) continue;
    const hit = label(control), box = hit.getBoundingClientRect();
    if (box.width < 2 || box.height < 2) continue;
    if (box.width >= finger - slack && box.height >= finger - slack) continue;
    hit.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
    const now = hit.getBoundingClientRect(), x = now.left + now.width / 2, y = now.top + now.height / 2;
    const same = (dx, dy) => {
      const at = document.elementFromPoint(x + dx, y + dy);
      return at !== null && (hit.contains(at) || control.contains(at) || at.closest("label")?.control === control);
    };
    const high = box.height >= finger - slack || same(0, -half) && same(0, half);
    const wide = box.width >= finger - slack || same(-half, 0) && same(half, 0);
    if (high && wide) continue;
    const words = (control.getAttribute("aria-label") ?? hit.innerText ?? "").trim().slice(0, 40) || control.name || "";
    found.push(`${control.tagName.toLowerCase()}${control.type ? "[" + control.type + "]" : ""}`
      + `.${[...control.classList].join(".")} “${words}” ${Math.round(box.width)}×${Math.round(box.height)} in `
      + `${control.parentElement.tagName.toLowerCase()}.${[...control.parentElement.classList].join(".")}`);
  }
  scrollTo(0, 0);
  return found;
}"""


def small(page: Page) -> list[str]:
    """Return every control that is too small for a finger, in words."""
    controls: list[str] = page.evaluate(SMALL, [FINGER, 0.6])
    return controls
