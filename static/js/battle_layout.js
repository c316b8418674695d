// Lays the page out for its scripts before anything of it is drawn, so that nothing moves when they
// start. It runs while the page is read, so it is no module. Where a script cannot be fetched, the
// page is laid out without.

{
  const frame = /** @type {HTMLElement} */ (document.querySelector(".frame"));
  const layout = (frame.dataset.live ?? "").split(" ").filter(Boolean);
  frame.classList.remove("flow");
  frame.classList.add(...layout);
  addEventListener(
    "error",
    (event) => {
      if (!(event.target instanceof HTMLScriptElement)) {
        return;
      }
      frame.classList.remove(...layout);
      frame.classList.add("flow");
    },
    true,
  );
}
