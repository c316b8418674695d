// What lies still on the table of a film without a page's table: floor, lines, planets, rocks. It
// is drawn once for each view of the camera, and then copied.

const LINES = 12; // MU between lines
const BODIES = ["rock", "asteroid", "cloud", "debris", "dust", "nebula"];

export class Ground {
  #picture = document.createElement("canvas");
  #key = "";

  /**
   * @param {CanvasRenderingContext2D} ctx
   * @param {FilmView} view
   * @param {number} pieces the index of the pieces on the table
   */
  draw(ctx, view, pieces) {
    const { width, height } = ctx.canvas;
    const { camera, ratio } = view;
    const key = [...camera.px(0, 0), camera.scale, width, height, pieces].join();
    if (key !== this.#key) {
      this.#key = key;
      Object.assign(this.#picture, { width, height });
      const still = this.#picture.getContext("2d");
      still?.setTransform(ratio, 0, 0, ratio, 0, 0);
      if (still) {
        drawFloor(still, view);
        for (const piece of view.data.pieces[pieces] ?? []) {
          drawPiece(still, view, piece);
        }
      }
    }
    ctx.drawImage(this.#picture, 0, 0, width / ratio, height / ratio);
  }
}

/**
 * @param {CanvasRenderingContext2D} ctx
 * @param {FilmView} view
 */
function drawFloor(ctx, { data, camera, colours }) {
  const [wide, high] = data.table;
  const [left, top] = camera.px(0, high);
  const [right, bottom] = camera.px(wide, 0);
  ctx.fillStyle = colours["space-floor"];
  ctx.fillRect(left, top, right - left, bottom - top);
  ctx.strokeStyle = colours["space-line"];
  ctx.lineWidth = 1;
  ctx.beginPath();
  for (let x = 0; x <= wide; x += LINES) {
    const at = Math.round(camera.px(x, 0)[0]) + 0.5;
    ctx.moveTo(at, top);
    ctx.lineTo(at, bottom);
  }
  for (let y = 0; y <= high; y += LINES) {
    const at = Math.round(camera.px(0, y)[1]) + 0.5;
    ctx.moveTo(left, at);
    ctx.lineTo(right, at);
  }
  ctx.stroke();
}

/**
 * @param {CanvasRenderingContext2D} ctx
 * @param {FilmView} view
 * @param {ReplayPiece} piece
 */
function drawPiece(ctx, { camera, colours }, { kind, x, y, r = 0 }) {
  const [px, py] = camera.px(x, y);
  ctx.strokeStyle = colours["rock-edge"];
  ctx.beginPath();
  ctx.arc(px, py, r ? r * camera.scale : 3, 0, Math.PI * 2);
  if (kind === "planet") {
    ctx.fillStyle = colours.world;
    ctx.fill();
  } else if (BODIES.includes(kind)) {
    ctx.fillStyle = colours.rock;
    ctx.fill();
  }
  ctx.stroke();
}
