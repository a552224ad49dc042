import axe from "axe-core";
import type { Page } from "playwright-core";

/**
 * What axe finds wrong with a page, or the first element of a selector: each rule with its elements.
 * It is given to a page once, and details only what it objects to: both cost more than the rules.
 */
export async function axeComplaints(
  page: Pick<Page, "evaluate">,
  selector = "html",
): Promise<readonly string[]> {
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe.source);
  return page.evaluate(async (within) => {
    const { axe: inPage } = globalThis as unknown as { axe: typeof axe };
    const { violations } = await inPage.run(within, { resultTypes: ["violations"] });
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
  }, selector);
}
