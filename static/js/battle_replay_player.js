// What the player of a battle shows now.

export const player = {
  at: 0, // the moment that is shown
  part: 1, // of it, how much has passed
  isPlaying: false,
  showsDice: false,
  tab: "log",
  /** @type {number | null} the unit that the table follows */
  followed: null,
};
