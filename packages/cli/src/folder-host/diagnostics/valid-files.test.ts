import { expect, test } from "vitest";
import { useFolder } from "../../../../../tests/src/folder-fixture.ts";

const { write, counts } = useFolder();

const COMMENTED = '// why\n{\n  /* how */ "one": [1, 2,], // much\n}\n';

test.each([
  "tsconfig.json",
  "packages/a/tsconfig.build.json",
  "jsconfig.json",
  ".eslintrc.json",
  ".vscode/extensions.json",
  ".vscode/mcp.json",
  ".devcontainer/devcontainer.json",
  ".devcontainer.json",
  "devcontainer-feature.json",
  ".github/renovate.json",
  "renovate.json",
  "turbo.json",
  "typedoc.json",
  "deno.json",
  "biome.json",
  "nx.json",
  "angular.json",
  "api-extractor.json",
  "appsettings.Development.json",
  "Properties/launchSettings.json",
  "global.json",
  "wrangler.json",
  "tslint.json",
  ".oxlintrc.json",
  "babel.config.json",
  ".markdownlint.json",
  "pyrightconfig.json",
  "cspell.json",
  "rush.json",
  "themes/night-color-theme.json",
  "snippets/javascript.json",
  "xunit.runner.json",
  "ocelot.production.json",
  "stylecop.json",
  "tauri.conf.json",
  "database.rules.json",
  "electron-builder.json",
  "opencode.json",
  ".vscode/c_cpp_properties.json",
  "c_cpp_properties.json",
  "common/config/rush/common-versions.json",
  "common/config/rush/version-policies.json",
  "_locales/en/messages.json",
  "eas.json",
])("a comment or a trailing comma is valid where the tool accepts it: %s", async (name) => {
  expect(await counts(await write(name, COMMENTED))).toEqual({ [name]: 0 });
});

test("a file that names its schema may have comments", async () => {
  const text = '{\n  "$schema": "./own.json", // why\n}\n';
  expect(await counts(await write("own.json", text))).toEqual({ "own.json": 0 });
});

test("the strings of a template of Azure may have several lines", async () => {
  const schema = '"$schema": "https://schema.management.azure.com/schemas/2019-04-01/x.json#"';
  const text = `{\n  ${schema}, // it's "a\n  "b": "[concat(\n    'c', \\"d\n\\")]" /* e" */\n}\n`;
  expect(await counts(await write("main.json", text))).toEqual({ "main.json": 0 });
  const open = await write("open.json", `{\n  ${schema},\n  "b": "c\n}\n`);
  expect((await counts(open))["open.json"]).toBeGreaterThan(0);
});

test("a file that begins with the notice of a program may have comments", async () => {
  const text = "/*\n * Generated\n */\n{}\n";
  expect(await counts(await write("product.json", text))).toEqual({ "product.json": 0 });
});

test.each([
  [".cirrus.yml", "task:\n  a: b\ntask:\n  c: d\n"],
  ["recipe/meta.yaml", "build:\n  skip: true  # [win]\n  skip: false  # [unix]\n"],
])("a repeated key is valid where the tool accepts it: %s", async (name, text) => {
  expect(await counts(await write(name, text))).toEqual({ [name]: 0 });
});

test("several values, one in each line, are valid", async () => {
  const text = '{"id":1}\n{"id":2}\n\n[3]\n';
  expect(await counts(await write("export.json", text))).toEqual({ "export.json": 0 });
});

test.each([
  [
    "cloud.yaml",
    'A: !Sub "x-$\u007bB}"\nC: !GetAtt [D, E]\nF: !If [G, !Ref H, !Ref "AWS::NoValue"]\n',
  ],
  [".gitlab-ci.yml", "job:\n  script:\n    - !reference [.setup, script]\n"],
  ["compose.yaml", "services:\n  a:\n    ports: !override\n      - '1:1'\n    env: !reset null\n"],
  ["mkdocs.yml", "emoji: !!python/name:material.to_svg ''\nsite: !ENV [SITE, 'x']\n"],
  ["configuration.yaml", "key: !secret api\nparts: !include_dir_merge_named parts/\n"],
  ["vault.yml", "secret: !vault |\n  $ANSIBLE_VAULT;1.1;AES256\n  6162\n"],
  ["services.yaml", "arguments: [!tagged_iterator app.handler, !php/const A::B]\n"],
  ["own.yaml", "%FUTURE one\n---\na: !<tag:example.com,2020:b> {c: 1}\n"],
])("a tag or a directive that YAML leaves to the application is valid: %s", async (name, text) => {
  expect(await counts(await write(name, text))).toEqual({ [name]: 0 });
});

