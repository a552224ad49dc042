/** The few assertions that the contracts use: those of vitest and jest have them. */
export interface Expectation {
  toBe(expected: unknown): void;
  toEqual(expected: unknown): void;
}

/** What a contract needs of the test runner that it is handed; it imports none. */
export interface ContractRunner {
  readonly test: (name: string, body: () => Promise<void>) => unknown;
  readonly expect: (actual: unknown, message?: string) => Expectation;
}

/** The tests of one contract: each law is a test with a subject of its own. */
export interface Contract<Subject> extends ContractRunner {
  readonly law: (words: string, body: (subject: Subject) => Promise<void>) => void;
}

/** What a contract is tried on: how to make it, and how to dispose of it. */
export interface ContractSubject<Subject> {
  readonly name: string;
  readonly make: () => Subject | Promise<Subject>;
  readonly dispose: (subject: Subject) => unknown;
}

export function createContract<Subject>(
  runner: ContractRunner,
  { name, make, dispose }: ContractSubject<Subject>,
): Contract<Subject> {
  const law: Contract<Subject>["law"] = (words, body) =>
    void runner.test(`${name}: ${words}`, async () => {
      const subject = await make();
      try {
        await body(subject);
      } finally {
        await dispose(subject);
      }
    });
  return { ...runner, law };
}

/** How long a contract waits for what must come. A test that hangs is for its runner to end. */
const PATIENCE_MS = 20_000;

/** Waits until `holds` does. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + PATIENCE_MS;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`waited ${PATIENCE_MS} ms in vain for ${holds}`);
    await pause(1);
  }
}

/** Lets the system run for a while: what has not come by then is taken not to come. */
export function pause(ms = 20): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
