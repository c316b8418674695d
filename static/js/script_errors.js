// Says so where a script of the page could not be fetched. The first script of every page, and no
// module: it has to listen before the others are asked for. The page works without them, by its
// forms.

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
