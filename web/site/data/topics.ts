/** Reads as topics. A topic of a list is its first page, in the length of the service: it takes no `limit`. (W8) */

/** The topic of a read: the delay is an option of the subscription, and a list is its first page. */
export function topicOf(address: string): string {
  const [path = '', query = ''] = address.split('?')
  const members = query.split('&').filter((each) => !/^$|^delayed=true$|^limit=/.test(each))
  return members.length === 0 ? path : `${path}?${members.join('&')}`
}

/** How many records of a list a topic has. */
export const topicLimit = 25

/** How many records an address asks for; 0 where it does not say. */
export const limitOf = (address: string) => Number(/[?&]limit=(\d+)/.exec(address)?.[1] ?? 0)

/** An answer with the first records of its lists; 0 for all. */
export function firstOf(body: unknown, limit: number): unknown {
  if (limit === 0 || typeof body !== 'object' || body === null) return body
  if (Array.isArray(body)) return body.slice(0, limit)
  return Object.fromEntries(
    Object.entries(body).map(([name, part]) => [name, Array.isArray(part) ? part.slice(0, limit) : part]),
  )
}

/** Whether a longer answer has the same first records as a topic. */
export function beginsWith(longer: unknown, topic: unknown): boolean {
  const lists = (body: unknown) => Object.values(body as object).filter((part) => Array.isArray(part))
  return longer !== undefined && JSON.stringify(lists(firstOf(longer, topicLimit))) === JSON.stringify(lists(topic))
}
