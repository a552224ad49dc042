/** The severity of a result. */
export type SarifLevel = "error" | "warning" | "note";

export interface SarifRule {
  readonly id: string;
  /** One sentence. */
  readonly text: string;
  readonly explanation: string;
  readonly level: SarifLevel;
}

export interface SarifResult {
  readonly ruleId: string;
  readonly level: SarifLevel;
  readonly text: string;
  /** A place in a file, or a name. */
  readonly place:
    | { readonly path: string; readonly line: number; readonly endLine?: number | undefined }
    | { readonly name: string; readonly kind: string };
  /** Identifies the result across runs. */
  readonly fingerprint: string;
  readonly properties?: Readonly<Record<string, unknown>>;
}

export interface SarifLog {
  /** The program that made the run. */
  readonly tool: { readonly name: string; readonly version: string };
  readonly rules: readonly SarifRule[];
  readonly results: readonly SarifResult[];
}

/** A run as SARIF 2.1.0, as code hosts show it. Paths are relative to the repository. */
export function formatSarif({ tool, rules, results }: SarifLog): string {
  const fingerprintKey = `${tool.name.replace(/ (.)/g, (_, letter: string) => letter.toUpperCase())}/v1`;
  const driver = {
    ...tool,
    rules: rules.map(({ id, text, explanation, level }) => ({
      id,
      shortDescription: { text },
      fullDescription: { text: explanation },
      defaultConfiguration: { level },
    })),
  };
  const found = results.map(({ ruleId, level, text, place, fingerprint, properties }) => ({
    ruleId,
    ruleIndex: rules.findIndex(({ id }) => id === ruleId),
    level,
    message: { text },
    locations: [locationOf(place)],
    partialFingerprints: { [fingerprintKey]: fingerprint },
    ...(properties === undefined ? {} : { properties }),
  }));
  const sarif = {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [{ tool: { driver }, results: found }],
  };
  return `${JSON.stringify(sarif, undefined, 2)}\n`;
}

function locationOf(place: SarifResult["place"]): object {
  if ("name" in place) return { logicalLocations: [place] };
  const { path, line, endLine } = place;
  const uri = path.split("/").map(encodeURIComponent).join("/");
  const region = { startLine: line, ...(endLine === undefined ? {} : { endLine }) };
  return { physicalLocation: { artifactLocation: { uri, uriBaseId: "%SRCROOT%" }, region } };
}
