export function findDeadPlaces(site: string, base: string): string[];
