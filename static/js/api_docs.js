// Lets keys reach the boxes of the API's documentation (Swagger) that scroll.

import { findAll } from "./dom.js";

const BOXES = "pre:not([tabindex]), .microlight:not([tabindex])";
const sheets = document.getElementById("swagger-ui");

if (sheets) {
  const makeReachable = () => {
    for (const box of findAll(sheets, BOXES, HTMLElement)) {
      box.tabIndex = 0;
    }
  };
  new MutationObserver(makeReachable).observe(sheets, { childList: true, subtree: true });
}
