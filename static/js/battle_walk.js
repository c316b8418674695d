// Fine work in a table of choices: arrows walk its cells, figures say how many of a group, a right click or a long press one fewer.

const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** `give` and `counts` as `battle_cells.js` has them. */
export function walking(helm, give, counts) {
  return (e) => {
    const cell = e.target.closest(".cell");
    if (e.type === "contextmenu") {
      const [set, able] = counts(cell);
      give(cell, set ? set - 1 : able);
    } else if (e.key in WAYS) {
      walk(helm, cell, WAYS[e.key]);
    } else {
      give(cell, Number(e.key));
    }
  };
}

function walk(helm, cell, [dx, dy]) {
  // over cells in which nothing may be said
  const grid = [...helm.querySelectorAll("tbody tr")].map((tr) =>
    [...tr.children].map((td) => td.querySelector(".cell")),
  );
  let y = grid.findIndex((row) => row.includes(cell));
  let x = grid[y]?.indexOf(cell);
  do {
    x += dx;
    y += dy;
  } while (grid[y]?.[x] === null);
  grid[y]?.[x]?.focus();
}
