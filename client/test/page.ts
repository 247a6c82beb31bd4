import { type Client, connect, type Fact, type Options, type Status, type Topic } from '../connect.ts'
import { platform } from '../platform.ts'

/** Runs in a page of a browser, where tests look at what came of it. */

export interface PageOptions extends Pick<Options, 'url' | 'apiUrl'> {
  readonly topic: string
  /** By the tokens that `token` gives. */
  readonly isSignedIn?: boolean
  /** Milliseconds to wait, in place of those that the client would. */
  readonly waits?: Readonly<Record<number, number>>
  /** What is drawn by lot: by that, waits between attempts are multiplied. */
  readonly chance?: number
}

interface Seen {
  readonly client: Client
  readonly topic: Topic<unknown>
  readonly statuses: Status[]
  /** Each that the topic has had. */
  readonly values: unknown[]
  readonly facts: Fact[]
  /** Reasons for which facts may be missing. */
  readonly resyncs: string[]
}

declare global {
  /** Begins to follow, by a client of its own. */
  function follow(as: string, options: PageOptions): void
  /** What has come of it, by the name that the test gave. */
  var seen: Record<string, Seen>
  /** Whoever signs in brings one. */
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
