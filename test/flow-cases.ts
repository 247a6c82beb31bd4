import { expect } from 'vitest'
import { FlowPlay, type MadeFlowPlay, type StateBody } from './flow-play.ts'
import type { Caller, Harness, Reply } from './harness.ts'
import { touch } from './make.ts'

/** Helpers for tests of whole matches by flows: own flows, larger teams, and the agreement of log and match. */

/** Returns the GUID. */
export async function makeFlow(api: Harness, made: MadeFlowPlay, flow: object): Promise<string> {
  const reply = await api.post(`${made.path}/flows`, made.organiser, flow)
  if (reply.status !== 201) throw new Error(`no flow: ${reply.text}`)
  return reply.body.guid
}

/** Adds active members to the team up to that size, including its captain; returns all of them. */
export async function fillTeam(api: Harness, made: MadeFlowPlay, index: number, size: number): Promise<string[]> {
  const team = made.teams[index]
  const captain = made.captains[index]
  if (team === undefined || captain === undefined) throw new Error(`no team ${index}`)
  const others = await Promise.all(Array.from({ length: size - 1 }, () => api.user()))
  await api.sql(
    `insert into team_members (team_guid, tournament_guid, user_guid, joined_at)
     select $1, $2, user_guid, now() + place * interval '1 ms'
     from unnest($3::uuid[]) with ordinality as players (user_guid, place)`,
    [team.guid, made.cup.guid, others.map(({ guid }) => guid)],
  )
  await api.sql('update tournament_counts set players = players + $2 where tournament_guid = $1', [
    made.cup.guid,
    others.length,
  ])
  await touch(api, team.guid)
  return [captain, ...others].map(({ guid }) => guid)
}

type Score = number | ({ readonly score: number } & Readonly<Record<string, unknown>>)
/** The scores of one player, or of several in the order of their team. */
export type SideScores = Score | readonly Score[]

const within = (reply: Reply): Reply => {
  if (reply.status >= 300) throw new Error(`refused: ${reply.text.slice(0, 2_000)}`)
  return reply
}

/** A match with a referee and captains; after every step its games are compared with its log. */
export class MatchPlay extends FlowPlay {
  /** The members of larger teams, by GUID of the team. */
  readonly members: ReadonlyMap<string, readonly string[]>

  constructor(
    api: Harness,
    made: MadeFlowPlay,
    number = 1,
    members: ReadonlyMap<string, readonly string[]> = new Map(),
  ) {
    super(api, made, number)
    this.members = members
  }

  override async begin(body: object): Promise<Reply> {
    return within(await super.begin({ poolGuid: this.made.pool.guid, ...body }))
  }

  players(seat: number): readonly string[] {
    return this.members.get(this.state.seats[seat - 1].team.guid) ?? [this.player(seat)]
  }

  /** Reports the scores of both sides, or of one side. */
  async run(first: SideScores | null, second: SideScores | null = null): Promise<StateBody> {
    const scores = [first, second].flatMap((side, index) => {
      if (side === null) return []
      const list = (Array.isArray(side) ? side : [side]) as readonly Score[]
      return list.map((given, place) => ({
        user: this.players(index + 1)[place],
        ...(typeof given === 'number' ? { score: given } : given),
      }))
    })
    return this.done(this.made.referee, 'scores', { scores })
  }

  /** Does a step that must succeed. */
  async done(as: Caller, operation: string, body: object): Promise<StateBody> {
    within(await this.call(as, operation, body))
    await this.agrees()
    return this.state
  }

  async claim(seat: number): Promise<StateBody> {
    return this.done(this.captain(seat), 'claims', {})
  }

  async accept(seat: number): Promise<StateBody> {
    return this.done(this.made.referee, 'act', { action: 'accept', seat })
  }

  async penalise(body: object): Promise<StateBody> {
    return this.done(this.made.referee, 'penalties', { reason: 'Rules.', ...body })
  }

  async override(body: object): Promise<StateBody> {
    return this.done(this.made.referee, 'override', { reason: 'Rules.', ...body })
  }

  async technical(...seats: number[]): Promise<StateBody> {
    return this.done(this.made.referee, 'claims', { kind: 'technical', seats, reason: 'Crash.' })
  }

  async undo(): Promise<StateBody> {
    return this.done(this.made.referee, 'undo', {})
  }

  /** Plays one map, which the seat wins; no side claims a replay. */
  async win(seat: number): Promise<StateBody> {
    const side = (index: number) =>
      this.players(index)
        .slice(0, this.state.flow.rules.map.players)
        .map(() => (index === seat ? 900_000 : 800_000))
    await this.run(side(1), side(2))
    if (this.state.phase === 'window') await this.accept(3 - seat)
    return this.state
  }

  /** Plays until the match is decided. */
  async winAll(seat: number): Promise<StateBody> {
    for (let map = 0; map < 20 && this.state.status !== 'over'; map += 1) {
      const { turn } = this.state
      if (turn?.action === 'break') await this.done(this.made.referee, 'act', { action: 'break', seat: turn.seats[0] })
      else await this.win(seat)
    }
    return this.state
  }

  async log(): Promise<StateBody[]> {
    return within(await this.api.get(`${this.path}/log`, this.made.referee)).body.rows
  }

  /** The kinds of the rows after a position, or of all rows. */
  async kinds(after = 0): Promise<string[]> {
    return (await this.log()).filter(({ position }) => position > after).map(({ kind }) => kind)
  }

  /** Expects that log and match agree, however they were changed. (match-flows: Who wins a map, and the match) */
  async agrees(): Promise<StateBody> {
    const state = await this.read()
    const match = await this.match()
    expectAgreement(state, match)
    return match
  }
}

export function expectAgreement(state: StateBody, match: StateBody): void {
  const ended = state.games.filter(({ phase }: StateBody) => phase === 'final' || phase === 'void')
  const told = match.games.map(({ number, winner, sides }: StateBody) => ({
    number,
    winner,
    totals: sides.map(({ score }: StateBody) => score),
  }))
  // A map that is replaced by another one has no game.
  const numbers = new Set(match.games.map(({ number }: StateBody) => number))
  const own = ended
    .filter(({ game, phase }: StateBody) => phase === 'final' || numbers.has(game))
    .map(({ game, winner, sides }: StateBody) => ({
      number: game,
      winner,
      totals: sides.map(({ score }: StateBody) => score),
    }))
  expect(told).toEqual(own)
  const isOver = match.status === 'completed' || match.status === 'cancelled'
  if (state.status === 'over' && state.winner !== null) {
    expect([match.status, match.sides[state.winner - 1].result]).toEqual(['completed', 'win'])
  }
  if (state.status === 'running' || state.status === 'paused') expect(isOver).toBe(false)
}
