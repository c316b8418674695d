// Where fleets are many, only rows in sight or nearly so have all their signs.

const NEARLY = "300px"; // above and below what is seen

/**
 * Keep a set of the sections in sight.
 * @param {HTMLElement} list that scrolls, or the page does
 * @param {HTMLElement[]} sections
 * @param {Set<Element>} inSight
 * @param {(section: Element) => void} changed called with each that comes or goes
 */
export function watch(list, sections, inSight, changed) {
  const scrolls = getComputedStyle(list).overflowY !== "visible";
  const options = { root: scrolls ? list : null, rootMargin: `${NEARLY} 0px` };
  const observer = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      if (isIntersecting) {
        inSight.add(target);
      } else {
        inSight.delete(target);
      }
      changed(target);
    }
  }, options);
  for (const section of sections) {
    observer.observe(section);
  }
}
