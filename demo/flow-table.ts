import { bodyOf } from './client.ts'
import type { Person } from './people.ts'
import { type Played, State } from './semi-final-log.ts'
import type { Entry } from './teams.ts'
import type { Scene } from './tournament.ts'

/** A match that is played by a flow: its session, and the users who act in it. */
export class Table {
  readonly path: string
  state: Played
  readonly #scene: Scene
  readonly #entries: readonly Entry[]

  constructor(scene: Scene, tournament: string, state: Played, entries: readonly Entry[]) {
    this.#scene = scene
    this.#entries = entries
    this.state = state
    this.path = `/tournaments/${tournament}/flow-sessions/${state.session}`
  }

  entry(seat: number): Entry {
    const team = this.state.seats[seat - 1]?.team.guid
    const entry = this.#entries.find(({ guid }) => guid === team)
    if (entry === undefined) throw new Error(`nobody sits in seat ${seat}`)
    return entry
  }

  name(seat: number): string {
    return this.entry(seat).nation.name
  }

  scoreline(): string {
    return `${this.name(1)} ${this.state.scoreline.join(' : ')} ${this.name(2)}`
  }

  change({ token }: Person, operation: string, body: object) {
    const json = { expect: this.state.position, ...body }
    return this.#scene.client.call('POST', `${this.path}/${operation}`, { token, json })
  }

  async write(person: Person, operation: string, body: object): Promise<void> {
    this.state = bodyOf(await this.change(person, operation, body), 200, State)
  }

  /** The captain whose turn it is chooses a legal option, until a map is to be played. */
  async choose(): Promise<void> {
    for (let { turn } = this.state; turn !== null && turn.action !== 'play'; turn = this.state.turn) {
      const { action, options, seats } = turn
      const captain = this.entry(seats[0] ?? 0).captain
      const option = options[(5 * this.state.position) % options.length]
      const chosen = action === 'choose' ? { place: options[0] } : { map: option }
      await this.write(captain, 'act', { action, ...chosen })
    }
  }

  /**
   * The scores of all players in the line-ups. `ours` are the accuracies of the given seat and `theirs` those of the
   * other seat, by place in the line-up.
   */
  scores(seat: number, ours: readonly number[], theirs: readonly number[]) {
    const { seats } = this.state
    const most = this.map()?.map.maxScore ?? 1_000_000
    return seats.flatMap(({ lineup }, index) =>
      (lineup ?? []).map((user, place) => {
        const accuracy = (index + 1 === seat ? ours : theirs)[place] ?? 0
        return { user, score: Math.round(most * accuracy), accuracy, most }
      }),
    )
  }

  /** The referee reports the scores. */
  async score(...given: Parameters<Table['scores']>): Promise<void> {
    const scores = this.scores(...given).map(({ user, score, accuracy }) => ({ user, score, accuracy }))
    await this.write(this.#scene.officials.referee, 'scores', { scores })
  }

  /** The last picked map. */
  map(): Played['pool']['maps'][number] | undefined {
    const { games, pool } = this.state
    return pool.maps.find(({ guid }) => guid === games.at(-1)?.map)
  }

  /** The captain of the seat accepts the result instead of claiming a replay. */
  async waive(seat: number): Promise<void> {
    if (this.state.phase === 'window') await this.write(this.entry(seat).captain, 'act', { action: 'accept' })
  }
}
