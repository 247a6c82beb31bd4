import { addBracket, type BracketBody } from '../bracket-play.ts'
import type { Draw } from '../draws.ts'
import { type MadeFlowPlay, makeFlowPlay } from '../flow-play.ts'
import type { Caller, Harness, Reply } from '../harness.ts'
import { platformMember, touch } from '../make.ts'
import { makeOverlayRow } from '../overlay-rows.ts'
import { makeAssignment } from '../streaming.ts'
import { makeWorld, type World } from '../world.ts'

/** An evening of a held tournament, played through the operations in moments that can be repeated on several services. */

export const delaySeconds = 600

export interface Evening {
  /** A tournament with a record of every kind, which is held as well. */
  readonly world: World
  /** The tournament that is played. */
  readonly made: MadeFlowPlay
  /** GUID of its second bracket, whose rounds follow from results. */
  readonly swiss: string
  readonly channel: string
  readonly overlay: string
  readonly assignment: string
  readonly stranger: Caller
  readonly reviewer: Caller
}

export async function makeEvening(api: Harness): Promise<Evening> {
  const world = await makeWorld(api, { status: 'ongoing', registered: true })
  const made = await makeFlowPlay(api, { teams: 4, bestOf: 3, maps: 9 })
  const { path, organiser, cup } = made
  await done(api.post(`${path}/divisions`, organiser, { name: 'Second', id: 'second' }))
  const swiss = await addBracket(api, made, { format: 'swiss', settings: { rounds: 2 }, division: 'second' })
  const url = 'https://live.example.org/finals'
  const channels = await done(
    api.put(`${path}/channels`, organiser, { channels: [{ name: 'Finals', url }], revision: 0 }),
  )
  const channel = channels.channels[0].guid
  // The addresses of its matches are seen at once, so the queue has them from the start.
  const entries = made.bracket.matches.slice(0, 2).map(({ guid }: BracketBody) => ({ match: guid }))
  await done(api.put(`${path}/channels/${channel}/queue`, organiser, { entries, revision: 0 }))
  const { guid: overlay } = await makeOverlayRow(api, cup, organiser)
  await api.sql(`update overlays set access = 'public' where tournament_guid = any ($1)`, [
    [cup.guid, world.tournament.guid],
  ])
  const [match] = await matchesOf(api, made, made.bracket.guid)
  const assignment = await makeAssignment(api, cup, made.captains[0] as Caller, { match: match.guid })
  const [stranger, reviewer] = [await api.user(), await platformMember(api, world.platform, 'reviewer')]
  for (const [guid, by] of [
    [cup.guid, organiser],
    [world.tournament.guid, world.organiser],
  ] as const) {
    await done(api.patch(`/tournaments/${guid}`, by, { spoilerMode: 'held', streamDelaySeconds: delaySeconds }))
  }
  await touch(api)
  return { world, made, swiss: swiss.guid, channel, overlay, assignment, stranger, reviewer }
}

/** The body of an answer that must be a success. */
export async function done(asked: Promise<Reply>): Promise<BracketBody> {
  const reply = await asked
  if (reply.status >= 300) throw new Error(`${reply.status}: ${reply.text}`)
  return reply.body
}

async function matchesOf(api: Harness, { path, organiser }: MadeFlowPlay, bracket: string): Promise<BracketBody[]> {
  return (await done(api.get(`${path}/brackets/${bracket}`, organiser))).matches
}

/** Plays on a service; what happens depends on the draws alone. */
export class Player {
  readonly #service: () => Harness
  readonly #evening: Evening
  readonly #draw: Draw
  #corrections: string[] = []

  /** @param service the one that is asked; it may have been started anew */
  constructor(service: () => Harness, evening: Evening, draw: Draw) {
    this.#service = service
    this.#evening = evening
    this.#draw = draw
  }