test.each([
  "a: [1, 2,\n3]\nb: {c: 1,\n d: [\n4 # four\n]}\ne: f\n",
  "a: 'first\n\nsecond'\nb: \"third\n# no comment\"\nc: it's [\n",
  "a: 'b'# why\nc: [d]# why\n",
])("a text that libyaml reads is valid: %j", async (text) => {
  expect(await counts(await write("wide.yaml", text))).toEqual({ "wide.yaml": 0 });
});

test.each([
  [
    "chart/templates/service.yaml",
    'kind: Service\n{{- with .Values.x }}\nname: {{ include "a.b" $ }}\n{{ toYaml . | indent 2 }}\n{{- end }}\n',
  ],
  ["chart/templates/quoted.yaml", 'name: "{{ template "a.b" . }}"\n'],
  ["roles/x/templates/app.yml", "{% for one in all %}\n- {{ one }}: x\n{% endfor %}\n"],
  ["database.yml", "<% 2.times do |n| %>\na<%= n %>:\n\tb: 1\n<% end %>\n"],
  ["{{cookiecutter.name}}/data.json", '{"count": {{ cookiecutter.count }}, "on": true}\n'],
])("a template is not parsed as the file it generates: %s", async (name, text) => {
  expect(await counts(await write(name, text))).toEqual({ [name]: 0 });
});

test.each([
  ["playbook.yml", 'a: "{{ one }}"\na: 2\n'],
  ["workflow.yml", "run: echo $\u007b{ github.sha }}\nrun: two\n"],
  ["number.yml", "a: !!int many\n"],
  ["list.yml", "a: !!set [1]\n"],
  ["open.yml", "a: [1,\nb: 2\n"],
  ["quote.yml", "a: 'x\nb: 2\n"],
  ["package.json", "// why\n{}\n"],
  ["settings.json", "{ // why\n  one\n}\n"],
  ["turbo.json", '{"a": 1 "b": 2}\n'],
  ["lines.json", '{"id":1}\n{"id":\n'],
  ["string.json", '{"a": "b\nc"}\n'],
])("a fault that every parser of the file rejects is found: %s", async (name, text) => {
  const { [name]: found } = await counts(await write(name, text));
  expect(found).toBeGreaterThan(0);
});

test.each([
  "[a](guide) [b](./guide#first-steps) [c](guide.html) [d](guide/) [e](guide.html#first-steps)",
  "[a](area) [b](area/) [c](area/#inside) [d](area/index.html) [e](../pages/area)",
  "[a](/img/logo.png) [b](/start/here) [c](@site/x.md) [d](~/x.png) [e](some/route)",
  "[a]({{ site.url }}/x.md) [b]($\u007broot}/x.png) [c](<{% link x.md %}>)",
  "[a](guide.md#own-id) [b](guide.md#first_steps) [c](guide.md#uber-alles) [d](guide.md#über-alles)",
  "[a](guide.md#numbered) [b](guide.md#_3-numbered) [c](guide.md#user-content-first-steps)",
  "[a](guide.md?plain=1#L3-L5) [b](#fn1) [c](#fnref-1) [d](guide.md#3-numbered)",
])("a link that a site's generator resolves is valid: %j", async (text) => {
  const guide = "# First steps\n\n## Other {#own-id}\n\n## Über alles\n\n## 3. Numbered\n";
  await write("pages/guide.md", guide);
  await write("pages/area/index.md", "# Inside\n");
  const name = "pages/page.md";
  expect(await counts(await write(name, text))).toEqual({ [name]: 0 });
});

test("a link in the front matter of a site is not a link of its page", async () => {
  for (const fence of ["---", "+++"]) {
    const text = `${fence}\ntitle = "[x](no.md)"\n${fence}\n`;
    expect(await counts(await write("post.md", text))).toEqual({ "post.md": 0 });
    const after = await write("post.md", `${text}[x](no.md)\n`);
    expect(await counts(after)).toEqual({ "post.md": 1 });
  }
});

