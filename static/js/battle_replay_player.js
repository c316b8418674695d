// The state of the battle replay, shared and changed by its modules.

export const player = {
  moment: 0, // the index of the moment that is shown
  progress: 1, // the fraction of the moment that has passed; slightly above 1 before the next one
  isPlaying: false,
  showsDice: false,
  tab: "log", // or "ships"
  /** @type {number | null} the unit that the table follows */
  followed: null,
};
