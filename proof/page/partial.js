// Checks what one faction can prove: an archive with a faction in `for`, and without a seed. It has
// the public rows and the faction's own orders, views and reports, with proofs that the rows cover
// them.

import {
  ArchiveFault,
  SCHEMA_3,
  War,
  bytesOf,
  canonical,
  checkWord,
  digest,
  entryParts,
  expect,
  hexOf,
  isLeft,
  joined,
  liveEntries,
  ordersDigest,
  recordOf,
  rootFromProof,
  toldDigest,
  verifyArchive,
} from "./verifier.js";

/** @typedef {import("./verifier.js").Body} Body */
/** @typedef {import("./verifier.js").Line} Line */
/** @typedef {import("./verifier.js").Stage} Stage */

const OF_THE_FACTION = ["entry", "stop-entry", "view", "report"]; // kinds of lines that name it
const ORDER = ["stage", "entry", "stop-entry", "act", "view", "report", "proof", "row"];
/** @type {Record<string, string[]>} */
const SORTED_BY = {
  entry: ["revision"],
  "stop-entry": ["battle", "stop", "revision"],
  report: ["report", "subject"],
  proof: ["name"],
};
/** @type {Record<string, string[]>} */
const FOLLOWERS = {
  archive: ["faction", "branch"],
  faction: ["faction", "branch"],
  branch: ["branch", "stage"],
  row: ["stage", "head", "end"],
  head: ["head", "end"],
};

/**
 * Checks an archive of either form.
 * @param {Uint8Array} bytes
 * @param {(done: number) => Promise<void>} [progress]
 */
export async function checkArchive(bytes, progress) {
  const first = new TextDecoder().decode(bytes.subarray(0, Math.max(0, bytes.indexOf(10))));
  let isOwn = false;
  try {
    const { kind, for: faction } = JSON.parse(first);
    isOwn = kind === "archive" && faction !== undefined;
  } catch {
    // verifyArchive says what is wrong with the line.
  }
  return verifyArchive(bytes, progress, isOwn ? new OwnWar() : new War());
}

class OwnWar extends War {
  constructor() {
    super();
    this.faction = "";
    /** @type {Line | null} */
    this.previous = null;
    /** @type {Map<string, Line[]>} by kind, of the open stage */
    this.own = new Map();
  }

  /** @param {Line} line */
  take(line) {
    this.checkOrder(line);
    this.previous = line;
    super.take(line);
    if (line.kind === "stage") {
      this.own = new Map([["stage", [line]]]);
    }
  }

  /** @param {Line} line */
  checkOrder(line) {
    const before = this.previous;
    if (!before) {
      return;
    }
    const isAct = before.kind === "act" && line.kind === "act";
    const isRight = this.stage
      ? isAct || (ORDER.includes(line.kind) && isSorted(before, line))
      : (FOLLOWERS[before.kind] ?? []).includes(line.kind);
    if (!isRight) {
      throw new ArchiveFault(line, "the line '{}' is not in its place", null, [line.kind]);
    }
  }

  /** @param {Line} line */
  open(line) {
    const { body } = line;
    expect(line, "this is not an archive of this format", 1, body.format);
    this.header = body;
    this.faction = body.for;
    this.verdict.campaign = body.campaign;
    this.verdict.keys = [body.vkey];
    this.verdict.name = body.name;
    this.verdict.own = body.for;
    this.verdict.stages = [];
  }

  /**
   * @param {Stage} stage
   * @param {Line} line
   */
  takeInStage(stage, line) {
    this.own.set(line.kind, [...(this.own.get(line.kind) ?? []), line]);
    if (line.kind === "row") {
      this.stage = null;
      this.checkOwnStage(stage, line);
    }
  }

  /** @param {string} kind */
  linesOf(kind) {
    return this.own.get(kind) ?? [];
  }

  /**
   * @param {Stage} stage
   * @param {Line} row
   */
  checkOwnStage(stage, row) {
    const { verdict } = this;
    this.checkOwnRow(stage, row);
    for (const line of OF_THE_FACTION.flatMap((kind) => this.linesOf(kind))) {
      expect(line, "the line is of another faction", this.faction, line.body.faction, stage);
    }
    this.checkOwnEntries(stage, row);
    if (row.body.schema >= SCHEMA_3) {
      this.checkProofs(stage, row);
      this.checkLeaves(stage, row);
    } else if (!verdict.limits.includes("own-old-rows")) {
      verdict.limits.push("own-old-rows");
    }
    const { branch, ordinal, week } = stage.stage.body;
    verdict.rows += 1;
    verdict.weeks = Math.max(verdict.weeks, week);
    verdict.entries += this.linesOf("entry").length;
    verdict.stages?.push(`${branch}/${ordinal}`);
    for (const line of this.linesOf("entry")) {
      verdict.records.push(recordOf(line, branch, ordinal, row.body.seq, false));
    }
    for (const line of this.linesOf("stop-entry")) {
      verdict.records.push(recordOf(line, branch, line.body.stop, row.body.seq, true));
    }
  }

