import { systemClock } from "../rpc/clock.ts";

/** The assertions that the contracts use, as in vitest and jest. */
export interface Expectation {
  toBe(expected: unknown): void;
  toEqual(expected: unknown): void;
}

/** The functions of a test runner that a contract needs; it imports none. */
export interface ContractRunner {
  readonly test: (name: string, body: () => Promise<void>) => unknown;
  readonly expect: (actual: unknown, message?: string) => Expectation;
}

/** A contract: each law becomes a test with a subject of its own. */
export interface Contract<Subject> extends ContractRunner {
  readonly law: (words: string, body: (subject: Subject) => Promise<void>) => void;
}

/** The subject of a contract. */
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

/** How long a contract waits for an expected event. */
const TIMEOUT_MS = 60_000;

/** Waits until `holds` returns true. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + TIMEOUT_MS;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`waited ${TIMEOUT_MS} ms for ${String(holds)}`);
    await pause(1);
  }
}

/** Waits for a while; an event that has not happened by then is taken not to happen. */
export function pause(ms = 20): Promise<void> {
  return new Promise((resolve) => {
    systemClock.setTimeout(resolve, ms);
  });
}
