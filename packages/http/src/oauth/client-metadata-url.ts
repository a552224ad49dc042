/**
 * The address of a client id metadata document is compared as text, so that it must have one spelling
 * (draft-ietf-oauth-client-id-metadata-document, section 3).
 */
export function isClientMetadataUrl(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { href, protocol, pathname, username, password, hash } = new URL(url);
  const isBare = username === "" && password === "" && hash === "";
  return href === url && protocol === "https:" && pathname !== "/" && isBare;
}
