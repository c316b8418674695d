// Checks an archive of a war: hashes, chains, leaves, rows, the signed head, and the key of every
// die. It shares no code with the Python verifier. It does not fight battles or resolve weeks.

import { isAtTable, luckAccount } from "./luck.js";
import { siteRolls } from "./tables.js";

const FORMAT = 1;
export const SCHEMA_3 = 3; // rows of earlier schemas cannot prove a part of a stage
const BY_PEOPLE = ["player", "umpire"];
const UMPIRES = "umpires";
const TABLE_DICE = "table"; // the purpose of dice that the site rolls for a battle at a table
const LEFT = "left"; // how a stage ended that was not played, because the war was rolled back
const KEYED = "blindjump/2";
const BLOCK = 64;
const SIGNATURE_BYTES = 64; // of Ed25519
const MAX_FILE = 200_000_000;
const DRAND = "quicknet"; // the network whose public dice count
// Of drand's network, in milliseconds
const FIRST_ROUND = 1_692_803_367_000;
const BEACON_PERIOD = 3_000;
const BEACON_WAIT = 30_000; // from the closing of a stage to the earliest round that counts

/** @typedef {Record<string, any>} Body */
/** @typedef {{number: number, kind: string, body: Body}} Line */
/**
 * @typedef {object} Stage
 * @property {Line} stage
 * @property {Line[]} entries
 * @property {Line[]} acts
 * @property {Line | null} ruling closed the stage without playing it
 * @property {Line | null} beacon the public random value in its dice
 * @property {Map<string, Battle>} battles
 * @property {Line[]} throws
 * @property {Line | null} snapshot
 * @property {Line | null} events
 * @property {Map<string, Line>} views
 * @property {Line | null} setting
 * @property {Map<string, Line>} leaves
 * @property {Line | null} row
 */
/**
 * A ledger row that was checked, and the digest of the world after it.
 * @typedef {{branch: number, hash: string, past: string, schema: number, world: string}} CheckedRow
 */
/**
 * @typedef {object} Battle
 * @property {Line} start
 * @property {Line[]} stops
 * @property {Line[]} entries
 * @property {Line[]} tables
 * @property {Map<number, Line>} beacons the public random values in the dice of phases
 * @property {Line} result
 */
/**
 * @typedef {object} Fault
 * @property {number} line
 * @property {number | null} row
 * @property {number | null} week
 * @property {string} template English, with braces in place of the values; the key of translations
 * @property {string[]} values
 * @property {string} words the template with its values
 */

export class ArchiveFault extends Error {
  /**
   * @param {Line | number} line
   * @param {string} template
   * @param {Stage | null} stage
   * @param {string[]} values of the template
   */
  constructor(line, template, stage = null, values = []) {
    super(values.reduce((words, value) => words.replace("{}", () => value), template));
    this.template = template;
    this.values = values;
    this.line = typeof line === "number" ? line : line.number;
    this.week = stage ? stage.stage.body.week : null;
    this.row = stage?.row ? stage.row.body.seq : null;
  }
}

// SHA-256 (FIPS 180-4) and HMAC

const ROUND_CONSTANTS = roundConstants();

/** @returns {Uint32Array} */
function roundConstants() {
  const constants = [];
  for (let candidate = 2; constants.length < BLOCK; candidate += 1) {
    let isPrime = true;
    for (let factor = 2; factor * factor <= candidate; factor += 1) {
      isPrime &&= candidate % factor !== 0;
    }
    if (isPrime) {
      const root = Math.cbrt(candidate);
      constants.push(Math.floor((root - Math.floor(root)) * 2 ** 32));
    }
  }
  return Uint32Array.from(constants);
}

const START = Uint32Array.from([
  0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
]);
const schedule = new Uint32Array(BLOCK);

/**
 * @param {Uint32Array} state
 * @param {DataView} view
 * @param {number} offset
 */
function compress(state, view, offset) {
  for (let index = 0; index < 16; index += 1) {
    schedule[index] = view.getUint32(offset + 4 * index);
  }
  for (let index = 16; index < BLOCK; index += 1) {
    const before = schedule[index - 15];
    const last = schedule[index - 2];
    const low = rotate(before, 7) ^ rotate(before, 18) ^ (before >>> 3);
    const high = rotate(last, 17) ^ rotate(last, 19) ^ (last >>> 10);
    schedule[index] = schedule[index - 16] + low + schedule[index - 7] + high;
  }
  let [a, b, c, d, e, f, g, h] = state;
  for (let index = 0; index < BLOCK; index += 1) {
    const high = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const choice = (e & f) ^ (~e & g);
    const first = (h + high + choice + ROUND_CONSTANTS[index] + schedule[index]) | 0;
    const low = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    const majority = (a & b) ^ (a & c) ^ (b & c);
    h = g;
    g = f;
    f = e;
    e = (d + first) | 0;
    d = c;
    c = b;
    b = a;
    a = (first + low + majority) | 0;
  }
  [a, b, c, d, e, f, g, h].forEach((value, index) => {
    state[index] += value;
  });
}

/**
 * @param {number} value
 * @param {number} bits
 */
function rotate(value, bits) {
  return (value >>> bits) | (value << (32 - bits));
}

/**
 * @param {Uint8Array} data
 * @returns {Uint8Array}
 */
export function sha256(data) {
  const state = START.slice();
  const whole = data.length - (data.length % BLOCK);
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  for (let offset = 0; offset < whole; offset += BLOCK) {
    compress(state, view, offset);
  }
  const rest = data.subarray(whole);
  const tail = new Uint8Array(rest.length < BLOCK - 8 ? BLOCK : 2 * BLOCK);
  tail.set(rest);
  tail[rest.length] = 0x80;
  const end = new DataView(tail.buffer);
  end.setUint32(tail.length - 8, Math.floor(data.length / 2 ** 29));
  end.setUint32(tail.length - 4, (data.length * 8) >>> 0);
  for (let offset = 0; offset < tail.length; offset += BLOCK) {
    compress(state, end, offset);
  }
  const result = new Uint8Array(32);
  const out = new DataView(result.buffer);
  state.forEach((value, index) => out.setUint32(4 * index, value));
  return result;
}

/**
 * @param {Uint8Array} key
 * @param {Uint8Array} message
 */
export function hmac(key, message) {
  const block = new Uint8Array(BLOCK);
  block.set(key.length > BLOCK ? sha256(key) : key);
  const inner = joined(
    block.map((byte) => byte ^ 0x36),
    message,
  );
  return sha256(
    joined(
      block.map((byte) => byte ^ 0x5c),
      sha256(inner),
    ),
  );
}

