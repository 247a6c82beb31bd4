import { type BracketOptions, type MadeBracket, makeBracket } from './bracket-play.ts'
import type { Caller, Harness, Reply } from './harness.ts'
import { roleHolder } from './make.ts'
import { makeMaps, makePool } from './pools.ts'

/** Matches by a flow, played through HTTP: a bracket, a published pool, a referee, and the captains. */

export interface FlowPlayOptions {
  readonly teams?: number
  readonly bestOf?: number
  /** The number of maps of the pool; the last ones are tiebreakers. */
  readonly maps?: number
  readonly flagged?: number
  readonly bracket?: Partial<BracketOptions>
}

export interface MadeFlowPlay extends MadeBracket {
  readonly referee: Caller
  readonly pool: { readonly guid: string }
  /** GUIDs of the pool's maps, in order. */
  readonly poolMaps: readonly string[]
}

export async function makeFlowPlay(api: Harness, options: FlowPlayOptions = {}): Promise<MadeFlowPlay> {
  const { teams = 2, bestOf = 3, maps = 7, flagged = 0 } = options
  const made = await makeBracket(api, {
    teams,
    format: 'single_elimination',
    ...options.bracket,
    settings: { bestOf, ...options.bracket?.settings },
  })
  const referee = await roleHolder(api, made.cup, 'role:referee')
  const entered = await makeMaps(api, maps)
  const pool = await makePool(api, made.cup.guid, {
    name: 'Finals',
    status: 'published',
    maps: entered.map(({ guid }, index) => ({ mapGuid: guid, isTiebreaker: index >= maps - flagged })),
  })
  return { ...made, referee, pool, poolMaps: pool.poolMaps }
}

// biome-ignore lint/suspicious/noExplicitAny: answers are read in tests as JSON, whose form the contract tests check.
export type StateBody = any

/** What of a tournament is needed to play one of its matches. */
export type Played = Pick<MadeFlowPlay, 'organiser' | 'path' | 'match' | 'readMatch' | 'teams' | 'captains' | 'referee'>

/** A session that is played through HTTP; it keeps the last seen position. */
export class FlowPlay<Made extends Played = MadeFlowPlay> {
  readonly api: Harness
  readonly made: Made
  readonly number: number
  state: StateBody = null

  constructor(api: Harness, made: Made, number = 1) {
    this.api = api
    this.made = made
    this.number = number
  }

  get path(): string {
    return `${this.made.path}/flow-sessions/${this.state.session}`
  }

  /** The captain of a seat's team. */
  captain(seat: number): Caller {
    const { team } = this.state.seats[seat - 1]
    const index = this.made.teams.findIndex(({ guid }) => guid === team.guid)
    return this.made.captains[index] as Caller
  }

  player(seat: number): string {
    return this.captain(seat).guid
  }

  async begin(body: object): Promise<Reply> {
    return this.#kept(await this.api.post(`${this.made.match(this.number)}/flow`, this.made.referee, body))
  }

  async call(as: Caller | null, operation: string, body: object): Promise<Reply> {
    return this.#kept(await this.api.post(`${this.path}/${operation}`, as, { expect: this.state.position, ...body }))
  }

  /** Acts as the captain of the seat. */
  act(seat: number, body: object): Promise<Reply> {
    return this.call(this.captain(seat), 'act', body)
  }

  /** Reports the scores of one player for each side, on the current run. */
  scores(first: object | number, second: object | number): Promise<Reply> {
    const scores = [first, second].map((given, index) => ({
      user: this.player(index + 1),
      ...(typeof given === 'number' ? { score: given } : given),
    }))
    return this.call(this.made.referee, 'scores', { scores })
  }

  async read(as: Caller | null = this.made.referee): Promise<StateBody> {
    return this.#kept(await this.api.get(this.path, as)).body
  }

  async match(): Promise<StateBody> {
    return this.made.readMatch(this.number)
  }

  #kept(reply: Reply): Reply {
    const state = reply.body?.state ?? reply.body
    if (state?.session !== undefined && typeof state.position === 'number') this.state = state
    return reply
  }
}
