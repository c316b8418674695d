// Swagger's sheets have boxes that scroll: keys have to reach them.
const sheets = document.getElementById("swagger-ui");
const reach = () => {
  for (const box of sheets.querySelectorAll("pre:not([tabindex]), .microlight:not([tabindex])")) {
    box.tabIndex = 0;
  }
};
new MutationObserver(reach).observe(sheets, { childList: true, subtree: true });
