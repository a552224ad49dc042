import { expect } from "vitest";
import { verifies } from "../src/verifies.ts";
import { openFixture } from "./review-fixture.ts";

const note = "# Plan\n\n| who | what |\n|---|---|\n| Ann | bread |\n\nBring wine.\n\nGo home.\n";
const far = "https://images.example";
const proposed = note
  .replace("| Ann | bread |", "| Ann | bread |\n| Bob | [[Cheese]] |")
  .replace(
    "Bring wine.",
    `![a](${far}/a.png) <img src="${far}/b.png"> ![[Cheese]]\n\n\`\`\`dataviewjs\nrun()\n\`\`\``,
  );

verifies(
  "plugin:4:preview",
  "a review renders tables and links, and loads nothing that the agent has written",
  async () => {
    const vaultFiles = { "A.md": note, "Cheese.md": "Secret cheese.\n" };
    const { host, propose, person } = await openFixture({ vaultFiles, open: "Cheese.md" });
    const { page } = host;
    const preview = page.locator(".idewire-preview");
    const edit = await propose("A.md", proposed);
    expect(await preview.count()).toBe(0);
    await host.commands.run("review-toggle-preview");
    await preview.locator("td", { hasText: "Bob" }).waitFor();
    await preview.locator("a.internal-link", { hasText: "Cheese" }).first().waitFor();
    await preview.locator(".is-removed", { hasText: "Bring wine" }).waitFor();
    await preview.getByText(`<img src="${far}/b.png">`).waitFor();
    expect(await preview.getByText("Go home").count()).toBe(0);
    expect(await preview.locator("img, .internal-embed, [class*=language-]").count()).toBe(0);
    expect(host.traffic().origins.filter((origin) => origin.includes("example"))).toEqual([]);
    await host.screenshot("review-preview");
    await person.typeAfter("Go home.", " Late.");
    await preview.getByText("Go home. Late.").waitFor();
    await host.commands.run("review-toggle-preview");
    await preview.waitFor({ state: "detached" });
    await person.press("Accept file");
    expect((await edit.result).written).toBe(proposed.replace("home.", "home. Late."));
  },
);
