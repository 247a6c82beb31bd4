/** Reads as topics. A topic of a list is its first page, in the length of the service: it takes no `limit`. (W8) */

/** Whether an address asks for the state that viewers of the stream see. (RT42) */
export const isDelayed = (address: string) => /[?&]delayed=true(&|$)/.test(address)

/** The same address for the present state. */
export function undelayed<Address extends string>(address: Address): Address {
  const [path = '', query = ''] = address.split('?')
  const members = query.split('&').filter((each) => each !== 'delayed=true')
  return (members.length === 0 ? path : `${path}?${members.join('&')}`) as Address
}

/** The topic of a read; the delay is an option of the subscription. */
export function topicOf(address: string): string {
  const [path = '', query = ''] = address.split('?')
  const members = query.split('&').filter((each) => !/^$|^delayed=true$|^limit=/.test(each))
  return members.length === 0 ? path : `${path}?${members.join('&')}`
}

/** How many records an address asks for; 0 where it does not say. */
export const limitOf = (address: string) => Number(/[?&]limit=(\d+)/.exec(address)?.[1] ?? 0)

const listsOf = (body: object) => Object.values(body).filter((part): part is unknown[] => Array.isArray(part))

/**
 * The answer to a read by the value of its topic; undefined where the read asks for more records than the topic has.
 * Of a list that is cut, `nextCursor` leads past what was cut.
 */
export function answerBy(value: object, limit: number): object | undefined {
  if (limit === 0) return value
  if (Array.isArray(value)) return value.slice(0, limit)
  const hasMore = 'nextCursor' in value && value.nextCursor !== null
  if (hasMore && listsOf(value).every((list) => list.length < limit)) return undefined
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, Array.isArray(part) ? part.slice(0, limit) : part]),
  )
}

/** Whether the lists of an answer begin with those of a topic. */
export function beginsWith(answer: object | undefined, topic: object): boolean {
  if (answer === undefined) return false
  const lists = listsOf(answer)
  return listsOf(topic).every((list, at) => JSON.stringify(lists[at]?.slice(0, list.length)) === JSON.stringify(list))
}