test.each([
  "$$\n[a](no.md)\n$$",
  "f $$[a](no.md)$$ g",
  "f $x[i](no.md)$ g and $`[a](no.md)`$",
  "\\\\[ [a](no.md) \\\\] and \\\\( f[x](no.md) \\\\)",
  "\\[\n[a](no.md)\n\\]",
  "\\begin{align*}\nf[i](no.md) &= 1\n\\end{align*}",
  "<!--\n[a](no.md)\n\n[b](no.md)\n--> text <!-- [c](no.md) -->",
  "<pre>\n[a](no.md)\n\n[b](no.md)\n</pre>\n<script>\nb[0](no.md)\n</script>",
  "%% [a](no.md) %%\n\n%%\n[b](no.md)\n\n%%",
  "% [a](no.md)",
  "{% raw %}\n[a](no.md)\n{% endraw %}\n{%- highlight c -%}\na[0](no.md)\n{% endhighlight %}",
  "{{< highlight js >}}\na[0](no.md)\n{{< /highlight >}} {{/* [b](no.md) */}}",
  "{/* [a](no.md) */}",
  "{::comment}\n[a](no.md)\n{:/comment}",
  "@[youtube](no.id)",
  "A[^1]\n\n[^1]: Ibid.\n",
  "[a](<%= x %>.md) [b]({x}.md) [c]($VERSION/no.md) [d](%ROOT%/no.md) [e](no-<version>.zip)",
  "(own-label)=\n\n# One\n\n[a](#own-label)",
  "# One {.wide #one-id}\n\n[a](#one-id) [b](#one)",
  "![One](https://a.test){#one-id width=50%} [a](#one-id)",
  "[One]{#one-id} [a](#one-id)",
  "# One\n{: #one-id .b}\n\nTwo\n{:#two-id}\n\n[a](#one-id) [b](#two-id)",
  "```{figure} one.png\n:name: one-id\n```\n\n$$\na\n$$ (two-id)\n\n[a](#one-id) [b](#two-id)",
  "```{r}\n#| label: one-id\n```\n\n[a](#one-id)",
  '<h1 align="center">My <b>title</b></h1>\n\n[a](#my-title)',
  "# One\n\n[a](#markdown-header-one) [b](#readme) [c](#start-of-content) [d](#2)",
  "[a](../blob/main/page.ts) [b](../../-/raw/main/page.ts) [c](page.md:12) [d](page.md:12:3)",
])("text that some renderer does not parse as a link is ignored: %j", async (text) => {
  expect(await counts(await write("page.md", text))).toEqual({ "page.md": 0 });
});

test.each([
  "It costs $5 or [more](no.md) than $6",
  "`$$` [a](no.md) `$$`",
  "```\n$$\n```\n\n[a](no.md)\n\n```\n$$\n```",
  "100 %, then $$ and {{ or {% or %% [a](no.md)",
  "{% if a %}\n[a](no.md)\n{% endif %}",
  "$x$ [a](no.md) $y$",
  "{{ x }} [a](no.md) {{ y }}",
])("a broken link beside syntax of other dialects is found: %j", async (text) => {
  expect(await counts(await write("page.md", text))).toEqual({ "page.md": 1 });
});

test("a target of a project may be in any of its files", async () => {
  for (const marker of ["docs/conf.py", "book/myst.yml", "_toc.yml"]) {
    const folder = marker.replace(/[^/]*$/, "");
    const name = `${folder}pages/page.md`;
    const page = await write(name, "[a](#elsewhere) [b](page.md#no) [c](no.md)\n");
    expect(await counts(page)).toEqual({ [name]: 3 });
    await write(marker, "");
    expect(await counts(page)).toEqual({ [name]: 2 });
  }
});

test.each([
  "[a](guide#no)",
  "[a](guide.html#no)",
  "[a](guides.md)",
  "![a](logo.png)",
  "[a](guide.mdx)",
])("a link that is broken on every site is found: %s", async (text) => {
  await write("pages/guide.md", "# First steps\n");
  expect(await counts(await write("pages/page.md", text))).toEqual({ "pages/page.md": 1 });
});
