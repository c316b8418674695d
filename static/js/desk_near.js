// Where fleets are many, only rows in sight or nearly so have all their signs.

const NEARLY = "300px"; // above and below what is seen

/** Keep `near`, the sections in sight, and call `seen` with each that comes or goes. */
export function watch(list, sections, near, seen) {
  const scrolls = getComputedStyle(list).overflowY !== "visible";
  const options = { root: scrolls ? list : null, rootMargin: `${NEARLY} 0px` };
  const observer = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      if (isIntersecting) {
        near.add(target);
      } else {
        near.delete(target);
      }
      seen(target);
    }
  }, options);
  for (const section of sections) {
    observer.observe(section);
  }
}
