// Tracks which rows of a long list of fleets are visible, as only these are drawn completely.
// Loaded if a player has many fleets.

const MARGIN = "300px"; // rows this far above and below the visible part count as visible

/**
 * Keep a set of the visible sections up to date.
 * @param {HTMLElement} list the list of sections; if it does not scroll, the page does
 * @param {HTMLElement[]} sections
 * @param {Set<Element>} visible
 * @param {(section: Element) => void} onChange called with each section that appears or disappears
 */
export function watchVisibility(list, sections, visible, onChange) {
  const scrolls = getComputedStyle(list).overflowY !== "visible";
  const options = { root: scrolls ? list : null, rootMargin: `${MARGIN} 0px` };
  const observer = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      if (isIntersecting) {
        visible.add(target);
      } else {
        visible.delete(target);
      }
      onChange(target);
    }
  }, options);
  for (const section of sections) {
    observer.observe(section);
  }
}
