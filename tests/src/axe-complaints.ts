import axe from "axe-core";
import type { Page } from "playwright-core";

/**
 * The violations that axe finds in a page, or in the first element of a selector: each rule with its elements.
 * axe is injected into a page once, and reports details only of violations: both cost more than the rules.
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
