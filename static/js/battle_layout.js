// Switches the page to the layout for scripts before it is drawn, so that nothing moves when the
// scripts start. A classic script, because a module would run too late. If a script cannot be
// fetched, it restores the layout without scripts.

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