/** @param {Uint8Array[]} parts */
export function joined(...parts) {
  const result = new Uint8Array(parts.reduce((total, part) => total + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    result.set(part, offset);
    offset += part.length;
  }
  return result;
}

const encoder = new TextEncoder();

/** @param {Uint8Array} bytes */
export function hexOf(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * Returns the bytes of a text in Base64; none if it is not one.
 * @param {string} text
 */
export function bytesOfBase64(text) {
  try {
    return Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
}

/** @param {string} text */
export function bytesOf(text) {
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

// Canonical JSON, and the formulas of dice, orders, battles and rows

/**
 * @param {any} value
 * @returns {string}
 */
export function canonical(value) {
  if (Array.isArray(value)) {
    return `[${value.map(canonical).join(",")}]`;
  }
  if (value !== null && typeof value === "object") {
    const entries = Object.keys(value).sort();
    return `{${entries.map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`).join(",")}}`;
  }
  return JSON.stringify(value);
}

/** @param {any} value */
export function digest(value) {
  return hexOf(sha256(encoder.encode(canonical(value))));
}

/**
 * @param {string} secret
 * @param {any[]} key
 */
export function keyed(secret, ...key) {
  return hexOf(hmac(bytesOf(secret), encoder.encode(canonical(key))));
}

/**
 * @param {Body} payload
 * @param {string} nonce
 * @param {string} share of the client; empty if it made none
 */
export function ordersDigest(payload, nonce, share = "") {
  const hashed = share ? sha256(bytesOf(share)) : new Uint8Array();
  return hexOf(sha256(joined(encoder.encode(canonical(payload)), bytesOf(nonce), hashed)));
}

/**
 * Returns the key to which a path of names leads from the seed (dice 2).
 * @param {string} seed
 * @param {any[][]} path
 */
export function keyOf(seed, path) {
  return path.reduce((key, names) => keyed(key, ...names), seed);
}

/**
 * @param {string} key in hexadecimal
 * @param {any[]} message up to the number of the die
 * @param {number} sides
 */
export function dieOf(key, message, sides) {
  const secret = bytesOf(key);
  const limit = 256 - (256 % sides);
  let block = hmac(secret, encoder.encode(canonical(message)));
  for (;;) {
    const byte = block.find((candidate) => candidate < limit);
    if (byte !== undefined) {
      return (byte % sides) + 1;
    }
    block = hmac(secret, block);
  }
}

/**
 * Returns the root of RFC 9162 over the data of leaves.
 * @param {Uint8Array[]} leaves
 * @returns {Uint8Array}
 */
export function treeRoot(leaves) {
  if (!leaves.length) {
    return sha256(new Uint8Array());
  }
  if (leaves.length === 1) {
    return sha256(joined(Uint8Array.of(0), leaves[0]));
  }
  let half = 1;
  while (2 * half < leaves.length) {
    half *= 2;
  }
  const left = treeRoot(leaves.slice(0, half));
  return sha256(joined(Uint8Array.of(1), left, treeRoot(leaves.slice(half))));
}

/**
 * Returns the outcome of a row of schema 3 over digests by the names of leaves.
 * @param {string} blindKey
 * @param {string} placeKey
 * @param {Map<string, string>} leaves
 * @param {number} slots
 */
export function outcomeRoot(blindKey, placeKey, leaves, slots) {
  const names = [...leaves.keys()].sort();
  const surplus = names.length > slots ? names.slice(0, names.length - slots + 1) : [];
  const placed = new Map(names.slice(surplus.length).map((name) => [name, leaves.get(name)]));
  if (surplus.length) {
    placed.set("rest", digest(surplus.map((name) => [name, leaves.get(name)])));
  }
  for (let number = 0; placed.size < slots; number += 1) {
    placed.set(`pad/${number}`, "");
  }
  const data = [...placed.keys()].map((name) => ({
    place: keyed(placeKey, name),
    leaf: joined(
      bytesOf(keyed(blindKey, name)),
      encoder.encode(canonical([name, placed.get(name)])),
    ),
  }));
  data.sort((left, right) => (left.place < right.place ? -1 : 1));
  return hexOf(treeRoot(data.map((item) => item.leaf)));
}

/**
 * Returns the root of RFC 9162 that follows from the data of a leaf and its proof.
 * @param {Uint8Array} leaf
 * @param {number} index
 * @param {number} size the number of leaves: a power of two
 * @param {string[]} hashes from the leaf's neighbour to the top
 * @returns {Uint8Array}
 */
export function rootFromProof(leaf, index, size, hashes) {
  let node = sha256(joined(Uint8Array.of(0), leaf));
  if (2 ** hashes.length !== size) {
    return new Uint8Array();
  }
  for (let level = 0; level < hashes.length; level += 1) {
    const other = bytesOf(hashes[level]);
    const isRight = (index >> level) & 1;
    node = sha256(joined(Uint8Array.of(1), ...(isRight ? [other, node] : [node, other])));
  }
  return node;
}

// Reading

/**
 * Yields the lines of an archive.
 * @param {Uint8Array} bytes
 * @returns {Generator<Line>}
 */
function* linesOf(bytes) {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  let start = 0;
  for (let number = 1; start < bytes.length; number += 1) {
    const end = bytes.indexOf(10, start);
    if (end < 0) {
      throw new ArchiveFault(number, "the file ends within this line");
    }
    const line = lineOf(decoder, bytes.subarray(start, end), number);
    if (line.kind === "end") {
      checkEnd(line, bytes.subarray(0, start), end + 1 === bytes.length);
      yield line;
      return;
    }
    yield line;
    start = end + 1;
  }
  throw new ArchiveFault(0, "the file ends too early: its last line is missing");
}

/**
 * @param {TextDecoder} decoder
 * @param {Uint8Array} raw
 * @param {number} number
 * @returns {Line}
 */
function lineOf(decoder, raw, number) {
  try {
    const text = decoder.decode(raw);
    const { kind, ...body } = JSON.parse(text);
    if (canonical({ kind, ...body }) === text) {
      return { number, kind, body };
    }
  } catch {
    // The fault below says all that is known.
  }
  throw new ArchiveFault(number, "the line is not canonical JSON");
}

/**
 * @param {Line} line
 * @param {Uint8Array} before
 * @param {boolean} isLast
 */
function checkEnd(line, before, isLast) {
  if (!isLast) {
    throw new ArchiveFault(line.number + 1, "there is something after the last line");
  }
  if (line.body.lines !== line.number - 1) {
    throw new ArchiveFault(line, "the last line counts other lines before it");
  }
  if (line.body.sha256 !== hexOf(sha256(before))) {
    throw new ArchiveFault(line, "the file was changed after it was written");
  }
}

/**
 * @param {Line} line
 * @returns {Stage}
 */
function newStage(line) {
  return {
    stage: line,
    entries: [],
    acts: [],
    ruling: null,
    beacon: null,
    battles: new Map(),
    throws: [],
    snapshot: null,
    events: null,
    views: new Map(),
    setting: null,
    leaves: new Map(),
    row: null,
  };
}

/** @type {Record<string, (stage: Stage, line: Line) => void>} */
const PLACES = {
  entry: (stage, line) => stage.entries.push(line),
  act: (stage, line) => stage.acts.push(line),
  ruling: (stage, line) => {
    stage.ruling = line;
  },
  battle: (stage, line) =>
    stage.battles.set(line.body.key, {
      start: line,
      stops: [],
      entries: [],
      tables: [],
      beacons: new Map(),
      result: line,
    }),
  stop: (stage, line) => battleOf(stage, line).stops.push(line),
  "stop-entry": (stage, line) => battleOf(stage, line).entries.push(line),
  "table-entry": (stage, line) => battleOf(stage, line).tables.push(line),
  beacon: (stage, line) => {
    if (line.body.battle === undefined) {
      stage.beacon = line;
    } else {
      battleOf(stage, line).beacons.set(line.body.stop, line);
    }
  },
  result: (stage, line) => {
    battleOf(stage, line).result = line;
  },
  throws: (stage, line) => stage.throws.push(line),
  snapshot: (stage, line) => {
    stage.snapshot = line;
  },
  happenings: (stage, line) => {
    stage.events = line;
  },
  view: (stage, line) => stage.views.set(line.body.faction, line),
  setting: (stage, line) => {
    stage.setting = line;
  },
  leaf: (stage, line) => stage.leaves.set(line.body.name, line),
  row: (stage, line) => {
    stage.row = line;
  },
};

/**
 * @param {Stage} stage
 * @param {Line} line
 * @returns {Battle}
 */
function battleOf(stage, line) {
  const battle = stage.battles.get(line.body.battle);
  if (!battle) {
    throw new ArchiveFault(line, "the line belongs to no battle", stage);
  }
  return battle;
}

// The check

/**
 * @typedef {object} Verdict
 * @property {string} name
 * @property {number} rows
 * @property {number} weeks
 * @property {number} battles
 * @property {number} entries
 * @property {number} dice
 * @property {string} head
 * @property {string} signature `signed`, `unsigned` or `not checked`
 * @property {string} signer
 * @property {Fault | null} fault
 * @property {string} campaign
 * @property {string[]} keys the public keys with which the site signed during the war, newest first
 * @property {Record<string, string>} factions names by key
 * @property {string[]} limits what the archive cannot prove
 * @property {number} unshownThrows dice reserved for battles at a table and never shown
 * @property {number} oneStepThrows dice for such battles that were not reserved before
 * @property {boolean} hasEndRow whether the ledger ends with the row that publishes the seed
 * @property {number[]} branches the numbers of the branches
 * @property {string[][]} ledgers the hashes of the rows of each branch with those before it
 * @property {SealedRecord[]} records
 * @property {ReturnType<typeof luckAccount> | null} luck null if there is a fault
 * @property {string} own the faction of which the archive has what it can prove; else empty
 * @property {string[] | null} stages branch and number of the stages of such an archive
 */
/**
 * A sealed entry, as receipts name it.
 * @typedef {object} SealedRecord
 * @property {number} branch
 * @property {number} stage of the week, or of the battle
 * @property {boolean} isBattle
 * @property {string} faction
 * @property {number} revision
 * @property {string} digest
 * @property {boolean} isWithdrawn
 * @property {number} row
 */

/**
 * Checks an archive; the verdict has its first fault, or none.
 * @param {Uint8Array} bytes unzipped
 * @param {(done: number) => Promise<void>} progress called with the part that is done
 * @param {War} war takes the lines
 * @returns {Promise<Verdict>}
 */
export async function verifyArchive(bytes, progress = async () => {}, war = new War()) {
  try {
    if (bytes.length > MAX_FILE) {
      throw new ArchiveFault(0, "the file is too long");
    }
    const lines = linesOf(bytes);
    for (const line of lines) {
      war.take(line);
      if (line.kind === "row") {
        await progress(line.number);
      }
    }
    await war.checkHead();
    war.checkEndRow();
    if (!war.verdict.own && war.header.ruleset.beacon !== undefined) {
      war.verdict.limits.push("beacon-signatures"); // a browser cannot check pairings
    }
    war.verdict.branches = [...war.diceNumbers.keys()];
    war.verdict.ledgers = war.ledgersOfAll();
    war.verdict.luck = luckAccount(war.battles);
  } catch (error) {
    const fault =
      error instanceof ArchiveFault
        ? error
        : new ArchiveFault(war.last, "the line cannot be read: {}", null, [`${error}`]);
    const { line, row, week, template, values, message } = fault;
    war.verdict.fault = { line, row, week, template, values, words: message };
  }
  return war.verdict;
}

export class War {
  constructor() {
    /** @type {Verdict} */
    this.verdict = {
      name: "",
      rows: 0,
      weeks: 0,
      battles: 0,
      entries: 0,
      dice: 0,
      head: "",
      signature: "unsigned",
      signer: "",
      fault: null,
      campaign: "",
      keys: [],
      factions: {},
      limits: [],
      unshownThrows: 0,
      oneStepThrows: 0,
      branches: [],
      ledgers: [],
      hasEndRow: false,
      records: [],
      luck: null,
      own: "",
      stages: null,
    };
    /** @type {import("./luck.js").FoughtBattle[]} */
    this.battles = [];
    /** @type {Body} */
    this.header = {};
    /** @type {Body} */
    this.scenario = {};
    /** @type {Map<number, number>} */
    this.diceNumbers = new Map();
    /** @type {Stage | null} */
    this.stage = null;
    /** @type {Map<number, number[]>} branch and number of the snapshot that a branch starts from */
    this.parents = new Map();
    /** @type {Map<number, CheckedRow[]>} by branch, from the first row of the war on */
    this.ledgers = new Map();
    /** @type {Map<number, Line>} by the number of the branch */
    this.branchLines = new Map();
    /** @type {string[]} */
    this.factions = [];
    this.firstWorld = "";
    /** @type {Line[]} */
    this.heads = [];
    /** @type {Line | null} */
    this.endRow = null;
    this.lastStage = ""; // the stage of the last world
    /** @type {Line[]} */
    this.firstLines = [];
    /** @type {Line | null} */
    this.parent = null;
    this.before = ""; // the entropy chain before the last row
    this.last = 0;
  }

  /** @param {Line} line */
  take(line) {
    this.last = line.number;
    if (this.stage) {
      this.takeInStage(this.stage, line);
    } else if (this.endRow && line.kind !== "end") {
      throw new ArchiveFault(line, "there is something after the last row");
    } else if (line.kind === "stage") {
      this.stage = newStage(line);
    } else if (line.kind === "head") {
      this.heads.push(line);
    } else if (line.kind === "end-row") {
      this.endRow = line;
    } else if (line.kind !== "end") {
      this.takeOpening(line);
    }
  }

  /**
   * @param {Stage} stage
   * @param {Line} line
   */
  takeInStage(stage, line) {
    const place = PLACES[line.kind];
    if (!place) {
      throw new ArchiveFault(line, "a line '{}' within a stage", stage, [line.kind]);
    }
    place(stage, line);
    if (line.kind === "row") {
      this.stage = null;
      this.checkStage(stage, line);
    }
  }

  /** @param {Line} line */
  takeOpening(line) {
    if (line.number === 1) {
      this.open(line);
    } else if (line.kind === "scenario") {
      this.scenario = line.body;
      expect(line, "the scenario has another hash", digest(line.body.document), line.body.sha256);
    } else if (line.kind === "branch") {
      this.branchLines.set(line.body.number, line);
      this.diceNumbers.set(line.body.number, line.body.dice ?? line.body.number);
      if (line.body.parent) {
        this.parents.set(line.body.number, line.body.parent);
      }
    } else if (line.kind === "parent") {
      this.parent = line;
    } else {
      if (line.kind === "faction") {
        this.factions.push(line.body.key);
        this.verdict.factions[line.body.key] = line.body.name;
      } else if (line.kind === "snapshot") {
        this.firstWorld = digest(line.body.world);
      }
      this.firstLines.push(line);
    }
  }

  /** Campaign, branch and snapshot from which the war was forked; null if it is no fork. */
  get forkedFrom() {
    if (!this.parent) {
      return null;
    }
    const { campaign, branch, seq } = this.parent.body;
    return [campaign, branch, seq];
  }

  get slots() {
    return this.scenario.document.body.systems.length > 60 ? 512 : 256;
  }

  /**
   * Checks that a fork begins with the world and views that a row of another war covers.
   * @param {Stage} stage the first one
   * @param {Line} row
   */
  checkParent(stage, row) {
    const { opening } = row.body.body;
    if (!this.parent) {
      expect(row, "the war it was forked from is missing", "beginning", opening?.kind, stage);
      return;
    }
    const { body, prev_hash: before, hash, leaves } = this.parent.body;
    expect(this.parent, "the row has another hash", digest([before, body]), hash);
    expect(row, "the war is no fork", "fork", opening?.kind, stage);
    if (!leaves.length) {
      this.verdict.limits.push("unproven-fork"); // rows of schema 1 have no proofs of a part
      return;
    }
    for (const line of this.firstLines) {
      if (line.kind === "snapshot" || line.kind === "view") {
        this.checkCovered(line, leaves, body.outcome);
      }
    }
  }

  /**
   * @param {Line} line a first world or view
   * @param {Body[]} leaves
   * @param {string} outcome
   */
  checkCovered(line, leaves, outcome) {
    const isView = line.kind === "view";
    const name = isView ? `view/${line.body.faction}` : "snapshot";
    const document = isView ? line.body.document : line.body.world;
    const proof = leaves.find((leaf) => leaf.name === name) ?? { blind: "", index: 0, hashes: [] };
    const named = encoder.encode(canonical([name, digest(document)]));
    const data = joined(bytesOf(proof.blind), named);
    const root = hexOf(rootFromProof(data, proof.index, this.slots, proof.hashes));
    expect(line, "the other war does not cover the first '{}'", root, outcome, null, name);
  }

  /** @param {Line} line */
  open(line) {
    if (line.kind !== "archive" || line.body.format !== FORMAT) {
      throw new ArchiveFault(line, "this is not an archive of this format");
    }
    if (!line.body.seed) {
      throw new ArchiveFault(line, "the seed is not in this archive: use the Python verifier");
    }
    this.header = line.body;
    this.verdict.campaign = line.body.campaign;
    this.verdict.keys = [line.body.vkey];
    this.verdict.name = line.body.name;
    const commitment = hexOf(sha256(bytesOf(line.body.seed)));
    expect(line, "the seed is not the committed one", commitment, line.body.seed_sha256);
    const source = line.body.ruleset.beacon?.source ?? DRAND;
    expect(line, "the war names an unknown source of public dice", DRAND, source);
  }

  /** Returns what the hash before the first row covers. */
  genesisParts() {
    const { seed, dice_key: diceKey, ruleset, campaign } = this.header;
    let { sha256: scenario } = this.scenario;
    if (ruleset.rules_version !== "1.0") {
      scenario = digest([keyed(seed, "scenario-salt", diceKey), scenario]);
    }
    const { seed_sha256: seedSha256 } = this.header;
    return { campaign, dice_key: diceKey, ruleset, scenario, seed_sha256: seedSha256 };
  }

  /** Returns the hash before the first row. */
  genesis() {
    return digest(this.genesisParts());
  }

  /** Returns the entropy chain before the first row. */
  entropyBegin() {
    const { campaign, ...parts } = this.genesisParts();
    return digest(this.isTree ? parts : { campaign, ...parts });
  }

  /**
   * @param {Stage} stage
   * @param {Line} row
   */
  checkStage(stage, row) {
    const { verdict } = this;
    this.checkEntries(stage);
    for (const act of stage.acts) {
      if (act.body.body) {
        expect(act, "the act has another hash", digest(act.body.body), act.body.sha256, stage);
      }
      if (act.body.body?.verb === "key") {
        verdict.keys.push(`${act.body.body.facts.before}`); // until then the site signed with it
      }
    }
    for (const battle of stage.battles.values()) {
      this.checkBattle(stage, battle);
    }
    if (!isLeft(stage)) {
      this.checkDocuments(stage, row);
    }
    this.checkRow(stage, row);
    this.checkDice(stage, row);
    for (const battle of stage.battles.values()) {
      this.checkTable(stage, battle);
    }
    verdict.rows += 1;
    this.lastStage = stage.snapshot?.body.stage ?? this.lastStage;
    verdict.weeks = Math.max(verdict.weeks, stage.stage.body.week);
    verdict.battles += stage.battles.size;
    verdict.entries += stage.entries.length;
    this.keep(stage, row.body.seq);
  }

  /**
   * Keeps what the luck account and receipts need of a stage without a fault.
   * @param {Stage} stage
   * @param {number} row
   */
  keep(stage, row) {
    const { branch, ordinal } = stage.stage.body;
    const { records } = this.verdict;
    for (const line of stage.entries) {
      records.push(recordOf(line, branch, ordinal, row, false));
    }
    for (const { start, stops, entries } of stage.battles.values()) {
      for (const line of entries) {
        records.push(recordOf(line, branch, line.body.stop, row, true));
      }
      if (stops.length && !isAtTable(stops[0].body) && this.isOnLastLine(branch, ordinal)) {
        const events = stops.flatMap((line) => line.body.events);
        this.battles.push({ key: start.body.key, start: start.body.start, events });
      }
    }
  }

  /**
   * Returns whether a stage led to the end of the war. Those of abandoned timelines did not.
   * @param {number} branch
   * @param {number} ordinal
   */
  isOnLastLine(branch, ordinal) {
    let number = Math.max(...this.branchLines.keys());
    while (number !== branch) {
      const parent = this.parents.get(number);
      if (!parent || ordinal >= parent[1]) {
        return false;
      }
      number = parent[0];
    }
    return true;
  }

  /** @param {Stage} stage */
  checkEntries(stage) {
    const { ordinal } = stage.stage.body;
    for (const line of stage.entries) {
      this.checkSealed(stage, line, ordinal);
    }
    for (const [key, battle] of stage.battles) {
      for (const line of battle.entries) {
        this.checkSealed(stage, line, `${key}/${line.body.stage}/${line.body.stop}`);
      }
    }
  }

  /**
   * @param {Stage} stage
   * @param {Line} line
   * @param {number | string} place
   */
  checkSealed(stage, line, place) {
    const { payload, nonce, faction, revision, source, share } = line.body;
    const sealed = ordersDigest(payload, nonce, share);
    const words = "the orders of {} do not match their digest";
    expect(line, words, sealed, line.body.digest, stage, faction);
    checkWord(line, stage);
    if (!BY_PEOPLE.includes(source)) {
      const should = this.nonceOf(stage, place, faction, revision);
      const made = should.slice(0, 32);
      expect(line, "the nonce of {} is another", made, nonce, stage, faction);
    }
  }

  /** Whether the dice of the war follow the key tree (dice 2). */
  get isTree() {
    return (this.header.ruleset.dice ?? 1) > 1;
  }

  /**
   * Returns the key of what computers choose and the server fills in.
   * @param {Stage} stage
   * @param {number | string} place
   */
  choiceKey(stage, place) {
    const { seed, dice_key: diceKey } = this.header;
    return keyed(seed, KEYED, "choice", diceKey, this.diceOf(stage), place);
  }

  /**
   * @param {Stage} stage
   * @param {number | string} place
   * @param {string} faction
   * @param {number} revision
   */
  nonceOf(stage, place, faction, revision) {
    const { seed, dice_key: diceKey } = this.header;
    if (this.isTree) {
      return keyed(this.choiceKey(stage, place), "nonce", faction, revision);
    }
    return keyed(seed, "nonce", diceKey, this.diceOf(stage), place, faction, revision);
  }

  /** @param {Stage} stage */
  diceOf(stage) {
    return this.diceNumbers.get(stage.stage.body.branch) ?? 0;
  }

  /**
   * @param {Stage} stage
   * @param {Battle} battle
   */
  checkBattle(stage, battle) {
    const { seed, dice_key: diceKey } = this.header;
    const { key, start } = battle.start.body;
    const { week } = stage.stage.body;
    const salt = keyed(seed, "battle-chain", diceKey, this.diceOf(stage), week, key);
    let last = digest([salt, start]);
    for (const [place, line] of battle.stops.entries()) {
      const { inputs, events, views, chain, seq } = line.body;
      expect(line, "battle {}: a stop is missing", place, seq, stage, key);
      const link = digest([last, { inputs, events, views }]);
      const words = "battle {}, stop {}: the chain is broken";
      expect(line, words, link, chain, stage, key, `${seq}`);
      last = chain;
    }
  }

  /**
   * @param {Stage} stage
   * @param {Line} row
   */
  checkDocuments(stage, row) {
    if (!stage.snapshot || !stage.events) {
      throw new ArchiveFault(row, "the stage has no world or no events", stage);
    }
    const { snapshot } = stage;
    const readers = [...stage.views.keys()].sort();
    expect(
      row,
      "the views are not those of the factions",
      [...this.factions].sort(),
      readers,
      stage,
    );
    const world = digest(snapshot.body.world);
    expect(snapshot, "the world has another hash", world, snapshot.body.sha256, stage);
    for (const [faction, view] of stage.views) {
      const should = digest(view.body.document);
      expect(view, "the view of {} has another hash", should, view.body.sha256, stage, faction);
    }
  }

  /**
   * @param {Stage} stage
   * @param {Line} row
   */
  checkRow(stage, row) {
    const { body } = row.body;
    const { branch } = stage.stage.body;
    const ledger = this.ledgerOf(branch);
    const before = ledger.at(-1)?.hash ?? this.genesis();
    expect(row, "a row is missing", ledger.length, row.body.seq, stage);
    const isLate = ledger.some((item) => item.world === "");
    expect(row, "the row is later than the end of its timeline", false, isLate, stage);
    expect(row, "the chain of rows is broken", before, row.body.prev_hash, stage);
    expect(row, "the row has another hash", digest([before, body]), row.body.hash, stage);
    const digests = this.digestsOf(stage);
    expect(row, "the digests of the row are others", digests, body.digests, stage);
    expect(row, "the week of the row is another", stage.stage.body.week, body.week, stage);
    expect(row, "the stage of the row is another", stage.stage.body.stage, body.stage, stage);
    expect(row, "the schema of the row is another", row.body.schema, body.schema, stage);
    this.checkBranchLine(stage, row);
    if (row.body.schema >= SCHEMA_3) {
      expect(
        row,
        "how often the stage opened is another",
        stage.stage.body.again,
        body.again,
        stage,
      );
      this.checkOpening(stage, row);
      this.checkBeacon(stage, row);
      this.checkEntropy(stage, row, digests);
    }
    this.checkOutcome(stage, row);
    const { hash, schema } = row.body;
    const world = stage.snapshot ? digest(stage.snapshot.body.world) : "";
    ledger.push({ branch, hash, schema, world, past: body.past ?? hash });
  }

  /**
   * Compares the line of a branch with the first row of the branch.
   * @param {Stage} stage
   * @param {Line} row
   */
  checkBranchLine(stage, row) {
    const { branch } = stage.stage.body;
    const line = this.branchLines.get(branch);
    if (!line) {
      throw new ArchiveFault(row, "there is no line of its branch", stage);
    }
    if (!this.ownRows(branch).length) {
      const opening = row.body.body.opening ?? null;
      expect(line, "the branch does not begin as its first row says", opening, line.body.opening);
    }
  }

  /**
   * Returns the rows of a branch so far, with those of its ancestors up to where it starts.
   * @param {number} branch
   * @returns {CheckedRow[]}
   */
  ledgerOf(branch) {
    let ledger = this.ledgers.get(branch);
    if (!ledger) {
      const parent = this.parents.get(branch);
      ledger = parent && parent[0] < branch ? this.ledgerOf(parent[0]).slice(0, parent[1]) : [];
      this.ledgers.set(branch, ledger);
    }
    return ledger;
  }

  /** @param {number} branch */
  ownRows(branch) {
    return (this.ledgers.get(branch) ?? []).filter((row) => row.branch === branch);
  }

  /**
   * Returns the digests of all factions; those that had not sealed when the timeline was abandoned
   * have one from the seed.
   * @param {Stage} stage
   */
  digestsOf(stage) {
    const live = liveEntries(stage.entries);
    if (!isLeft(stage)) {
      return live.map((line) => line.body.digest);
    }
    const sealed = new Map(live.map((line) => [line.body.faction, line.body.digest]));
    const { seed, dice_key: diceKey } = this.header;
    const { branch, ordinal } = stage.stage.body;
    const choice = keyed(seed, KEYED, "choice", diceKey, branch, ordinal);
    return this.factions.map((key) => sealed.get(key) ?? keyed(choice, "unsealed", key));
  }

  /**
   * @param {Stage} stage
   * @param {Line} row
   */
  checkOpening(stage, row) {
    const { branch } = stage.stage.body;
    const { opening } = row.body.body;
    if (this.ownRows(branch).length || (!this.parents.has(branch) && row.body.seq)) {
      expect(row, "a row within a branch has an opening", null, opening, stage);
      return;
    }
    if (!this.parents.has(branch)) {
      this.checkParent(stage, row);
    }
    const { campaign, seed_sha256: seedSha256 } = this.header;
    const parent = this.parents.get(branch);
    const should = {
      ...opening,
      number: branch,
      parent: parent ? [campaign, ...parent] : this.forkedFrom,
      parent_row: parent ? lastHash(this.ledgerOf(branch)) : (this.parent?.body.hash ?? null),
      left_row: lastHash(this.ownRows(branch - 1)),
      genesis: this.genesis(),
      seed_sha256: seedSha256,
    };
    expect(row, "the opening of the branch is another", should, opening, stage);
  }

  /**
   * Checks which public random values a stage and its phases have. It does not check who has signed
   * them.
   * @param {Stage} stage
   * @param {Line} row
   */
  checkBeacon(stage, row) {
    const isExpected = this.header.ruleset.beacon !== undefined;
    const isPlayed = isExpected && !isLeft(stage) && !stage.ruling;
    const isWaived = wentOnWithout(stage);
    const { beacon } = stage;
    if (beacon) {
      expect(beacon, "no public random value belongs here", true, isPlayed, stage);
      checkBeaconLine(beacon, stage.stage.body.closed_at, stage);
    } else {
      const isMissing = isPlayed && !isWaived;
      expect(row, "the stage has no public random value", false, isMissing, stage);
    }
    const round = beacon && { number: beacon.body.round, randomness: beacon.body.randomness };
    expect(row, "the round of the row is another", round, row.body.body.round, stage);
    for (const battle of stage.battles.values()) {
      this.checkPhaseBeacons(stage, battle, isExpected, isWaived);
    }
  }

  /**
   * @param {Stage} stage
   * @param {Battle} battle
   * @param {boolean} isExpected
   * @param {boolean} isWaived
   */
  checkPhaseBeacons(stage, battle, isExpected, isWaived) {
    const phases = battle.stops.filter((stop) => stop.body.inputs.by === "players");
    const numbers = phases.map((stop) => stop.body.seq);
    for (const [number, line] of battle.beacons) {
      const isKnown = isExpected && numbers.includes(number);
      expect(line, "no public random value belongs here", true, isKnown, stage);
      checkBeaconLine(line, line.body.closed_at, stage);
    }
    for (const stop of isExpected && !isWaived ? phases : []) {
      const isThere = battle.beacons.has(stop.body.seq);
      expect(stop, "the phase has no public random value", true, isThere, stage);
    }
  }

  /**
   * @param {Stage} stage
   * @param {Line} row
   * @param {string[]} digests
   */
  checkEntropy(stage, row, digests) {
    const { body, seq } = row.body;
    const { branch, ordinal, closed_at: closed } = stage.stage.body;
    const dice = this.diceOf(stage);
    const shares = this.rowShares(stage, ordinal);
    expect(row, "the shares of the row are others", shares, body.shares, stage);
    expect(row, "the closing of the row is another", closed, body.closed_at, stage);
    let past = this.ledgerOf(branch).at(-1)?.past ?? this.entropyBegin();
    if (body.opening && this.parents.has(branch) && dice === branch) {
      past = digest([past, "branch", branch, digest(body.opening)]);
    }
    this.before = past;
    const link = digest([past, seq, digest(digests), shares, beaconValue(stage.beacon)]);
    expect(row, "the entropy of the row is another", link, body.past, stage);
  }

  /**
   * Returns the shares of a row: of all factions, also if the timeline was abandoned.
   * @param {Stage} stage
   * @param {number} ordinal
   */
  rowShares(stage, ordinal) {
    const live = liveEntries(stage.entries);
    const shares = this.sharesOf(stage, live, ordinal);
    if (!isLeft(stage)) {
      return shares;
    }
    const sealed = new Map(live.map((line, index) => [line.body.faction, shares[index]]));
    const choice = this.choiceKey(stage, ordinal);
    return this.factions.map((key) => sealed.get(key) ?? keyed(choice, "share", key));
  }

  /**
   * Returns the shares of entries; the server filled in those that clients did not send.
   * @param {Stage} stage
   * @param {Line[]} entries those that count
   * @param {number | string} place
   */
  sharesOf(stage, entries, place) {
    const choice = this.choiceKey(stage, place);
    return entries.map((line) => line.body.share ?? keyed(choice, "share", line.body.faction));
  }

  /**
   * Returns the first names that the keys of a stage's dice may have (dice 2), as text.
   * @param {Stage} stage
   * @param {Line} row
   */
  namesOf(stage, row) {
    const { dice_key: diceKey } = this.header;
    const { ordinal, week, stage: kind } = stage.stage.body;
    const names = [[KEYED, "stage", diceKey, ordinal, kind, row.body.body.past]];
    for (const [key, battle] of stage.battles) {
      names.push([KEYED, "table", diceKey, week, key, this.before]);
      let entropy = this.before;
      for (const line of battle.stops.filter((stop) => stop.body.inputs.by === "players")) {
        const { seq, inputs } = line.body;
        const live = battle.entries.filter((entry) => entry.body.stop === seq);
        const entries = liveEntries(live);
        const shares = this.sharesOf(stage, entries, `${key}/${inputs.phase}/${seq}`);
        const digests = entries.map((entry) => entry.body.digest);
        const beacon = beaconValue(battle.beacons.get(seq) ?? null);
        entropy = digest([entropy, seq, digest(digests), shares, beacon]);
        names.push([KEYED, "stop", diceKey, week, key, seq, entropy]);
      }
    }
    return new Set(names.map(canonical));
  }

  /**
   * @param {Stage} stage
   * @param {Line} row
   */
  checkOutcome(stage, row) {
    const found = this.leavesUnder(stage, row);
    if (row.body.schema >= SCHEMA_3) {
      this.addBattles(found, stage, row);
      this.addTables(found, stage);
    }
    const outcome = this.outcomeOf(stage, row, found);
    for (const [name, line] of stage.leaves) {
      const should = found.get(name);
      if (should !== undefined && should !== line.body.digest) {
        throw new ArchiveFault(line, "the leaf {} is not what the lines say", stage, [name]);
      }
    }
    const names = [...found.keys()].sort();
    expect(row, "its leaves are others", names, [...stage.leaves.keys()].sort(), stage);
    expect(row, "the outcome is not that of the stage", outcome, row.body.body.outcome, stage);
  }

  /**
   * @param {Stage} stage
   * @param {Line} row
   */
  leavesUnder(stage, row) {
    const last = this.ledgerOf(stage.stage.body.branch).at(-1);
    const isFirst = row.body.schema >= SCHEMA_3 && (last?.schema ?? 0) < SCHEMA_3;
    const found = leavesOf(stage, row, isFirst ? this.firstLines : null);
    if (isLeft(stage)) {
      found.set(LEFT, last?.world ?? this.firstWorld);
    }
    return found;
  }

  /**
   * @param {Stage} stage
   * @param {Line} row
   * @param {Map<string, string>} leaves
   */
  outcomeOf(stage, row, leaves) {
    const { seed, dice_key: diceKey } = this.header;
    const { branch, ordinal } = stage.stage.body;
    if (row.body.schema < SCHEMA_3) {
      return digest([keyed(seed, "ledger-salt", diceKey, branch, ordinal), flatResults(leaves)]);
    }
    const blind = keyed(seed, KEYED, "blind", diceKey, branch, row.body.seq);
    const place = keyed(seed, KEYED, "place", diceKey, branch, row.body.seq);
    return outcomeRoot(blind, place, leaves, this.slots);
  }

  /**
   * Adds the leaves of battles, each with the hash of the key of its dice (dice 2).
   * @param {Map<string, string>} leaves
   * @param {Stage} stage
   * @param {Line} row
   */
  addBattles(leaves, stage, row) {
    const { seed, dice_key: diceKey } = this.header;
    const { ordinal, stage: kind } = stage.stage.body;
    for (const [key, battle] of stage.battles) {
      const chain = battle.stops.at(-1)?.body.chain ?? "";
      const { start } = battle.start.body;
      let commitment = "";
      if (this.isTree && !isLeft(stage)) {
        const names = [KEYED, "stage", diceKey, ordinal, kind, row.body.body.past];
        commitment = hexOf(sha256(bytesOf(keyOf(seed, [names, ["battle", key]]))));
      }
      const parts = [digest(start), chain, digest(battle.result.body.document), commitment];
      leaves.set(`battle/${key}`, digest(parts));
    }
  }

  /**
   * Adds the leaves of the records of tables.
   * @param {Map<string, string>} leaves
   * @param {Stage} stage
   */
  addTables(leaves, stage) {
    for (const [key, battle] of stage.battles) {
      if (stage.leaves.has(`table/${key}`)) {
        leaves.set(`table/${key}`, this.tableChain(stage, battle));
      }
    }
  }

  /**
   * @param {Stage} stage
   * @param {Line} row
   */
  checkDice(stage, row) {
    const names = this.isTree ? this.namesOf(stage, row) : null;
    for (const line of stage.throws) {
      const { context, place, dice } = line.body;
      if (names && !names.has(canonical(context[0]))) {
        throw new ArchiveFault(line, "the key of these dice is not one of this stage", stage);
      }
      const key = names ? keyOf(this.header.seed, context) : this.header.seed;
      const begin = names ? [place] : [1, ...context, place];
      for (const [purpose, subject, number, sides, value] of dice) {
        const die = dieOf(key, [...begin, purpose, subject, number], sides);
        const words = "{}: a die of {} by {} is another";
        expect(line, words, die, value, stage, place || "-", purpose, subject);
        this.verdict.dice += 1;
      }
    }
  }

  /**
   * Checks the dice that the site rolled for a battle at a table.
   * @param {Stage} stage
   * @param {Battle} battle
   */
  checkTable(stage, battle) {
    const { seed, dice_key: diceKey } = this.header;
    const names = [KEYED, "table", diceKey, stage.stage.body.week, battle.start.body.key];
    const { rolls, unshown } = siteRolls(battle.tables);
    this.verdict.unshownThrows += unshown;
    for (const { line, first, rolls: values, fault } of rolls) {
      if (fault) {
        throw new ArchiveFault(line, fault, stage);
      }
      this.verdict.oneStepThrows += first ? 0 : 1;
      const key = keyOf(seed, [[...names, this.before]]);
      const { number: entry, faction, body } = line.body;
      const subject = first ? `${faction}/${body.number}` : `${entry}`;
      for (const [number, value] of this.isTree ? values.entries() : []) {
        const die = dieOf(key, ["", TABLE_DICE, subject, number], 6);
        const words = "{}: a die of {} by {} is another";
        expect(line, words, die, value, stage, battle.start.body.key, TABLE_DICE, subject);
      }
    }
  }

  /**
   * Returns the last hash of the chain over the record of a battle at a table.
   * @param {Stage} stage
   * @param {Battle} battle
   */
  tableChain(stage, battle) {
    const { seed, dice_key: diceKey } = this.header;
    const { branch, week } = stage.stage.body;
    let last = keyed(seed, KEYED, "table-chain", diceKey, branch, week, battle.start.body.key);
    for (const { body: line } of battle.tables) {
      const { number, faction, key, body, visible_body, at } = line;
      last = digest([last, { number, faction, key, body, visible_body, at }]);
    }
    return last;
  }

  /** Returns the hashes of the rows of each branch. */
  ledgersOfAll() {
    return [...this.diceNumbers.keys()].map((branch) =>
      this.ledgerOf(branch).map((row) => row.hash),
    );
  }

  /** Compares the signed head with the rows, and its signature where the browser can. */
  async checkHead() {
    const heads = new Map();
    for (const branch of this.diceNumbers.keys()) {
      const ledger = this.ledgerOf(branch);
      const root = treeRoot(ledger.map((row) => bytesOf(row.hash)));
      const digits = hexOf(root).slice(0, 12).toUpperCase().match(/.{4}/g) ?? [];
      this.verdict.head = `${ledger.length} · ${digits.join("-")}`; // of the last branch
      const origin = `${this.header.site}/war/${this.header.campaign}/${branch}`;
      const encoded = btoa(String.fromCharCode(...root));
      heads.set(origin, `${origin}\n${ledger.length}\n${encoded}`);
    }
    for (const line of this.heads) {
      const [text, signature] = line.body.note.split("\n\n\u2014 ");
      const should = heads.get(text.split("\n")[0]);
      expect(line, "the signed head is not that of these rows", should ?? "", text);
      await this.checkSignature(line, `${text}\n`, signature);
    }
  }

  /** Checks the last row of the ledger, which publishes the seed after the war. */
  checkEndRow() {
    const line = this.endRow;
    if (!line) {
      return;
    }
    const { act, body, prev_hash: before, hash } = line.body;
    const { seed } = this.header;
    expect(line, "the seed was published while the war went on", "over", this.lastStage);
    expect(line, "the last row publishes another seed", seed, act.facts?.seed);
    expect(line, "another act stands where the seed is published", "reveal", act.verb);
    const branch = Math.max(...this.branchLines.keys());
    const ledger = this.ledgerOf(branch);
    const root = hexOf(treeRoot(ledger.map((row) => bytesOf(row.hash))));
    const size = ledger.length;
    const head = { size, root };
    const should = { schema: 1, kind: "end", branch, seq: size, head, seed, act: digest(act) };
    expect(line, "the last row is another", should, body);
    expect(line, "the chain of rows is broken", lastHash(ledger), before);
    expect(line, "the row has another hash", digest([before, body]), hash);
    this.verdict.hasEndRow = true;
  }

  /**
   * @param {Line} line
   * @param {string} text
   * @param {string} signature
   */
  async checkSignature(line, text, signature) {
    const [name] = this.header.vkey.split("+");
    this.verdict.signer = name;
    expect(line, "another site has signed the head", name, signature.trim().split(" ")[0]);
    const found = await isSigned(this.header.vkey, text, signature);
    if (found === null) {
      this.verdict.signature = "not checked";
      return;
    }
    expect(line, "the site's key has not signed this head", true, found);
    this.verdict.signature = "signed";
  }
}

/**
 * @param {Line} line
 * @param {number} branch
 * @param {number} stage
 * @param {number} row
 * @param {boolean} isBattle
 * @returns {SealedRecord}
 */
export function recordOf({ body }, branch, stage, row, isBattle) {
  const { faction, revision, digest: sealed, withdrawn } = body;
  const isWithdrawn = withdrawn !== null;
  return { branch, stage, isBattle, faction, revision, digest: sealed, isWithdrawn, row };
}

/**
 * Checks that orders were withdrawn with the word of their nonce, if the archive has a word.
 * @param {Line} line
 * @param {Stage} stage
 */
export function checkWord(line, stage) {
  const { word, nonce, withdrawn } = line.body;
  if (word !== undefined) {
    const should = withdrawn === null ? "" : nonceOfWord(word);
    expect(line, "the withdrawal word does not belong to the nonce", should, nonce, stage);
  }
}

/**
 * Returns the nonce that belongs to a withdrawal word.
 * @param {string} word
 */
export function nonceOfWord(word) {
  return hexOf(sha256(bytesOf(word))).slice(0, 32);
}

/**
 * Returns whether the owner of a key has signed a text; null if the browser cannot tell.
 * @param {string} vkey
 * @param {string} text
 * @param {string} line of the signature
 */
export async function isSigned(vkey, text, line) {
  const [, name, encoded] = /^([^+]+)\+[^+]+\+(.*)$/.exec(vkey) ?? ["", "", ""];
  const [signer, value] = line.trim().split(" ");
  if (signer !== name) {
    return false;
  }
  const key = bytesOfBase64(encoded).slice(1);
  const signed = bytesOfBase64(value ?? "").slice(4);
  if (signed.length !== SIGNATURE_BYTES) {
    return false;
  }
  try {
    const { subtle } = globalThis.crypto;
    const imported = await subtle.importKey("raw", key, "Ed25519", false, ["verify"]);
    return await subtle.verify("Ed25519", imported, signed, encoder.encode(text));
  } catch {
    return null; // the browser has no Ed25519
  }
}

/**
 * Throws a fault if two values differ.
 * @param {Line} line
 * @param {string} words
 * @param {any} should
 * @param {any} stands
 * @param {Stage | null} stage
 * @param {...string} values of the words
 */
export function expect(line, words, should, stands, stage = null, ...values) {
  if (canonical(should) !== canonical(stands ?? null)) {
    throw new ArchiveFault(line, words, stage, values);
  }
}

/**
 * Returns the round of a stage: the first one at least 30 seconds after its closing.
 * @param {string} closedAt
 */
export function roundAfter(closedAt) {
  const [, digits] = /\.(\d+)/.exec(closedAt) ?? ["", ""];
  const hasMore = /[1-9]/.test(digits.slice(3)); // microseconds, which Date does not keep
  const elapsed = Date.parse(closedAt) + BEACON_WAIT - FIRST_ROUND;
  return Math.floor((elapsed + BEACON_PERIOD - (hasMore ? 0 : 1)) / BEACON_PERIOD) + 1;
}

/**
 * Returns a public random value as the entropy chain contains it; empty without one.
 * @param {Line | null} line
 */
function beaconValue(line) {
  return line ? hexOf(sha256(bytesOf(line.body.signature))) : "";
}

/**
 * @param {Line} line
 * @param {string} closedAt
 * @param {Stage} stage
 */
function checkBeaconLine(line, closedAt, stage) {
  const { round, signature, randomness } = line.body;
  const isWhole = /^[0-9a-f]{96}$/.test(signature);
  expect(line, "the signature has a wrong form", true, isWhole, stage);
  const words = "the round is not the first one 30 seconds after the closing";
  expect(line, words, roundAfter(closedAt), round, stage);
  const value = beaconValue(line);
  expect(line, "the value is not that of its signature", value, randomness, stage);
}

/**
 * Returns whether an act lets a stage go on without a public random value.
 * @param {Stage} stage
 */
function wentOnWithout(stage) {
  return stage.acts.some((act) => (act.body.body ?? act.body.words)?.verb === "no-beacon");
}

/** @param {CheckedRow[]} rows */
function lastHash(rows) {
  return rows.at(-1)?.hash ?? null;
}

/** @param {Stage} stage */
export function isLeft(stage) {
  return stage.stage.body.how === LEFT;
}

/** @param {Line[]} entries */
export function liveEntries(entries) {
  return entries.filter((line) => line.body.withdrawn === null);
}

/**
 * Returns the leaves under a row; sheets are taken as the archive has them.
 * @param {Stage} stage
 * @param {Line} row
 * @param {Line[] | null} firstLines the first world and views, if the row covers them
 * @returns {Map<string, string>}
 */
function leavesOf(stage, row, firstLines) {
  const leaves = new Map();
  if (!isLeft(stage)) {
    leaves.set("snapshot", digest(stage.snapshot?.body.world));
    leaves.set("happenings", digest(stage.events?.body.events));
  }
  for (const [faction, view] of stage.views) {
    leaves.set(`view/${faction}`, digest(view.body.document));
  }
  if (row.body.schema < SCHEMA_3) {
    addFlat(leaves, stage);
    return leaves;
  }
  addActs(leaves, stage);
  addEntries(leaves, stage);
  addReports(leaves, stage);
  addOtherLeaves(leaves, stage);
  if (firstLines) {
    leaves.set("first", firstDigest(firstLines));
  }
  return leaves;
}

/**
 * @param {Map<string, string>} leaves
 * @param {Stage} stage
 */
function addFlat(leaves, stage) {
  stage.acts.forEach((act, number) => leaves.set(`act/${number}`, act.body.sha256));
  for (const [key, battle] of stage.battles) {
    leaves.set(`battle/${key}`, battle.stops.at(-1)?.body.chain ?? "");
  }
}

/**
 * @param {Map<string, string>} leaves
 * @param {Stage} stage
 */
function addOtherLeaves(leaves, stage) {
  leaves.set("setting", digest(stage.setting?.body.document ?? {}));
  if (stage.ruling) {
    const { number, document, told } = stage.ruling.body;
    leaves.set("ruling", digest([number, document, told]));
  }
  for (const [name, line] of stage.leaves) {
    if (/^(sheets|table)\//.test(name)) {
      leaves.set(name, line.body.digest);
    }
  }
}

/**
 * @param {Map<string, string>} leaves
 * @param {Stage} stage
 */
function addActs(leaves, stage) {
  const forAll = stage.acts.filter((act) => act.body.audience !== UMPIRES);
  const forUmpires = stage.acts.filter((act) => act.body.audience === UMPIRES);
  leaves.set("acts", digest(forAll.map((act) => act.body.sha256)));
  forUmpires.forEach((act, number) => leaves.set(`act/${number}`, act.body.sha256));
}

/**
 * @param {Map<string, string>} leaves
 * @param {Stage} stage
 */
function addEntries(leaves, stage) {
  const parts = entryParts(stage.entries);
  for (const [faction, document] of Object.entries(parts)) {
    leaves.set(`entry/${faction}`, digest(document));
  }
  leaves.set("entries", digest(parts));
}

/**
 * Returns how each faction's orders were sealed, without factions whose orders do not count.
 * @param {Line[]} entries of a stage
 */
export function entryParts(entries) {
  /** @type {Body} */
  const parts = {};
  for (const line of liveEntries(entries)) {
    const { faction, source, sealed_at: sealedAt, share } = line.body;
    const withdrawn = entries
      .filter((other) => other.body.faction === faction && other.body.withdrawn !== null)
      .map((other) => other.body.digest);
    const byServer = share === undefined;
    parts[faction] = { source, sealed_at: sealedAt, withdrawn, share_by_server: byServer };
  }
  return parts;
}

/**
 * @param {Map<string, string>} leaves
 * @param {Stage} stage
 */
function addReports(leaves, stage) {
  for (const [faction, view] of stage.views) {
    const { notices } = view.body.document.body;
    const isTold = !stage.ruling || stage.ruling.body.told.includes(faction);
    const reports = isTold ? [["stage", "", digest({ notices })]] : [];
    for (const [key, battle] of stage.battles) {
      const report = battleReport(key, battle, faction);
      if (report) {
        reports.push(["battle", key, digest(report)]);
      }
    }
    leaves.set(`told/${faction}`, toldDigest(reports));
  }
}

/**
 * Returns the digest of a faction's reports in any order.
 * @param {string[][]} reports kind, subject and digest of each
 */
export function toldDigest(reports) {
  const sorted = [...reports].sort((left, right) => (canonical(left) < canonical(right) ? -1 : 1));
  return digest(sorted);
}

/**
 * @param {string} key
 * @param {Battle} battle
 * @param {string} faction
 */
function battleReport(key, battle, faction) {
  const { start } = battle.start.body;
  const sides = start.sides.map((/** @type {Body} */ side) => side.name);
  const side = sides.find((/** @type {string} */ name) => name.split("+").includes(faction));
  if (side === undefined) {
    return null;
  }
  const { turns, winner } = battle.result.body.document;
  return {
    hex: key.split("/")[0],
    side,
    sides,
    table: start.table,
    turns,
    winner,
    chain: battle.stops.map((line) => line.body.chain),
    phases: battle.stops.map((line) => line.body.views[side] ?? null),
  };
}

/** @param {Line[]} lines */
function firstDigest(lines) {
  /** @type {Body} */
  const views = {};
  let world = null;
  for (const line of lines) {
    if (line.kind === "view") {
      views[line.body.faction] = digest(line.body.document);
    } else if (line.kind === "snapshot") {
      ({ world } = line.body);
    }
  }
  return digest([digest(world), views]);
}

/**
 * Returns what a row of schema 1 hashes.
 * @param {Map<string, string>} leaves
 */
function flatResults(leaves) {
  const names = [...leaves.keys()].sort();
  /** @param {string} kind */
  const named = (kind) => names.filter((name) => name.startsWith(`${kind}/`));
  const numbers = named("act").map((name) => Number(name.slice(4)));
  return {
    battles: named("battle").map((name) => [name.slice(7), leaves.get(name)]),
    rulings: numbers.sort((a, b) => a - b).map((number) => leaves.get(`act/${number}`)),
    happenings: leaves.get("happenings"),
    snapshot: leaves.get("snapshot"),
    views: named("view").map((name) => leaves.get(name)),
  };
}
