/** How the assistant names the songs of the map catalogue. (AS8) */

const prefix = 'custom_level_'

/** The hash stands in upper case there, and in lower case here. (AS8; pools: Records) */
export function levelOf(hash: string): string {
  return `${prefix}${hash.toUpperCase()}`
}

/** null where the level is none of the map catalogue's, such as a song of the game itself. */
export function hashOf(levelId: string): string | null {
  return /^custom_level_([0-9a-f]{40})$/i.exec(levelId)?.[1]?.toLowerCase() ?? null
}
