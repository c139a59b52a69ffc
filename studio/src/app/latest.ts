/** One thing at a time; of those that wait, only the last is carried out. So a hand that drags never leaves a queue behind. */
export class Latest {
  private running: Promise<unknown> | undefined;
  private turn = 0;

  /** Undefined where something newer came before its turn did. */
  async run<T>(body: () => Promise<T>): Promise<T | undefined> {
    const turn = ++this.turn;
    while (this.running) await this.running;
    if (turn !== this.turn) return undefined;
    const work = body();
    const ended = work.then(() => undefined, () => undefined);
    this.running = ended;
    try {
      return await work;
    } finally {
      if (this.running === ended) this.running = undefined;
    }
  }
}
