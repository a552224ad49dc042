/** The schema of an object with properties, all of which are required. */
export type ObjectOf<Properties> = {
  readonly type: "object";
  readonly properties: Properties;
  readonly required: readonly (keyof Properties)[];
};

export function objectOf<const Properties extends object>(
  properties: Properties,
): ObjectOf<Properties> {
  const required = Object.keys(properties) as (keyof Properties)[];
  return { type: "object", properties, required };
}
