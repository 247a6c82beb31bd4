import { type Client, connect, type Fact, type Options, type Status, type Topic } from '../connect.ts'
import { platform } from '../platform.ts'

/** Runs in a page of a browser; tests read its results. */

export interface PageOptions extends Pick<Options, 'url' | 'apiUrl'> {
  readonly topic: string
  /** Signs in with the tokens that `token` returns. */
  readonly isSignedIn?: boolean
  /** Replacements for the client's waits, in milliseconds. */
  readonly waits?: Readonly<Record<number, number>>
  /** The value of `random`, by which the waits between attempts are multiplied. */
  readonly chance?: number
}

interface Seen {
  readonly client: Client
  readonly topic: Topic<unknown>
  readonly statuses: Status[]
  /** All values of the topic. */
  readonly values: unknown[]
  readonly facts: Fact[]
  /** The reasons why facts may be missing. */
  readonly resyncs: string[]
}

declare global {
  /** Follows a topic with a client of its own. */
  function follow(as: string, options: PageOptions): void
  /** The results by the name that the test gave. */
  var seen: Record<string, Seen>
  /** Returns the token of a page that is signed in. */
  function token(): Promise<string>
}

globalThis.seen = {}
globalThis.follow = (as, { topic: name, isSignedIn = false, waits = {}, chance, ...options }) => {
  const statuses: Status[] = []
  const client = connect(
    {
      ...options,
      ...(isSignedIn && { token: () => globalThis.token() }),
      onStatus: (status) => statuses.push(status),
    },
    {
      later: (ms, run) => platform.later(waits[ms] ?? ms, run),
      ...(chance !== undefined && { random: () => chance }),
    },
  )
  const topic: Topic<unknown> = client.topic(name, { facts: true })
  const kept: Seen = { client, topic, statuses, values: [], facts: [], resyncs: [] }
  topic.subscribe(({ value, facts, resync }) => {
    if (value !== kept.values.at(-1)) kept.values.push(value)
    kept.facts.push(...facts)
    if (resync !== undefined) kept.resyncs.push(resync.reason)
  })
  globalThis.seen[as] = kept
}
