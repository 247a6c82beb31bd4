/** How an attempt is told of: over the connection that one process keeps, or by a hook. (AS24, AS26) */
export type Way = 'connection' | 'hook'

export function otherWay(way: Way): Way {
  return way === 'hook' ? 'connection' : 'hook'
}

/** Under which it is remembered that a placeholder came by a way: placeholders look all alike. */
export function reportId(attemptGuid: string, way: Way): string {
  return `attempt:${attemptGuid}:${way}`
}
