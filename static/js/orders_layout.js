// The first thing in the main part of the orders and the deployment, and no module: the page has
// the layout that its scripts want before anything is drawn, so that nothing moves when they begin.

{
  const { classList } = document.body;
  classList.add("live");
  // Where a script cannot be fetched, the page is the plain form (script_errors.js says so).
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
