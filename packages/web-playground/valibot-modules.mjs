// valibot is published as one module, and a file of the page has modules whole: the first view would
// carry what only dialogs need of it. Its regions are the modules that it was built of; as such, each
// goes where it is needed.

const PREFIX = "\0valibot:";
const REGION = /^\/\/#region (\S+)\n([\s\S]*?)^\/\/#endregion$/gm;

/** Loads the one module of valibot as those that it was built of. */
export function valibotModules() {
  const modules = new Map();
  return {
    name: "valibot-modules",
    resolveId: (id) => (id.startsWith(PREFIX) ? id : null),
    load: (id) => modules.get(id) ?? null,
    transform(code, id) {
      if (!/\/valibot\/dist\/index\.mjs$/.test(id)) return null;
      const regions = [...code.matchAll(REGION)].map(([, name, text]) => {
        const { body } = this.parse(text);
        return { id: PREFIX + name, text, body, names: body.flatMap(declaredBy) };
      });
      const homes = new Map(regions.flatMap(({ id, names }) => names.map((name) => [name, id])));
      for (const { id, text, body, names } of regions) {
        const used = [...new Set(body.flatMap(usedBy))].filter((name) => homes.has(name));
        const foreign = used.filter((name) => homes.get(name) !== id);
        const imports = foreign.map((name) => `import { ${name} } from "${homes.get(name)}";\n`);
        modules.set(id, `${imports.join("")}${text}export { ${names.join(", ")} };`);
      }
      return regions
        .map(({ id, names }) => `export { ${names.join(", ")} } from "${id}";`)
        .join("\n");
    },
  };
}

function declaredBy({ type, id, declarations = [] }) {
  return type === "VariableDeclaration" ? declarations.map((one) => one.id.name) : [id.name];
}

/** The names in a part of a program, but those of members. Its local ones are none of the module's. */
function usedBy(node) {
  if (node.type === "Identifier") return [node.name];
  return Object.entries(node).flatMap(([key, value]) => {
    if ((key === "property" || key === "key") && !node.computed) return [];
    return [value].flat().flatMap((child) => (child?.type === undefined ? [] : usedBy(child)));
  });
}
