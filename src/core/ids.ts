/** Identifiers of records and how a caller may spell them. (D6) */

const guidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const shortIdPattern = /^[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?$/
const reservedShortIds: ReadonlySet<string> = new Set(['mine', 'new', 'admin'])

export function isGuid(text: string): boolean {
  return guidPattern.test(text)
}

/** GUIDs are accepted in any case and stored in lower case. */
export function normaliseGuid(text: string): string {
  return text.toLowerCase()
}

/** Why a text cannot be a short id, as the end of a sentence; null when it can. Case does not matter. */
export function shortIdFault(text: string): string | null {
  const id = text.toLowerCase()
  if (isGuid(id)) return 'may not look like a GUID'
  if (!shortIdPattern.test(id)) return 'must be 1 to 32 letters, digits and hyphens, with no hyphen at either end'
  if (reservedShortIds.has(id)) return 'is a reserved word'
  return null
}

/**
 * How an identifier in an address is looked up: by GUID or by short id, never both, because a short id may not look
 * like a GUID.
 */
export type Identifier = { guid: string } | { id: string }

/** Reads a tournament, team or platform identifier; null when it can be neither form, so that no query is needed. */
export function parseIdentifier(text: string): Identifier | null {
  if (isGuid(text)) return { guid: normaliseGuid(text) }
  return shortIdPattern.test(text.toLowerCase()) ? { id: text.toLowerCase() } : null
}
