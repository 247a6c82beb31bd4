import { readFlag } from '../../../core/flags.ts'
import type { Live, Operation, QueryOperation } from '../../../core/operation.ts'
import { invalid, type Problem, Problem as ProblemClass } from '../../../core/problem.ts'

/** Topics by name: the path of a live read without `/api`, with members of its query. (RT1) */

export type LiveOperation = QueryOperation & { readonly live: Live }

export interface Topic {
  readonly operation: LiveOperation
  /**
   * The canonical name, the same for every caller: path, known members of the query, and `delayed` for a delayed topic.
   */
  readonly name: string
  /** The canonical name without `delayed`. */
  readonly undelayedName: string
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  /** Whether it is followed as viewers of a delayed stream see it. (RT40) */
  readonly isDelayed: boolean
}

export function isLive(operation: Operation): operation is LiveOperation {
  return operation.kind === 'query' && operation.live !== undefined
}

const maxNameLength = 500
const guid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

interface Pattern {
  readonly operation: LiveOperation
  readonly segments: readonly string[]
}

/** Parses topic names. */
export class Topics {
  /** Patterns by number of segments, those with fewer parameters first. */
  readonly #patterns = new Map<number, Pattern[]>()

  constructor(operations: readonly LiveOperation[]) {
    for (const operation of operations) {
      const segments = operation.path.slice(1).split('/')
      const alike = this.#patterns.get(segments.length) ?? []
      this.#patterns.set(segments.length, [...alike, { operation, segments }])
    }
    for (const alike of this.#patterns.values()) {
      alike.sort((a, b) => parametersIn(a.segments) - parametersIn(b.segments))
    }
  }

  /** @throws Problem `topic.unknown`, `topic.invalid`, `topic.not_delayed` */
  read(name: string, isDelayed = false): Topic {
    if (name.length > maxNameLength) throw invalid('topic.invalid', `A topic has at most ${maxNameLength} characters.`)
    const [path = '', query = ''] = split(name)
    const segments = path.slice(1).split('/').map(decoded)
    const pattern = path.startsWith('/') ? this.#find(segments) : undefined
    if (pattern === undefined) throw unknownTopic()
    const params: Record<string, string> = {}
    const canonical = pattern.segments.map((part, index) => {
      const value = segments[index] as string
      if (!part.startsWith(':')) return part
      const spelled = guid.test(value) ? value.toLowerCase() : value
      params[part.slice(1)] = spelled
      return spelled === '@me' ? spelled : encodeURIComponent(spelled)
    })
    const { operation } = pattern
    if (isDelayed && operation.live.canBeDelayed !== true) {
      throw invalid('topic.not_delayed', 'This topic cannot be delayed.')
    }
    const members = readQuery(operation, query)
    const named = (asked: [string, string][]) =>
      `/${canonical.join('/')}${asked.length === 0 ? '' : `?${new URLSearchParams(asked)}`}`
    const undelayedName = named(members)
    return {
      operation,
      undelayedName,
      params,
      query: Object.fromEntries(members),
      isDelayed,
      name: isDelayed ? named([...members, ['delayed', '1']]) : undelayedName,
    }
  }

  #find(segments: readonly string[]): Pattern | undefined {
    return this.#patterns
      .get(segments.length)
      ?.find((pattern) =>
        pattern.segments.every((part, index) =>
          part.startsWith(':') ? segments[index] !== '' : part === segments[index],
        ),
      )
  }
}

/** The topic does not exist, or the caller may not see it: both have the same answer. (RT13) */
export function unknownTopic(): Problem {
  return new ProblemClass('missing', 'topic.unknown', 'There is no such topic.')
}

function parametersIn(segments: readonly string[]): number {
  return segments.filter((part) => part.startsWith(':')).length
}

function split(name: string): [path: string, query: string] {
  const at = name.indexOf('?')
  return at < 0 ? [name, ''] : [name.slice(0, at), name.slice(at + 1)]
}

/** An invalid encoding names nothing. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return ''
  }
}

/** The query's members in the declared order, whatever the caller's order; booleans in one spelling. (D83) */
function readQuery({ live, query }: LiveOperation, text: string): [string, string][] {
  const given = new URLSearchParams(text)
  const known = live.query ?? []
  for (const name of given.keys()) {
    if (!known.includes(name)) {
      throw invalid('topic.invalid', `The topic knows no member "${name.slice(0, 60)}" of a query; remove it.`)
    }
    if (given.getAll(name).length > 1) throw invalid('topic.invalid', `The topic has "${name}" more than once.`)
  }
  return known.flatMap((name): [string, string][] => {
    const value = given.get(name)
    if (value === null) return []
    const isFlag = (query?.properties[name] as { readonly type?: unknown } | undefined)?.type === 'boolean'
    return [[name, String((isFlag ? readFlag(value) : undefined) ?? value)]]
  })
}
