/**
 * Audiences of outsiders of held tournaments. They see the same as the audience within, but late: their states are
 * those of the horizons, and they learn of events in the order in which these are shown. (V2)
 */

const prefix = 'held:'

/** @param inside GUIDs of the held tournaments in which the audience sees the present, in order */
export function heldAudience(inside: readonly string[], audience: string): string {
  return `${prefix}${inside.join()} ${audience}`
}

/** The audience without what is held from it. */
export function audienceWithin(audience: string): string {
  return audience.startsWith(prefix) ? audience.slice(audience.indexOf(' ') + 1) : audience
}

/**
 * GUIDs of the held tournaments in which the audience sees the present; null for an audience that sees the present
 * everywhere.
 */
export function insideOf(audience: string): readonly string[] | null {
  if (!audience.startsWith(prefix)) return null
  const inside = audience.slice(prefix.length, audience.indexOf(' '))
  return inside === '' ? [] : inside.split(',')
}