  /**
   * @param {Stage} stage
   * @param {Line} row
   */
  checkOwnRow(stage, row) {
    const { body, prev_hash: before, hash, schema, seq, branch } = row.body;
    const place = stage.stage.body;
    const ledger = this.ledgerOf(place.branch);
    expect(row, "the branch of the row is another", place.branch, branch, stage);
    expect(row, "a row is missing", ledger.length, seq, stage);
    const last = ledger.at(-1)?.hash ?? before; // the first one follows from the scenario
    expect(row, "the chain of rows is broken", last, before, stage);
    expect(row, "the row has another hash", digest([before, body]), hash, stage);
    const facts = schema >= SCHEMA_3 ? ["branch", "again", "closed_at"] : [];
    for (const key of ["week", "stage", ...facts]) {
      expect(row, "'{}' of the row is another", place[key], body[key], stage, key);
    }
    if (facts.length) {
      expect(row, "the number of the row is another", seq, body.seq, stage);
    }
    expect(row, "the schema of the row is another", schema, body.schema, stage);
    this.checkBranchLine(stage, row);
    ledger.push({ branch: place.branch, hash, schema, world: "-", past: hash });
  }

  /**
   * @param {Stage} stage
   * @param {Line} row
   */
  checkOwnEntries(stage, row) {
    for (const line of [...this.linesOf("entry"), ...this.linesOf("stop-entry")]) {
      const { payload, nonce, share, digest: sealed } = line.body;
      const should = ordersDigest(payload, nonce, share);
      expect(line, "the orders do not match their digest", should, sealed, stage);
      checkWord(line, stage);
    }
    const live = liveEntries(this.linesOf("entry"));
    for (const line of live) {
      const counts = row.body.body.digests.includes(line.body.digest);
      expect(line, "the row does not count these orders", true, counts, stage);
    }
    if (!isLeft(stage)) {
      expect(row, "one entry counts in each stage", 1, live.length, stage);
    }
  }

  /**
   * @param {Stage} stage
   * @param {Line} row
   */
  checkProofs(stage, row) {
    const own = ["view", "told", "sheets", "entry"].map((kind) => `${kind}/${this.faction}`);
    for (const line of this.linesOf("proof")) {
      const { name, digest: value, blind, index, hashes } = line.body;
      const named = new TextEncoder().encode(canonical([name, value]));
      const leaf = joined(bytesOf(blind), named);
      const root = hexOf(rootFromProof(leaf, index, this.header.slots, hashes));
      const words = "the row does not cover the leaf {}";
      expect(line, words, row.body.body.outcome, root, stage, name);
      const isOwn = name === "acts" || own.includes(name) || /^(battle|table)\//.test(name);
      expect(line, "the leaf {} is not of this faction", true, isOwn, stage, name);
    }
  }

  /**
   * @param {Stage} stage
   * @param {Line} row
   */
  checkLeaves(stage, row) {
    const proofs = new Map(this.linesOf("proof").map((line) => [line.body.name, line]));
    for (const [name, value] of Object.entries(this.digestsOfLines(stage))) {
      const line = proofs.get(name);
      if (!line) {
        throw new ArchiveFault(row, "the proof of the leaf {} is missing", stage, [name]);
      }
      const words = "the leaf {} is not what the ledger row covers";
      expect(line, words, value, line.body.digest, stage, name);
    }
  }

  /**
   * Returns what leaves must be by the lines of the stage.
   * @param {Stage} stage
   */
  digestsOfLines(stage) {
    /** @type {Record<string, string>} */
    const digests = { acts: digest(this.linesOf("act").map((line) => line.body.sha256)) };
    const [view] = this.linesOf("view");
    if (view || !isLeft(stage)) {
      digests[`view/${this.faction}`] = view ? digest(view.body.document) : "";
    }
    if (!isLeft(stage)) {
      const reports = this.linesOf("report").map(({ body }) => {
        const covered = { ...body.document };
        delete covered.battle; // an id that only the faction knows
        return [body.report, body.subject, digest(covered)];
      });
      digests[`told/${this.faction}`] = toldDigest(reports);
    }
    const entry = entryParts(this.linesOf("entry"))[this.faction];
    if (entry) {
      digests[`entry/${this.faction}`] = digest(entry);
    }
    return digests;
  }
}

/**
 * Returns whether a line may follow another one in its stage.
 * @param {Line} before
 * @param {Line} line
 */
function isSorted(before, line) {
  const places = [ORDER.indexOf(before.kind), ORDER.indexOf(line.kind)];
  if (places[0] !== places[1]) {
    return places[0] < places[1];
  }
  for (const key of SORTED_BY[line.kind] ?? []) {
    if (before.body[key] !== line.body[key]) {
      return before.body[key] < line.body[key];
    }
  }
  return false;
}
