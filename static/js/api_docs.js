// Makes the scrolling boxes of the API documentation (Swagger) reachable by keyboard.

import { findAll } from "./dom.js";

const BOXES = "pre:not([tabindex]), .microlight:not([tabindex])";
const swagger = document.getElementById("swagger-ui");

if (swagger) {
  const makeReachable = () => {
    for (const box of findAll(swagger, BOXES, HTMLElement)) {
      box.tabIndex = 0;
    }
  };
  new MutationObserver(makeReachable).observe(swagger, { childList: true, subtree: true });
}
