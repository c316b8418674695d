// A clock that runs by animation frames, at a rate, until its end.

const MAX_STEP = 250; // milliseconds: after a longer pause, such as a hidden page, it goes on

export class Clock {
  at = 0; // milliseconds
  end = 0;
  rate = 1;
  isRunning = false;
  #last = 0; // the time of the previous frame

  /**
   * @param {(at: number) => void} onframe
   * @param {() => void} onend called once the end is reached
   */
  constructor(onframe, onend) {
    this.onframe = onframe;
    this.onend = onend;
  }

  start() {
    if (this.isRunning) {
      return;
    }
    this.isRunning = true;
    this.#last = 0;
    requestAnimationFrame((time) => this.#tick(time));
  }

  stop() {
    this.isRunning = false;
  }

  /** @param {number} time milliseconds */
  #tick(time) {
    if (!this.isRunning) {
      return;
    }
    const passed = this.#last ? Math.min(MAX_STEP, time - this.#last) : 0;
    this.#last = time;
    this.at = Math.min(this.end, this.at + passed * this.rate);
    this.onframe(this.at);
    if (!this.isRunning) {
      return;
    }
    if (this.at < this.end) {
      requestAnimationFrame((next) => this.#tick(next));
      return;
    }
    this.isRunning = false;
    this.onend();
  }
}
