// Orders by clicking the map: choose a fleet, see its reach, click where it goes. All of it ends in the form's own fields.

import { map } from "./starmap.js";

const form = document.querySelector("form[data-orders]");
const blocks = form ? Array.from(form.querySelectorAll("[data-fleet]")) : [];
let chosen = null;
let dirty = false;

const move = (block) => block.querySelector("[data-move]");
const path = (block) => block.querySelector("[data-path]");
const title = (block) => block.dataset.name || block.querySelector("input[name^='name-']")?.value || "New fleet";

function reach(block) {
  const list = move(block);
  return list ? Array.from(list.querySelectorAll("option[data-steps]"), (option) => [option.value, Number(option.dataset.steps)]) : [];
}

function legs(block) {
  const by = path(block)?.value.match(/\d{4}/g);
  const to = move(block)?.value;
  return by?.length ? by : to ? [to] : [];
}

function draw() {
  if (!map) return;
  const ways = blocks.map((block) => [block.dataset.hex, ...legs(block)]).filter((way) => way.length > 1);
  map.svg.querySelector("[data-way]").setAttribute("d", ways.map(map.way).join(""));
  for (const old of map.svg.querySelectorAll(".ways > :not([data-way])")) old.remove();
  map.svg.querySelector("[data-reach]").setAttribute("d", chosen ? map.outline(reach(chosen).map(([hex]) => hex)) : "");
}

// Whether the map stays in sight while the form scrolls. On a phone it would go, and with it where one clicks next.
function beside() {
  return getComputedStyle(map.svg.closest(".stay") ?? map.svg).position === "sticky";
}

function choose(block, scroll = true) {
  chosen?.classList.remove("chosen");
  chosen = block;
  chosen.classList.add("chosen");
  if (scroll) {
    for (let up = block.parentElement; up; up = up.parentElement) if (up.tagName === "DETAILS") up.open = true;
    if (beside()) block.scrollIntoView({ block: "nearest" });
  }
  const stays = reach(block).length === 0;
  map?.says(stays ? `${title(block)} stays where it is.` : `${title(block)}: click where it goes, or hold Shift and click every hex of its path.`);
  draw();
}

function send(block, hex, stepwise) {
  const list = move(block);
  const steps = new Map(reach(block));
  if (!list) return map.says(`${title(block)} cannot move.`);
  if (hex === block.dataset.hex && !stepwise) {
    list.value = "";
    path(block).value = "";
    map.says(`${title(block)} stays.`);
  } else if (stepwise) {
    path(block).value = [...(path(block).value.match(/\d{4}/g) ?? []), hex].join(" ");
    list.value = "";
    map.says(`${title(block)} goes by ${path(block).value}.`);
  } else if (steps.has(hex)) {
    list.value = hex;
    path(block).value = "";
    map.says(`${title(block)} goes to ${list.selectedOptions[0].textContent.trim()}.`);
  } else {
    return map.says(`${hex} is out of ${title(block)}'s reach this week.`);
  }
  changed();
}

function changed() {
  dirty = true;
  const state = form.querySelector(".seal-bar .state");
  if (state) state.textContent = "Changed, not saved yet.";
  draw();
}

if (form) {
  form.addEventListener("input", changed);
  form.addEventListener("focusin", (event) => {
    const block = event.target.closest("[data-fleet]");
    if (block && block !== chosen) choose(block, false);
  });
  form.addEventListener("submit", () => { dirty = false; });
  window.addEventListener("beforeunload", (event) => { if (dirty) event.preventDefault(); });
}

if (map && blocks.length) {
  let down = null;
  map.svg.addEventListener("pointerdown", (event) => { down = [event.clientX, event.clientY]; });
  map.svg.addEventListener("click", (event) => {
    const dragged = down && Math.hypot(event.clientX - down[0], event.clientY - down[1]) > 6;
    const stack = event.target.closest("[data-stack]");
    if (stack) event.preventDefault();
    if (dragged) return;
    const hex = map.hexAt(event);
    const here = blocks.filter((block) => block.dataset.hex === (stack?.dataset.stack ?? hex) && !block.classList.contains("new"));
    if (chosen && hex && (event.shiftKey || !stack)) send(chosen, hex, event.shiftKey); // a flag chooses, a hex sends
    else if (here.length) choose(here[(here.indexOf(chosen) + 1) % here.length]);
    else if (hex) map.says("Choose one of your fleets first.");
  });
  const cursor = map.svg.querySelector("[data-cursor]");
  map.svg.addEventListener("pointermove", (event) => {
    const hex = map.hexAt(event);
    cursor.setAttribute("visibility", hex ? "visible" : "hidden");
    if (hex) cursor.setAttribute("transform", `translate(${map.centre(hex).join(" ")})`);
  });
  draw();
}

// Force building: points and classifications counted while one types. The server counts again.
const deploy = form?.matches("[data-deploy]") ? form : null;

// A number on the page with the noun beside it.
function tell(number, many) {
  number.textContent = many;
  const noun = number.nextElementSibling;
  if (noun?.matches("[data-noun]")) noun.textContent = many === 1 ? noun.dataset.one : noun.dataset.more;
}

function count() {
  const kinds = {};
  let jumpers = 0;
  const decoy = Number(deploy.dataset.decoyPoints);
  for (const purse of deploy.querySelectorAll("[data-purse]")) {
    let spent = 0;
    for (const fleet of purse.querySelectorAll("[data-planned]")) {
      let ships = 0;
      let cost = decoy * (Number(fleet.querySelector("[data-decoys]")?.value) || 0);
      const away = fleet.querySelector("input[name^='drop-']").checked;
      for (const row of fleet.querySelectorAll("[data-row]")) {
        const option = row.querySelector("[data-class]").selectedOptions[0];
        const many = Number(row.querySelector("[data-many]").value) || 0;
        if (!option?.value) continue;
        ships += many;
        cost += many * Number(option.dataset.points);
        if (purse.dataset.ftl !== "none" && !away) {
          kinds[option.dataset.kind] = (kinds[option.dataset.kind] ?? 0) + many;
          jumpers += many;
        }
      }
      tell(fleet.querySelector("[data-ships]"), ships);
      fleet.querySelector("[data-cost]").textContent = cost;
      if (!away) spent += cost;
    }
    const points = Number(purse.dataset.points);
    purse.querySelector("[data-spent]").textContent = spent;
    purse.querySelector("[data-left]").textContent = points - spent;
    purse.querySelector("[data-sum]").classList.toggle("over", spent > points);
    purse.querySelector("progress").value = spent;
  }
  const [part, whole] = deploy.dataset.limit.split("/").map(Number);
  for (const share of deploy.querySelectorAll("[data-share]")) {
    const many = kinds[share.dataset.share] ?? 0;
    tell(share.querySelector("[data-count]"), many);
    share.classList.toggle("over", jumpers > 2 && many * whole > part * jumpers);
  }
}

if (deploy) {
  deploy.addEventListener("input", count);
  count();
}
