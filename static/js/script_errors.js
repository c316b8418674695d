// Shows a notice when a script of the page cannot be loaded. This is the first script of every page
// and not a module, because it must listen before the others load. The page's forms work without
// scripts.

{
  const showNotice = () => {
    document.getElementById("script-lost")?.removeAttribute("hidden");
  };
  addEventListener(
    "error",
    (event) => {
      if (event.target instanceof HTMLScriptElement) {
        showNotice();
      }
    },
    true,
  );
  addEventListener("unhandledrejection", ({ reason }) => {
    if (reason instanceof TypeError && /import|module/i.test(reason.message)) {
      showNotice();
    }
  });
}
