import { setTimeout } from 'node:timers/promises'
import type { Caller, Harness, Reply } from './harness.ts'
import { type MadeTeam, type MadeTournament, makeTeam, makeTournament, type TournamentOptions } from './make.ts'

/** Tournaments with brackets for tests; the brackets are created through the API. */

export interface MadeBracket {
  readonly organiser: Caller
  readonly cup: MadeTournament
  /** By seed: `team-1`, `team-2` and so on. */
  readonly teams: readonly MadeTeam[]
  /** The captains of the teams, in the same order. */
  readonly captains: readonly Caller[]
  readonly bracket: BracketBody
  /** The path of the tournament. */
  readonly path: string
  /** The path of a match, by its number. */
  readonly match: (number: number) => string
  /** The bracket as the organiser sees it. */
  readonly read: () => Promise<BracketBody>
  /** A match as the organiser sees it. */
  readonly readMatch: (number: number) => Promise<BracketBody>
  /** Puts a result as the organiser; returns any response. */
  readonly tell: (number: number, body: object, query?: string) => Promise<Reply>
  /** Reports a 2:0 win of the team in one of its matches. */
  readonly win: (number: number, team: string) => Promise<BracketBody>
}

// biome-ignore lint/suspicious/noExplicitAny: answers are read in tests as JSON, whose form the contract tests check.
export type BracketBody = any

export interface BracketOptions {
  readonly teams: number
  readonly format: 'single_elimination' | 'double_elimination' | 'round_robin' | 'swiss'
  readonly settings?: object
  readonly tournament?: TournamentOptions
}

export async function makeBracket(api: Harness, options: BracketOptions): Promise<MadeBracket> {
  const organiser = await api.user()
  const cup = await makeTournament(api, organiser, { status: 'ongoing', ...options.tournament })
  const { teams, captains } = await makeEntrants(api, cup, options.teams)
  const path = `/tournaments/${cup.id}`
  const division = await api.post(`${path}/divisions`, organiser, { name: 'Main', id: 'main' })
  if (division.status !== 201) throw new Error(`no division: ${division.text}`)
  const bracket = await addBracket(api, { path, organiser, teams }, { ...options, division: 'main' })
  const match = (number: number) => `${path}/matches/${number}`
  const whole = async (address: string) => {
    const reply = await api.get(address, organiser)
    if (reply.status !== 200) throw new Error(`not read: ${reply.text}`)
    return reply.body
  }
  const tell = (number: number, body: object, query = '') => api.put(`${match(number)}/result${query}`, organiser, body)
  return {
    organiser,
    cup,
    teams,
    captains,
    bracket,
    path,
    match,
    tell,
    read: () => whole(`${path}/brackets/${bracket.guid}`),
    readMatch: (number) => whole(match(number)),
    async win(number, team) {
      const { sides } = await whole(match(number))
      const index = sides.findIndex((side: BracketBody) => side.team?.id === team)
      if (index === -1) throw new Error(`${team} does not stand in match ${number}`)
      const told = await tell(number, { outcome: 'score', scores: index === 0 ? [2, 0] : [0, 2] })
      if (told.status !== 200) throw new Error(`not told: ${told.text}`)
      return told.body
    },
  }
}

/** Adds a bracket with teams of the tournament, in an existing division. */
export async function addBracket(
  api: Harness,
  { path, organiser, teams }: Pick<MadeBracket, 'path' | 'organiser' | 'teams'>,
  options: Pick<BracketOptions, 'format' | 'settings'> & { readonly division: string },
): Promise<BracketBody> {
  const made = await api.post(`${path}/divisions/${options.division}/brackets`, organiser, {
    name: 'Playoffs',
    format: options.format,
    settings: options.settings ?? {},
    entrants: { source: 'manual', teamGuids: teams.map(({ guid }) => guid) },
  })
  if (made.status !== 201) throw new Error(`no bracket: ${made.text}`)
  return made.body
}

/** Registered teams with seeds from 1, each with its own captain. */
async function makeEntrants(api: Harness, cup: MadeTournament, count: number) {
  const captains = await Promise.all(Array.from({ length: count }, () => api.user()))
  const teams = await Promise.all(
    captains.map((captain, index) =>
      makeTeam(api, cup, captain, { id: `team-${index + 1}`, name: `Team ${index + 1}`, status: 'registered' }),
    ),
  )
  await api.sql(
    `update teams set seed = t.seed
     from unnest($1::uuid[]) with ordinality as t (guid, seed) where teams.guid = t.guid`,
    [teams.map(({ guid }) => guid)],
  )
  return { teams, captains }
}

/** The better seed wins, with a score that differs from match to match. */
export function resultOf({ number, sides }: BracketBody): object {
  const [first, second] = sides.map(({ team }: BracketBody) => Number(team.id.slice(5)))
  const lost = number % 2
  return { outcome: 'score', scores: first < second ? [2, lost] : [lost, 2] }
}

/** Reports all ready matches until none is left, `together` at a time, through the services in turn. */
export async function playOut(services: readonly Harness[], made: MadeBracket, together: number): Promise<BracketBody> {
  for (;;) {
    const now = await made.read()
    const ready = now.matches.filter(({ status }: BracketBody) => status === 'ready')
    if (ready.length === 0) return now
    for (let index = 0; index < ready.length; index += together) {
      const replies = await Promise.all(
        ready
          .slice(index, index + together)
          .map((match: BracketBody, place: number) =>
            (services[place % services.length] as Harness).put(
              `${made.match(match.number)}/result`,
              made.organiser,
              resultOf(match),
            ),
          ),
      )
      const refused = replies.find(({ status }) => status !== 200)
      if (refused !== undefined) throw new Error(`not told: ${refused.text}`)
    }
  }
}

/** The teams of a match as short ids, with their scores; `-` for an unknown team. */
export function lineOf({ sides }: BracketBody): string {
  return sides.map(({ team, score }: BracketBody) => `${team?.id ?? '-'} ${score ?? '-'}`).join(' : ')
}

/** A bracket without its revisions and change times. */
export function substanceOf({ revision: _, updatedAt: __, ...bracket }: BracketBody): BracketBody {
  return {
    ...bracket,
    matches: bracket.matches.map(({ revision: ___, updatedAt: ____, ...match }: BracketBody) => match),
  }
}

interface LoggedEvent {
  readonly type: string
  readonly subject: string
  readonly actor: string
  readonly before: BracketBody
  readonly after: BracketBody
}

/** The events of a tournament after `seq`, the oldest first. */
export async function eventsSince(
  api: Harness,
  { guid }: MadeTournament,
  seq: number,
): Promise<readonly LoggedEvent[]> {
  return api.sql<LoggedEvent>(
    'select type, subject, actor, before, after from event_log where tournament = $1 and seq > $2 order by seq',
    [guid, seq],
  )
}

export async function lastEvent(api: Harness): Promise<number> {
  const [row] = await api.sql<{ seq: string }>('select coalesce(max(seq), 0) as seq from event_log')
  return Number(row?.seq)
}

/**
 * The number of deadlocks, read from the database because the service retries them; the database counts within a
 * second.
 */
export async function deadlocks(api: Harness): Promise<number> {
  await setTimeout(1_200)
  const [row] = await api.sql<{ deadlocks: number }>(
    'select deadlocks::int from pg_stat_database where datname = current_database()',
  )
  return row?.deadlocks ?? Number.NaN
}
