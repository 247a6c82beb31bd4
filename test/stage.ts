import { expect } from 'vitest'
import { type Caller, chatIdMadeAt, type Harness, type Reply } from './harness.ts'
import { type MadeTeam, type MadeTournament, makeTournament, type TournamentOptions } from './make.ts'

/** Tournaments with many teams, a division and brackets. Brackets are created and matches played through the API. */

export interface Stage {
  readonly organiser: Caller
  readonly cup: MadeTournament
  /** In the order of registration: `t1`, `t2` and so on. */
  readonly teams: readonly MadeTeam[]
  /** The GUID of the division. */
  readonly division: string
  /** The path of the tournament. */
  readonly path: string
  create(body: object, query?: string): Promise<Reply>
  /** Creates a bracket, which must succeed; by default of all teams. */
  bracket(body?: object): Promise<Bracket>
  read(bracket: { readonly guid: string }): Promise<Bracket>
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape, and fail where it is not as expected.
export type Bracket = any
export type Match = Bracket['matches'][number]

export interface StageOptions extends TournamentOptions {
  readonly teams?: number
  readonly teamStatus?: 'unregistered' | 'registered' | 'qualified'
  /** The seeds of the teams in order; none by default. */
  readonly seeds?: readonly (number | null)[]
}

export async function makeStage(api: Harness, organiser: Caller, options: StageOptions = {}): Promise<Stage> {
  const cup = await makeTournament(api, organiser, options)
  const teams = await makeTeams(api, cup, options)
  const path = `/tournaments/${cup.guid}`
  const made = await api.sql<{ guid: string }>(
    `insert into divisions (tournament_guid, id, name, "order") values ($1, 'a', 'Division A', 1) returning guid`,
    [cup.guid],
  )
  const division = made[0]?.guid as string
  const create = (body: object, query = '') =>
    api.post(`${path}/divisions/${division}/brackets${query}`, organiser, {
      name: 'Playoffs',
      format: 'single_elimination',
      entrants: { source: 'registered' },
      ...body,
    })
  return {
    organiser,
    cup,
    teams,
    division,
    path,
    create,
    async bracket(body = {}) {
      const reply = await create(body)
      expect([reply.status, reply.headers.get('problem-code'), reply.status === 201 ? '' : reply.text]).toEqual([
        201,
        null,
        '',
      ])
      return reply.body
    },
    async read({ guid }) {
      const reply = await api.get(`${path}/brackets/${guid}`, organiser)
      expect(reply.status).toBe(200)
      return reply.body
    },
  }
}

let sequence = 0

/** Inserts teams of one with a single statement; each registered a second after the one before. */
export async function makeTeams(
  api: Harness,
  cup: MadeTournament,
  { teams: size = 8, teamStatus: status = 'registered', seeds = [] }: StageOptions = {},
): Promise<readonly MadeTeam[]> {
  const first = 1_000_000 + sequence
  sequence += size
  const chatIds = Array.from({ length: size }, (_, index) =>
    chatIdMadeAt(new Date('2021-01-01T00:00:00Z'), first + index),
  )
  const rows = await api.sql<{ guid: string; id: string; name: string }>(
    `with captains as (
       insert into users (chat_platform_id, username, preferred_name, avatar_url)
       select id, 'c' || id, 'c' || id, 'https://cdn.example.org/a.png' from unnest($2::text[]) as id
       returning guid, chat_platform_id),
     numbered as (
       select c.guid, a.place, ($4::int[])[a.place] as seed
       from unnest($2::text[]) with ordinality as a (id, place) join captains c on c.chat_platform_id = a.id)
     insert into teams (tournament_guid, id, name, captain_guid, status, seed, roster_locked, registered_at)
     select $1, 't' || place, 'Team ' || place, guid, $3, seed, $3 <> 'unregistered',
       case when $3 = 'unregistered' then null else timestamptz '2026-01-01' + place * interval '1 s' end
     from numbered order by place
     returning guid, id, name`,
    [cup.guid, chatIds, status, seeds],
  )
  await api.sql(
    `insert into team_members (team_guid, tournament_guid, user_guid)
     select guid, tournament_guid, captain_guid from teams where tournament_guid = $1
     on conflict do nothing`,
    [cup.guid],
  )
  await api.sql(
    `update tournament_counts set
       teams = (select count(*) from teams where tournament_guid = $1), 
       players = (select count(*) from team_members where tournament_guid = $1),
       registered = (select count(*) from teams where tournament_guid = $1 and status <> 'unregistered'),
       qualified = (select count(*) from teams where tournament_guid = $1 and status = 'qualified')
     where tournament_guid = $1`,
    [cup.guid],
  )
  return rows.toSorted((one, other) => Number(one.id.slice(1)) - Number(other.id.slice(1)))
}

/** Reports the winner of a match, 1 or 2. */
export async function win(
  api: Harness,
  { path, organiser }: Pick<Stage, 'path' | 'organiser'>,
  match: { readonly guid: string },
  winner: 1 | 2,
  scores: readonly [number, number] = winner === 1 ? [2, 0] : [0, 2],
): Promise<void> {
  const reply = await api.put(`${path}/matches/${match.guid}/result`, organiser, { outcome: 'score', winner, scores })
  expect([reply.status, reply.text]).toEqual([200, expect.anything()])
}

/** Plays all ready matches, round after round; the better seed wins each match. */
export async function playOut(api: Harness, stage: Stage, bracket: { readonly guid: string }): Promise<Bracket> {
  for (;;) {
    const now = await stage.read(bracket)
    const seeds = new Map<string, number>(
      now.entrants.map(({ team, seed }: { team: MadeTeam; seed: number }) => [team.guid, seed]),
    )
    const ready = now.matches.filter((match: Match) => match.status === 'ready')
    if (ready.length === 0) return now
    for (const match of ready) {
      const [first, second] = match.sides.map(({ team }: { team: MadeTeam }) => seeds.get(team.guid))
      await win(api, stage, match, first < second ? 1 : 2)
    }
  }
}

/** The pairings as short ids; `-` for an unknown team, `bye` for a free side. */
export function pairs(matches: readonly Match[]): string[] {
  return matches.map((match) =>
    match.sides.map((side: Match['sides'][number]) => (side.bye ? 'bye' : (side.team?.id ?? '-'))).join(' '),
  )
}
