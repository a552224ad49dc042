/** Pages of the site that the repository has outside `docs`, each with its place on the site. */
export const elsewhere: Readonly<Record<string, string>>;
export function addressOf(link: string, source: string): string;
