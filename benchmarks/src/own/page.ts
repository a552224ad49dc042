import type { Figures } from "../row.ts";
import { measureInBrowser } from "./browser.ts";

/** The costs of the built page in Chromium. */
interface PageFigures {
  /** From the request of the page to its first row, in ms of wall time: the median of five. */
  readonly firstFrameMs: number;
  /** Its longest task while it receives a thousand frames per second. */
  readonly floodTaskMs: number;
  /** The memory retained by 120 accepted diffs, in units of 1,000,000 bytes. */
  readonly diffsHeapMb: number;
  /** Rules of axe broken in any tab of the wire. */
  readonly axeComplaints: number;
}

/** The lowest of Lighthouse's four scores, from 0 to 100. */
interface LighthouseFigures {
  readonly desktop: number;
  readonly phone: number;
}

let page: Promise<PageFigures> | undefined;
let lighthouse: Promise<LighthouseFigures> | undefined;

/** One run in Chromium gives all figures. */
export async function pageFigure(name: keyof PageFigures): Promise<Figures> {
  page ??= measureInBrowser({ project: "playground", test: "figures.test" });
  return { idewire: [(await page)[name]] };
}

/** One run gives both figures. */
export async function lighthouseFigure(name: keyof LighthouseFigures): Promise<Figures> {
  lighthouse ??= measureInBrowser({ project: "playground", test: "lighthouse.test" });
  return { idewire: [(await lighthouse)[name]] };
}
