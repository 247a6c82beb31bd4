import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'vitest'
import {
  type AssistantPlayOptions,
  assistantPath,
  keysOf,
  type MadeAssistantPlay,
  makeAssistantPlay,
} from './assistant.ts'
import { startFakeAssistant } from './fakes/assistant/assistant.ts'
import type { AssistantOptions, FakeAssistant } from './fakes/assistant/types.ts'
import type { Harness, Reply } from './harness.ts'

/** A match that an operator plays through its own fake assistant, so that faults of one match do not affect others. */

// biome-ignore lint/suspicious/noExplicitAny: answers are read in tests as JSON, whose form the contract tests check.
type Body = any

export interface PlayRow {
  readonly guid: string
  readonly state: string
  readonly expected: readonly { readonly userGuid: string }[]
}

export interface FinishRow {
  readonly play_guid: string
  readonly user_guid: string
  readonly score: number
  readonly completion: string
  readonly warnings: readonly string[]
}

export interface OperatedOptions extends AssistantPlayOptions {
  readonly server?: AssistantOptions
}

const patient = { timeout: 60_000, interval: 50 }

export class Operated {
  readonly api: Harness
  readonly fake: FakeAssistant
  readonly made: MadeAssistantPlay
  readonly path: string

  constructor(api: Harness, fake: FakeAssistant, made: MadeAssistantPlay) {
    this.api = api
    this.fake = fake
    this.made = made
    this.path = assistantPath(made)
  }

  get games() {
    return this.made.players.flat().map(({ game }) => game)
  }

  get users(): readonly string[] {
    return this.made.players.flat().map(({ user }) => user.guid)
  }

  open(): Promise<Reply> {
    return this.api.post(this.path, this.made.organiser)
  }

  /** The session as staff see it. */
  async read(): Promise<Body> {
    return (await this.api.get(this.path, this.made.organiser)).body
  }

  /** Takes control first, because it may have expired while the test was waiting. */
  async ask(method: 'POST' | 'PUT', name: string, body?: unknown, key?: string): Promise<Reply> {
    const { organiser } = this.made
    await this.api.post(`${this.path}/control`, organiser, { action: 'take' })
    const headers = key === undefined ? {} : { 'idempotency-key': key }
    return this.api.call(method, `${this.path}/${name}`, { as: organiser, body, headers })
  }

  /** Repeats the command until it succeeds, like an operator with a broken connection. */
  async insist(method: 'POST' | 'PUT', name: string, body?: unknown): Promise<Reply> {
    for (let tries = 1; ; tries++) {
      const reply = await this.ask(method, name, body)
      if (reply.status < 300 || tries === 40) return reply
      await wait(250)
    }
  }

  setMap(index = 0): Promise<Reply> {
    return this.insist('PUT', 'map', this.mapBody(index))
  }

  mapBody(index = 0): object {
    return { hash: this.made.hashes[index], characteristic: 'Standard', difficulty: 'ExpertPlus' }
  }

  async until(phase: string | RegExp): Promise<Body> {
    const wanted = typeof phase === 'string' ? new RegExp(`^${phase}$`) : phase
    await expect.poll(async () => (await this.read()).phase, patient).toMatch(wanted)
    return this.read()
  }

  /** Opens the session and loads a map for all players. */
  async loaded(index = 0): Promise<void> {
    const opened = await this.open()
    if (opened.status >= 300) throw new Error(`not opened: ${opened.text}`)
    await this.until(/^(ready|loaded|finished)$/)
    await this.setMap(index)
    await this.load()
  }

  async load(): Promise<void> {
    for (let tries = 1; ; tries++) {
      await this.insist('POST', 'load')
      const { phase } = await this.read()
      if (phase === 'loaded' || tries === 10) return
      await wait(250)
    }
  }

  plays(): Promise<PlayRow[]> {
    return this.api.sql<PlayRow>(
      'select guid, state, expected from assistant_plays where tournament_guid = $1 order by started_at',
      [this.made.cup.guid],
    )
  }

  finishes(): Promise<FinishRow[]> {
    return this.api.sql<FinishRow>(
      `select play_guid, user_guid, score, completion, finishes.warnings from assistant_finishes finishes
       join assistant_plays plays on plays.guid = finishes.play_guid where plays.tournament_guid = $1
       order by plays.started_at, received_at`,
      [this.made.cup.guid],
    )
  }

  async proposals(): Promise<Body[]> {
    return (await this.api.get(`${this.made.first}/proposals`, this.made.organiser)).body.proposals
  }

  /** The outcome of the play, once it is over. */
  async outcome(count = 1): Promise<string> {
    const over = async () => {
      const plays = await this.plays()
      return plays.length >= count && plays.every(({ state }) => state !== 'sending' && state !== 'started')
    }
    await expect.poll(over, patient).toBe(true)
    return (await this.plays()).at(-1)?.state ?? ''
  }

  received(kind: string) {
    return this.fake.received.filter((packet) => packet.kind === kind)
  }

  async warnings(): Promise<readonly string[]> {
    return (await this.read()).warnings.map(({ code }: { readonly code: string }) => code)
  }
}

/** A tournament with one match and a link to its own fake; closing `api` ends neither. */
export async function operate(api: Harness, options: OperatedOptions = {}): Promise<Operated> {
  const { server, ...rest } = options
  const fake = await startFakeAssistant({ keys: keysOf(api), ...server })
  const made = await makeAssistantPlay(
    { api, fake, [Symbol.asyncDispose]: fake.close },
    { teams: 2, maps: 3, kind: 'desktop', ...rest },
  )
  return new Operated(api, fake, made)
}

/** Prepares the cases one after the other, because that is expensive, and runs their waits concurrently. */
export async function operateAll<T>(
  cases: readonly T[],
  arrange: (one: T) => Promise<Operated>,
  act: (operated: Operated, one: T) => Promise<void>,
): Promise<void> {
  const acting: Promise<string | null>[] = []
  const fakes: FakeAssistant[] = []
  for (const one of cases) {
    const operated = await arrange(one)
    fakes.push(operated.fake)
    const failed = (reason: unknown) => `${JSON.stringify(one)}: ${reason instanceof Error ? reason.stack : reason}`
    // The rejection is handled immediately, because further cases are prepared meanwhile.
    acting.push(act(operated, one).then(() => null, failed))
  }
  const failures = (await Promise.all(acting)).filter((failure) => failure !== null)
  await Promise.all(fakes.map((fake) => fake.close()))
  if (failures.length > 0) throw new Error(failures.join('\n'))
}
