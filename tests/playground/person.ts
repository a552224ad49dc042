import type { Page } from "playwright-core";

/** A person at the page whose actions are counted: a click, a key, a text, a file. */
export class Person {
  actions = 0;
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  async press(key: string): Promise<void> {
    this.actions += 1;
    await this.page.keyboard.press(key);
  }

  async clicksOn(testId: string): Promise<void> {
    this.actions += 1;
    await this.page.getByTestId(testId).click();
  }

  async choosesRow(name: string | RegExp): Promise<void> {
    this.actions += 1;
    await this.page.getByRole("row", { name }).first().click();
  }

  async types(testId: string, text: string): Promise<void> {
    this.actions += 1;
    await this.page.getByTestId(testId).fill(text);
  }

  async givesFile(testId: string, name: string, content: string): Promise<void> {
    this.actions += 1;
    const file = { name, mimeType: "application/octet-stream", buffer: Buffer.from(content) };
    await this.page.getByTestId(testId).setInputFiles(file);
  }

  /** Opens the palette, types, and presses Enter. */
  async runs(words: string): Promise<void> {
    await this.press("Control+k");
    await this.types("palette", words);
    await this.page.getByRole("dialog").getByRole("option").first().waitFor();
    await this.press("Enter");
  }

  /** Opens a trace. */
  async opens(name: string, content: string): Promise<void> {
    await this.clicksOn("share");
    await this.givesFile("open-file", name, content);
    await this.page.getByTestId("guide").getByText("recorded trace").waitFor();
  }
}
