/** How the assistant reports an attempt: over the connection that one process holds, or by a webhook. (AS24, AS26) */
export type Way = 'connection' | 'hook'

export function otherWay(way: Way): Way {
  return way === 'hook' ? 'connection' : 'hook'
}

/**
 * The id under which the delivery of a placeholder by one way is remembered. Placeholders have no result to tell them
 * apart.
 */
export function reportId(attemptGuid: string, way: Way): string {
  return `attempt:${attemptGuid}:${way}`
}
