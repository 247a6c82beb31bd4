import type { Caller, Harness, Reply } from './harness.ts'
import {
  type MadeTeam,
  type MadeTournament,
  makeTeam,
  makeTournament,
  roleHolder,
  type TournamentOptions,
} from './make.ts'

/** A tournament with a qualifier for tests. */
export interface Cup {
  readonly organiser: Caller
  readonly coordinator: Caller
  readonly tournament: MadeTournament
  /** The path of the qualifier. */
  readonly path: string
}

export async function makeCup(api: Harness, options: TournamentOptions = {}): Promise<Cup> {
  const organiser = await api.user()
  const tournament = await makeTournament(api, organiser, { status: 'ongoing', ...options })
  const coordinator = await roleHolder(api, tournament, 'role:coordinator')
  return { organiser, coordinator, tournament, path: `/tournaments/${tournament.id}/qualifier` }
}

/** Bodies of maps with a maximum score of 1,000. */
export function someMaps(count: number): { hash: string; difficulty: string; name: string; maxScore: number }[] {
  return Array.from({ length: count }, (_, index) => ({
    hash: String(index + 1)
      .repeat(40)
      .slice(0, 40),
    difficulty: 'ExpertPlus',
    name: `Map ${index + 1}`,
    maxScore: 1_000,
  }))
}

/** Sets the qualifier up, open by default; returns its maps by GUID. */
export async function open(api: Harness, cup: Cup, body: object = {}): Promise<string[]> {
  const reply = await done(api.put(cup.path, cup.organiser, { maps: someMaps(2), status: 'open', ...body }))
  return reply.body.maps.map((map: { guid: string }) => map.guid)
}

export interface Player extends Caller {
  readonly team: MadeTeam
}

/** A registered team of new players, the captain first. */
export async function makePlayers(api: Harness, cup: Cup, count = 1): Promise<Player[]> {
  const callers = await Promise.all(Array.from({ length: count }, () => api.user()))
  const [captain, ...members] = callers
  if (captain === undefined) throw new Error('a team has a captain')
  const team = await makeTeam(api, cup.tournament, captain, { members, status: 'registered' })
  return callers.map((caller) => ({ ...caller, team }))
}

/** Records scores of a player, one on each map, in order; null leaves a map out. */
export async function play(
  api: Harness,
  cup: Cup,
  maps: readonly string[],
  player: { readonly guid: string },
  scores: readonly (number | null)[],
): Promise<void> {
  const attempts = scores.flatMap((score, index) =>
    score === null ? [] : [{ mapGuid: maps[index], user: player.guid, score }],
  )
  const reply = await done(api.post(`${cup.path}/attempts`, cup.coordinator, { attempts }))
  if (reply.body.accepted.length !== attempts.length) throw new Error(`attempts were not recorded: ${reply.text}`)
}

export async function done(call: Promise<Reply>): Promise<Reply> {
  const reply = await call
  if (reply.status >= 300) throw new Error(`what a test starts from was refused: ${reply.status} ${reply.text}`)
  return reply
}

/** A cup with an open qualifier and a player in it. */
export interface Stage {
  readonly cup: Cup
  readonly maps: readonly string[]
  readonly player: Player
  readonly post: (attempts: readonly object[], as?: Caller | null) => Promise<Reply>
  /** The result of one attempt of the player on the first map: accepted, duplicate, or why it was rejected. */
  readonly attempt: (more?: object) => Promise<string>
}

export async function stage(api: Harness, settings: object = {}): Promise<Stage> {
  const cup = await makeCup(api)
  const maps = await open(api, cup, settings)
  const [player] = await makePlayers(api, cup)
  if (player === undefined) throw new Error('there is no player')
  const post: Stage['post'] = (attempts, as = cup.coordinator) => api.post(`${cup.path}/attempts`, as, { attempts })
  const attempt = async (more: object = {}) => {
    const { accepted, rejected } = (await done(post([{ mapGuid: maps[0], user: player.guid, score: 500, ...more }])))
      .body
    return rejected[0]?.reason ?? (accepted.length === 1 ? 'accepted' : 'duplicate')
  }
  return { cup, maps, player, post, attempt }
}

/** A qualifier in which each of the teams has played better than the next one. */
export async function qualify(api: Harness, { guid }: MadeTournament, teams: readonly MadeTeam[]): Promise<void> {
  await api.sql(
    `with q as (
       insert into qualifiers (tournament_guid, status, attempts, hide_scores, method, settings)
       values ($1, 'open', 3, false, 'sum_of_scores',
         '{"countMaps":null,"topPlayers":null,"points":[1],"missing":"zero","failCounts":true}') returning guid),
     m as (
       insert into qualifier_maps (qualifier_guid, hash, difficulty, characteristic, weight, "order")
       select guid, repeat('a', 40), 'Easy', 'Standard', 1, 0 from q returning guid, qualifier_guid)
     insert into qualifier_attempts
       (qualifier_guid, map_guid, user_guid, team_guid, score, completion, source, played_at, recorded_by_guid)
     select m.qualifier_guid, m.guid, t.captain_guid, t.guid, 900000 - 1000 * place, 'passed', 'manual', now(), t.captain_guid
     from m, unnest($2::uuid[]) with ordinality as o (guid, place) join teams t on t.guid = o.guid`,
    [guid, teams.map((team) => team.guid)],
  )
}
