/** The names that the assistant gives to songs of the map catalogue. (AS8) */

const prefix = 'custom_level_'

/** The hash is in upper case there, and in lower case here. (AS8; pools: Records) */
export function levelOf(hash: string): string {
  return `${prefix}${hash.toUpperCase()}`
}

/** Null for a level that is not in the map catalogue, such as a song of the game itself. */
export function hashOf(levelId: string): string | null {
  return /^custom_level_([0-9a-f]{40})$/i.exec(levelId)?.[1]?.toLowerCase() ?? null
}
