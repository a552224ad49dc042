import { setTimeout } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import type { Page } from "playwright-core";

const TIMEOUT_MS = 60_000;

interface Windows {
  activePage(): Promise<Page>;
  drive(method: string, ...args: readonly unknown[]): Promise<unknown>;
}

interface Rect {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The mouse in the active leaf, positioned by the words shown there. */
export class Pointer {
  readonly #windows: Windows;

  constructor(windows: Windows) {
    this.#windows = windows;
  }

  /** Drags over some words, from their first letter to their last. */
  async selectText(text: string, occurrence = 0): Promise<void> {
    await this.dragBetween(text, text, occurrence);
  }

  /** Drags from the start of some words to the end of others. */
  async dragBetween(from: string, to: string, occurrence = 0): Promise<void> {
    const { mouse } = await this.#windows.activePage();
    const first = await this.#rect(from, occurrence);
    const last = to === from ? first : await this.#rect(to, occurrence);
    await mouse.move(first.x + 0.5, first.y + first.height / 2);
    await mouse.down();
    await mouse.move(last.x + last.width / 2, last.y + last.height / 2, { steps: 2 });
    await mouse.move(last.x + last.width - 0.5, last.y + last.height / 2);
    await mouse.up();
  }

  async click(text: string, occurrence = 0): Promise<void> {
    const { x, y, width, height } = await this.#rect(text, occurrence);
    await (await this.#windows.activePage()).mouse.click(x + width / 2, y + height / 2);
  }

  /** A view may render its words a moment after it was opened, and then move them: waits until they stay. */
  async #rect(text: string, occurrence: number): Promise<Rect> {
    const end = performance.now() + TIMEOUT_MS;
    let before: unknown;
    for (;;) {
      try {
        const rect = (await this.#windows.drive("rectOf", text, occurrence)) as Rect;
        if (isDeepStrictEqual(rect, before) || performance.now() > end) return rect;
        before = rect;
      } catch (error) {
        if (performance.now() > end) throw error;
      }
      await setTimeout(20);
    }
  }
}
