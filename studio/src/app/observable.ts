/** A value that others are told of when it is another one. */
export class Observable<T> {
  private readonly listeners = new Set<(value: T, before: T) => void>();

  constructor(private current: T) {}

  get value(): T {
    return this.current;
  }

  set(value: T): void {
    if (value === this.current) return;
    const before = this.current;
    this.current = value;
    for (const listener of [...this.listeners]) listener(value, before);
  }

  update(change: (value: T) => T): void {
    this.set(change(this.current));
  }

  /** Gives what ends it. */
  subscribe(listener: (value: T, before: T) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
}
