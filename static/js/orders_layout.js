// Gives the orders and deployment pages their layout for scripts before anything is drawn, so that
// nothing moves when the scripts start. Loaded at the start of the page's main part; not a module.

{
  const { classList } = document.body;
  classList.add("live");
  // If a script cannot be loaded, the page remains the plain form (script_errors.js says so).
  addEventListener(
    "error",
    ({ target }) => {
      if (target instanceof HTMLScriptElement) {
        classList.remove("live");
      }
    },
    true,
  );
}