  get #api(): Harness {
    return this.#service()
  }

  get #made(): MadeFlowPlay {
    return this.#evening.made
  }

  #at(match: BracketBody): string {
    return `${this.#made.path}/matches/${match.guid}`
  }

  #one<T>(values: readonly T[]): T {
    return values[Math.floor(this.#draw() * values.length)] as T
  }

  #score(): { outcome: 'score'; scores: readonly [number, number] } {
    return {
      outcome: 'score',
      scores: this.#one([
        [2, 0],
        [2, 1],
        [1, 2],
        [0, 2],
      ] as const),
    }
  }

  async #ready(bracket: string): Promise<BracketBody[]> {
    return (await matchesOf(this.#api, this.#made, bracket)).filter(({ status }) =>
      ['ready', 'running'].includes(status),
    )
  }

  /** A match is called, begins, has its session and its first map, and is live in the channel. */
  async begins(): Promise<void> {
    const { path, organiser, pool } = this.#made
    const [first, second] = await this.#ready(this.#made.bracket.guid)
    await done(this.#api.post(`${this.#at(first)}/call`, organiser, {}))
    await done(this.#api.post(`${this.#at(first)}/start`, organiser, {}))
    const sides = [{ score: 900_000 + Math.floor(this.#draw() * 1_000) }, { score: 800_000 }]
    await done(this.#api.put(`${this.#at(first)}/games/1`, organiser, { sides }))
    await done(this.#api.post(`${this.#at(second)}/flow`, organiser, { flowGuid: 'accsaber-bo3', poolGuid: pool.guid }))
    const queue = `${path}/channels/${this.#evening.channel}/queue`
    const { revision } = await done(this.#api.get(queue, organiser))
    const entries = [
      { match: first.guid, status: 'live' },
      { match: second.guid, status: 'next' },
    ]
    await done(this.#api.put(queue, organiser, { entries, revision }))
    const control = `${path}/overlays/${this.#evening.overlay}`
    await done(this.#api.put(`${control}/match`, organiser, { matchGuid: first.guid }))
    await done(this.#api.patch(`${control}/control`, organiser, { flavour: `Map ${this.#draw()}` }))
  }

  /** The first open match of the first bracket ends. @returns its GUID */
  async ends(): Promise<string> {
    const [match] = await this.#ready(this.#made.bracket.guid)
    await done(this.#api.put(`${this.#at(match)}/result`, this.#made.organiser, this.#score()))
    return match.guid
  }

  /** The result of the first match is corrected. */
  async corrects(): Promise<void> {
    const [match] = await matchesOf(this.#api, this.#made, this.#made.bracket.guid)
    const winner = match.sides[0].result === 'win' ? 2 : 1
    const body = { outcome: 'walkover', winner, reason: 'It was the other one.' }
    const at = `${this.#at(match)}/result`
    const { revision } = await done(this.#api.put(`${at}?dryRun=true`, this.#made.organiser, body))
    const { correctionGuid } = await done(this.#api.put(at, this.#made.organiser, { ...body, revision }))
    this.#corrections.push(correctionGuid)
  }

  /** The last correction is undone. */
  async undoes(): Promise<void> {
    const guid = this.#corrections.pop()
    await done(this.#api.post(`${this.#made.path}/corrections/${guid}/undo`, this.#made.organiser))
  }

  /** All open matches of the second bracket end; the next round is paired where there is one. */
  async round(): Promise<void> {
    const { swiss } = this.#evening
    const { organiser, path } = this.#made
    for (const match of await this.#ready(swiss)) {
      await done(this.#api.put(`${this.#at(match)}/result`, organiser, this.#score()))
    }
    await this.#api.post(`${path}/brackets/${swiss}/rounds`, organiser)
  }

  async withdraws(): Promise<void> {
    const { path, organiser, teams } = this.#made
    const body = { reason: 'They are ill.', policy: 'walkover' }
    await done(this.#api.post(`${path}/teams/${this.#one(teams).guid}/withdraw`, organiser, body))
  }

  /** All that is open ends, and then the tournament. */
  async completes(): Promise<void> {
    const { path, organiser, bracket } = this.#made
    for (const each of [this.#evening.swiss, bracket.guid]) {
      for (let open = await this.#ready(each); open.length > 0; open = await this.#ready(each)) {
        for (const match of open) await done(this.#api.put(`${this.#at(match)}/result`, organiser, this.#score()))
      }
    }
    await done(this.#api.post(`${path}/status`, organiser, { status: 'completed' }))
  }
}
