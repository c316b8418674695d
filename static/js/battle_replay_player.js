// The state of the battle replay, shared and changed by its modules.

export const player = {
  moment: 0, // the index of the moment that is shown
  isPlaying: false,
  showsDice: false,
  tab: "log", // or "ships"
  /** @type {number | null} the unit that the table follows */
  followed: null,
};
