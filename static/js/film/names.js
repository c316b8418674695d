// Names in a film: near their mark, never over one another. A name keeps its place as long as that
// is free.

const HEIGHT = 15; // pixels
const EDGE = 3; // pixels of the dark edge around letters

/** @type {Map<string, HTMLCanvasElement>} names drawn once: copying is faster than writing */
const pictures = new Map();

/**
 * Return a picture of a name with a dark edge.
 * @param {FilmName} one
 * @param {FilmView} view
 * @param {string} font
 * @param {number} width
 */
function pictureOf({ words, colour }, { ratio, colours }, font, width) {
  const key = `${words} ${colour} ${font} ${ratio}`;
  const known = pictures.get(key);
  if (known) {
    return known;
  }
  const picture = document.createElement("canvas");
  picture.width = Math.ceil((width + 4) * ratio);
  picture.height = Math.ceil((HEIGHT + 4) * ratio);
  const ctx = picture.getContext("2d");
  if (ctx) {
    ctx.scale(ratio, ratio);
    ctx.font = font;
    ctx.textBaseline = "middle";
    ctx.lineJoin = "round";
    ctx.lineWidth = EDGE;
    ctx.strokeStyle = colours.space;
    ctx.strokeText(words, 4, HEIGHT / 2 + 2);
    ctx.fillStyle = colour;
    ctx.fillText(words, 4, HEIGHT / 2 + 2);
  }
  pictures.set(key, picture);
  return picture;
}

/**
 * @param {Box} a
 * @param {Box} b
 */
const meet = (a, b) => a[0] < b[2] && a[2] > b[0] && a[1] < b[3] && a[3] > b[1];

/**
 * Return the boxes around a mark in which its name may be, in order of preference.
 * @param {FilmName} name
 * @param {number} width
 * @returns {Box[]}
 */
function boxesFor({ x, y, r }, width) {
  const away = r + 4;
  const slant = away * 0.75;
  /** @type {Point[]} */
  const corners = [
    [away, -HEIGHT / 2],
    [-away - width, -HEIGHT / 2],
    [-width / 2, away],
    [-width / 2, -away - HEIGHT],
    [slant, slant - 3],
    [slant, -slant - HEIGHT + 3],
    [-slant - width, slant - 3],
    [-slant - width, -slant - HEIGHT + 3],
  ];
  return corners.map(([dx, dy]) => [x + dx, y + dy, x + dx + width, y + dy + HEIGHT]);
}

export class Names {
  /** @type {Map<number, number>} the spot that each name had last */
  #spots = new Map();
  /** @type {Map<number, {dx: number, dy: number, width: number}>} from the middle of its mark */
  #placed = new Map();
  /** @type {Map<string, number>} widths of words, measured once */
  #widths = new Map();
  #key = "";

  /**
   * @param {CanvasRenderingContext2D} ctx
   * @param {FilmView} view
   * @param {FilmName[]} list
   * @param {Box[]} taken boxes in pixels that names must not cover
   * @param {string} key places are sought anew when it changes; until then names ride along
   */
  draw(ctx, view, list, taken, key) {
    const font = `500 12px ${view.family}`;
    ctx.font = font;
    if (key !== this.#key) {
      this.#key = key;
      this.#seek(ctx, view, list, taken);
    }
    const { ratio } = view;
    /** @param {number} value */
    const sharp = (value) => Math.round(value * ratio) / ratio; // between pixels words blur
    for (const one of list) {
      const place = this.#placed.get(one.n);
      if (place) {
        const picture = pictureOf(one, view, font, place.width);
        const [x, y] = [sharp(one.x + place.dx - 2), sharp(one.y + place.dy - 2)];
        ctx.drawImage(picture, x, y, picture.width / ratio, picture.height / ratio);
      }
    }
  }

  /**
   * Find a place for each name, those of high rank first.
   * @param {CanvasRenderingContext2D} ctx
   * @param {FilmView} view
   * @param {FilmName[]} list
   * @param {Box[]} taken
   */
  #seek(ctx, { camera }, list, taken) {
    /** @type {Box[]} */
    const marks = list.map(({ x, y, r }) => [x - r, y - r, x + r, y + r]);
    const boxes = [...taken, ...marks];
    /** @param {Box} box */
    const isFree = (box) =>
      box[0] >= 2 &&
      box[1] >= 2 &&
      box[2] <= camera.width - 2 &&
      box[3] <= camera.height - 2 &&
      !boxes.some((other) => meet(box, other));
    this.#placed.clear();
    for (const one of [...list].sort((a, b) => b.rank - a.rank)) {
      const width = this.#widthOf(ctx, one.words) + 4;
      const possible = boxesFor(one, width);
      const before = this.#spots.get(one.n);
      const order = before === undefined ? [...possible.keys()] : [before, ...possible.keys()];
      const spot = order.find((n) => isFree(possible[n]));
      if (spot === undefined) {
        this.#spots.delete(one.n);
        continue;
      }
      const box = possible[spot];
      boxes.push(box);
      this.#spots.set(one.n, spot);
      this.#placed.set(one.n, { dx: box[0] - one.x, dy: box[1] - one.y, width });
    }
  }

  /**
   * @param {CanvasRenderingContext2D} ctx
   * @param {string} words
   */
  #widthOf(ctx, words) {
    const width = this.#widths.get(words) ?? ctx.measureText(words).width;
    this.#widths.set(words, width);
    return width;
  }
}
