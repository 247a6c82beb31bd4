import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'vitest'
import { type MadeBracket, resultOf } from '../bracket-play.ts'
import type { Harness, Reply } from '../harness.ts'

export type Audience = 'strangers' | 'staff'

/** The topics of a tournament, its first match, and its list of matches. */
export function topicsOfWriter({ cup }: MadeBracket): readonly [cup: string, match: string, list: string] {
  const path = `/tournaments/${cup.guid}`
  return [path, `${path}/matches/1`, `${path}/matches`]
}

const pauseMs = 60

/** Writes to a tournament, one change after another, and keeps the fact that followers must receive for each. */
export class Writer {
  readonly #api: Harness
  readonly #made: MadeBracket
  readonly #told: { readonly fact: string; readonly number: number | null; readonly isHidden: boolean }[] = []
  #isOver = false
  #running: Promise<void> | undefined
  #fault: unknown

  constructor(api: Harness, made: MadeBracket) {
    this.#api = api
    this.#made = made
  }

  begin(): void {
    this.#running = this.#run().catch((fault) => {
      this.#fault = fault
      throw fault
    })
    this.#running.catch(() => {})
  }

  async end(): Promise<void> {
    this.#isOver = true
    await this.#running
  }

  /** Resolves after so many more changes. */
  async pass(count: number): Promise<void> {
    const wanted = this.#told.length + count
    while (this.#told.length < wanted) {
      if (this.#fault !== undefined) throw this.#fault
      await wait(10)
    }
  }

  /** The types and subjects of all facts of a topic, in order. */
  told(topic: string, audience: Audience): readonly string[] {
    const [cup, match] = topicsOfWriter(this.#made)
    const isOf = (number: number | null) => {
      // In the tournament's topic, staff get the facts of everything in it.
      if (topic === cup) return number === null || audience === 'staff'
      return topic === match ? number === 1 : number !== null
    }
    return this.#told
      .filter(({ number, isHidden }) => isOf(number) && !(isHidden && audience === 'strangers'))
      .map(({ fact }) => fact)
  }

  async #run(): Promise<void> {
    const { organiser } = this.#made
    const [cup, match] = topicsOfWriter(this.#made)
    for (let turn = 1; !this.#isOver; turn++) {
      this.#note('tournament.updated', await this.#api.patch(cup, organiser, { summary: `Turn ${turn}.` }), null)
      const streamUrl = `https://live.example.org/${turn}`
      await wait(pauseMs)
      this.#note('match.updated', await this.#api.patch(match, organiser, { streamUrl }), 1)
      await wait(pauseMs)
      this.#note('match.updated', await this.#api.patch(match, organiser, { notes: `Note ${turn}.` }), 1, true)
      await wait(pauseMs)
      await this.#play()
    }
  }

  async #play(): Promise<void> {
    const { read, match, organiser } = this.#made
    const { matches } = await read()
    const ready = matches.find(({ status }: { readonly status: string }) => status === 'ready')
    if (ready === undefined) return
    const path = match(ready.number)
    this.#note('match.started', await this.#api.post(`${path}/start`, organiser), ready.number)
    await wait(pauseMs)
    const told = await this.#api.put(`${path}/result`, organiser, resultOf(ready))
    this.#note('match.completed', told, ready.number)
  }

  /** @param number of the match; null for the tournament itself */
  #note(type: string, { status, text, body }: Reply, number: number | null, isHidden = false): void {
    expect(status, text).toBe(200)
    this.#told.push({ fact: `${type} ${body.guid}`, number, isHidden })
  }
}
