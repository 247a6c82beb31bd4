import { type Operation, parametersOf } from '../src/core/operation.ts'
import type { Caller, Harness } from './harness.ts'
import { type MadePlatform, type MadeTournament, makePlatform, makeTournament, type TournamentOptions } from './make.ts'

/**
 * A tournament with a team and an update in it, and a platform that it has asked: enough for every path parameter to name
 * something that exists.
 */
export interface World {
  readonly organiser: Caller
  readonly captain: Caller
  readonly member: Caller
  readonly tournament: MadeTournament
  readonly team: string
  readonly update: string
  readonly platform: MadePlatform
  /** Of the tournament to the platform, by GUID. */
  readonly visibilityRequest: string
  /** Short id of a division with a bracket of one match, whose result was corrected; the others by GUID. */
  readonly division: string
  readonly bracket: string
  readonly match: string
  readonly correction: string
  /** An availability sheet for every role. */
  readonly sheet: string
  /** One that places no match. */
  readonly proposal: string
}

export async function makeWorld(api: Harness, options: TournamentOptions = {}): Promise<World> {
  const [organiser, captain, member] = await Promise.all([api.user(), api.user(), api.user()])
  const tournament = await makeTournament(api, organiser, options)
  const [team] = await api.sql<{ guid: string }>(
    'insert into teams (tournament_guid, id, name, captain_guid) values ($1, $2, $2, $3) returning guid',
    [tournament.guid, 'the-team', captain.guid],
  )
  await api.sql('insert into team_members (team_guid, tournament_guid, user_guid) values ($1, $2, $3), ($1, $2, $4)', [
    team?.guid,
    tournament.guid,
    captain.guid,
    member.guid,
  ])
  await api.sql('update tournament_counts set teams = 1, players = 2 where tournament_guid = $1', [tournament.guid])
  const [update] = await api.sql<{ guid: string }>(
    `insert into updates (guid, tournament_guid, author_guid, title, content, changes, published_hash)
     values (gen_random_uuid(), $1, $2, 'Finals moved', 'To **Sunday**.', '[]', '') returning guid`,
    [tournament.guid, organiser.guid],
  )
  const platform = await makePlatform(api)
  const [request] = await api.sql<{ guid: string }>(
    `insert into visibility_requests (tournament_guid, platform_guid, status) values ($1, $2, 'pending') returning guid`,
    [tournament.guid, platform.guid],
  )
  const [sheet] = await api.sql<{ guid: string }>(
    `insert into availability_sheets (tournament_guid, created_by_guid, audience, team_eligibility, slot_minutes,
       accepted_statuses, title, mode, roles, timezone, windows)
     values ($1, $2, 'staff', 'both', 15, '{available,unavailable}', 'Finals', 'days', '{}', 'UTC',
       '[{"guid":"11111111-1111-4111-8111-111111111111","start":1777658400000,"end":1777662000000}]') returning guid`,
    [tournament.guid, organiser.guid],
  )
  const [proposal] = await api.sql<{ guid: string }>(
    `insert into schedule_proposals (tournament_guid, created_by_guid, wish, schedule, digest)
     values ($1, $2, $3, '{"placements":[],"unplaced":[],"teams":[],"officials":[]}', '') returning guid`,
    [tournament.guid, organiser.guid, JSON.stringify(plainWish)],
  )
  return {
    ...{ organiser, captain, member, tournament, platform },
    ...(await makeMatch(api, tournament, organiser)),
    team: team?.guid as string,
    update: update?.guid as string,
    visibilityRequest: request?.guid as string,
    sheet: sheet?.guid as string,
    proposal: proposal?.guid as string,
  }
}

async function makeMatch(api: Harness, tournament: MadeTournament, organiser: Caller) {
  const [made] = await api.sql<Record<'division' | 'bracket' | 'match' | 'correction', string>>(
    `with division as (
       insert into divisions (tournament_guid, id, name, "order") values ($1, 'a', 'Division A', 1) returning guid, id),
     bracket as (
       insert into brackets (tournament_guid, division_guid, name, "order", format, settings, status, open)
       select $1, guid, 'Playoffs', 1, 'single_elimination', $3, 'ready', 1 from division returning guid),
     match as (
       insert into matches (tournament_guid, division_guid, bracket_guid, number, section, round, status, sides, best_of)
       select $1, division.guid, bracket.guid, 1, 'upper', 1, 'locked', $4, 3 from division, bracket returning guid),
     correction as (
       insert into corrections (tournament_guid, bracket_guid, match_guid, actor_guid, before, after, revision)
       select $1, bracket.guid, match.guid, $2, '[]', '[]', 2 from bracket, match returning guid)
     select division.id as division, bracket.guid as bracket, match.guid as match, correction.guid as correction
     from division, bracket, match, correction`,
    [tournament.guid, organiser.guid, JSON.stringify(plainSettings), JSON.stringify([openSide, openSide])],
  )
  if (made === undefined) throw new Error('no match was made')
  return made
}

const openSide = { slot: null, from: null, bye: false, empty: false, score: null, result: null }

const plainSettings = {
  ...{ bestOf: 3, bestOfByRound: {}, seedOrdering: 'standard', thirdPlace: false, grandFinal: 'none' },
  ...{ groups: 1, legs: 1, distribution: 'snake', points: { win: 3, draw: 1, loss: 0 }, allowDraws: false },
  ...{ rounds: 1, byePoints: 3, avoidRematches: true, tieBreakers: [] },
}

const plainWish = {
  ...{ matchGuids: [], sheetGuids: [], minutesPerMatch: 60, minRestMinutes: 0, streams: ['Stream 1'] },
  ...{ officialsPerMatch: {}, earliest: '2026-05-01T18:00:00.000Z', latest: '2026-05-01T22:00:00.000Z' },
}

export const nobody = '00000000-0000-4000-8000-000000000000'

/** The operation's address in this world; what the world does not hold is named by a GUID that nothing has. */
export function addressOf(operation: Operation, world: World, unknown: readonly string[] = []): string {
  const values: Record<string, string> = {
    tournament: world.tournament.guid,
    team: world.team,
    update: world.update,
    user: world.member.guid,
    member: world.member.guid,
    platform: world.platform.contextId,
    visibilityRequest: world.visibilityRequest,
    sheet: world.sheet,
    proposal: world.proposal,
    division: world.division,
    bracket: world.bracket,
    match: world.match,
    correction: world.correction,
  }
  const filled = parametersOf(operation.path).reduce(
    (path, name) => path.replace(`:${name}`, unknown.includes(name) ? nobody : (values[name] ?? nobody)),
    operation.path,
  )
  return operation.root ? `/${filled}` : filled
}
