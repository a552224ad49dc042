import type { Figures } from "../row.ts";
import { measureInBrowser } from "./browser.ts";

/** What the built page costs in Chromium. */
interface PageFigures {
  /** From asking for the page to its first row, in ms of the clock: the median of five. */
  readonly firstFrameMs: number;
  /** For how long at most it is held up while a thousand frames a second come in. */
  readonly floodTaskMs: number;
  /** What 120 accepted diffs leave behind, in units of 1,000,000 bytes. */
  readonly diffsHeapMb: number;
  /** Rules of axe that are broken in any tab of the wire. */
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
