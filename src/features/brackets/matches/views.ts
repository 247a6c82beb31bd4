import { type Static, Type } from 'typebox'
import type { Actor } from '../../../core/actor.ts'
import { tournamentRoles } from '../../../core/roles.ts'
import { Guid, Instant, nullable, oneOf } from '../../../core/schema.ts'
import { formatInstant } from '../../../core/time.ts'
import { roundName } from '../../../engine/rounds.ts'
import { matchStatuses, outcomes, sections, sideResults } from '../../../engine/types.ts'
import type { Db } from '../../../infra/db/database.ts'
import { listUserFacts } from '../../people/users/store/users.ts'
import type { UserFacts } from '../../people/users/types.ts'
import { playedTag, UserCard, userCard } from '../../people/users/views.ts'
import { listTeamSummaries } from '../../teams/teams/store/summaries.ts'
import { TeamRef } from '../../teams/teams/views/teams.ts'
import { isAnyStaff, isPooler } from '../../tournaments/access/policy.ts'
import { poolsOfMatches } from './rules.ts'
import { listOfficials } from './store/officials.ts'
import { listPoolsOfMatches } from './store/pools.ts'
import type { ListedMatch, MatchPool, Official } from './types.ts'
import { completions, type GameDetail, type MatchRecord, type StoredGame, type StoredSide } from './types.ts'

/** The accuracy of a score. Positive modifiers raise it above 1. (D62) */
const Accuracy = Type.Number({ minimum: 0, maximum: 2, examples: [0.9734] })
const Score = nullable(Type.Integer({ examples: [2] }))

const SideView = Type.Object({
  team: nullable(TeamRef, 'null while nobody is known, and for byes.'),
  from: nullable(
    Type.Object({ matchGuid: Guid, number: Type.Integer({ examples: [12] }), outcome: oneOf(['winner', 'loser']) }),
    'The match whose winner or loser plays here; it stays when the team is known.',
  ),
  bye: Type.Boolean({ description: 'Nobody plays here, by the bracket itself.' }),
  score: { ...Score, description: 'Games won, or what the result was given with.' },
  result: nullable(oneOf(sideResults)),
})

const GameView = Type.Object({
  number: Type.Integer({ examples: [1] }),
  map: Type.Optional(
    Type.Object({
      hash: Type.String(),
      difficulty: Type.String({ examples: ['ExpertPlus'] }),
      characteristic: Type.String({ examples: ['Standard'] }),
      name: Type.Optional(Type.String()),
    }),
  ),
  sides: Type.Array(
    Type.Object({
      score: nullable(Type.Integer({ examples: [912_345] }), 'Points; null where they are not known.'),
      accuracy: Type.Optional(Accuracy),
      completion: Type.Optional(oneOf(completions)),
    }),
    { minItems: 2, maxItems: 2 },
  ),
  winner: Type.Unsafe<1 | 2 | null>({
    type: ['integer', 'null'],
    enum: [1, 2, null],
    description: 'Number of the side; null for a tie, which does not count.',
  }),
  players: Type.Optional(
    Type.Array(
      Type.Object({
        userGuid: Guid,
        side: Type.Integer({ minimum: 1, maximum: 2 }),
        score: Type.Integer(),
        accuracy: Type.Optional(Accuracy),
      }),
    ),
  ),
})

/** The schema of a match. (additions: Divisions, brackets, matches) */
export const MatchView = Type.Object(
  {
    guid: Guid,
    number: Type.Integer({ description: 'Stable, and unique in the division.', examples: [12] }),
    division: Guid,
    bracket: Guid,
    section: oneOf(sections),
    round: Type.Integer({ description: 'Within the section, from 1.', examples: [1] }),
    groupIndex: nullable(Type.Integer(), 'Group of a round robin, from 0.'),
    status: oneOf(matchStatuses),
    outcome: nullable(oneOf(outcomes)),
    sides: Type.Array(SideView, { minItems: 2, maxItems: 2 }),
    bestOf: Type.Integer({ examples: [3] }),
    winsNeeded: Type.Integer({ examples: [2] }),
    games: Type.Array(GameView),
    conditional: Type.Boolean({
      description: 'Played only if the match before makes it necessary, and cancelled otherwise.',
    }),
    nextMatchGuid: nullable(Guid, 'Where the winner goes.'),
    loserMatchGuid: nullable(Guid, 'Where the loser goes.'),
    pairing: nullable(
      Type.Object({
        group: Type.Number({ description: 'Points of the group that the pair was made in.' }),
        floated: Type.Boolean({ description: 'A team came down from a higher group.' }),
        reason: Type.String(),
      }),
      'Why the pair was made, in Swiss brackets.',
    ),
    scheduledAt: nullable(Instant),
    calledAt: nullable(Instant, 'When its teams were last called to play.'),
    startedAt: nullable(Instant),
    completedAt: nullable(Instant),
    streamUrl: nullable(Type.String()),
    vodUrl: nullable(Type.String()),
    officials: Type.Array(Type.Object({ user: UserCard, role: oneOf(tournamentRoles) })),
    pool: nullable(
      Type.Object({ guid: Guid, name: Type.String({ examples: ['Quarter-finals'] }) }),
      'The map pool that it was begun with, by a flow that everybody sees; until then the one that is planned for it: but for poolers, null until that is published with all its maps.',
    ),
    notes: nullable(Type.String(), 'For the tournament’s staff; null for everybody else.'),
    revision: Type.Integer({ description: 'Grows with every change that everybody sees.', examples: [1] }),
    updatedAt: Instant,
  },
  { title: 'Match' },
)
export type MatchView = Static<typeof MatchView>

/** A match in the list of all tournaments, as a card shows it. (additions: Matches of all tournaments) */
export const MatchCard = Type.Object(
  {
    guid: Guid,
    number: Type.Integer({ description: 'Stable, and unique in the division.', examples: [12] }),
    tournament: Type.Object({
      guid: Guid,
      id: Type.String({ description: 'Short id.', examples: ['spring-cup'] }),
      name: Type.String({ examples: ['Spring Cup'] }),
      imageUrl: nullable(Type.String({ examples: ['https://cdn.example.org/cup.png'] })),
      timezone: Type.String({ description: 'IANA name.', examples: ['Europe/Berlin'] }),
    }),
    division: Type.Object({
      guid: Guid,
      id: Type.String({ description: 'Short id.', examples: ['main'] }),
      name: Type.String({ examples: ['Main'] }),
    }),
    bracket: Type.Object({ guid: Guid, name: Type.String({ examples: ['Playoffs'] }) }),
    section: oneOf(sections),
    round: Type.Integer({ description: 'Within the section, from 1.', examples: [1] }),
    roundName: Type.String({ description: 'As its bracket names it.', examples: ['Quarter-finals'] }),
    status: oneOf(matchStatuses),
    outcome: nullable(oneOf(outcomes)),
    sides: Type.Array(SideView, { minItems: 2, maxItems: 2 }),
    bestOf: Type.Integer({ examples: [3] }),
    scheduledAt: nullable(Instant),
    startedAt: nullable(Instant),
    completedAt: nullable(Instant),
    streamUrl: nullable(Type.String()),
    vodUrl: nullable(Type.String()),
  },
  { title: 'MatchCard' },
)
export type MatchCard = Static<typeof MatchCard>

/** Records that the views of matches refer to. */
interface Shown {
  readonly teams: ReadonlyMap<string, TeamRef>
  readonly officials: ReadonlyMap<string, readonly Official[]>
  /** Users by GUID; contains at least the officials. */
  readonly users: ReadonlyMap<string, UserFacts>
  readonly poolOf: (match: MatchRecord) => MatchPool | null
}

/** Views of matches of one tournament for `viewer`, in the given order. */
export async function listMatchViews(db: Db, records: readonly MatchRecord[], viewer: Actor): Promise<MatchView[]> {
  const [teams, officials, { planned, begun }] = await Promise.all([
    listTeamSummaries(
      db,
      records.flatMap(({ team1Guid, team2Guid }) => [team1Guid, team2Guid]),
    ),
    listOfficials(
      db,
      records.map((record) => record.guid),
    ),
    listPoolsOfMatches(db, records),
  ])
  const users = await listUserFacts(
    db,
    [...officials.values()].flat().map((official) => official.userGuid),
  )
  const isStaff = isAnyStaff(viewer)
  const plannedFor = poolsOfMatches(planned, isPooler(viewer))
  const poolOf = (match: MatchRecord) => begun.get(match.guid) ?? plannedFor(match)
  return records.map((record) => matchView(record, { teams, officials, users, poolOf }, isStaff))
}

export async function readMatchView(db: Db, record: MatchRecord, viewer: Actor): Promise<MatchView> {
  const [view] = await listMatchViews(db, [record], viewer)
  if (view === undefined) throw new Error('one match was asked for')
  return view
}

function matchView(record: MatchRecord, { teams, officials, users, poolOf }: Shown, isStaff: boolean): MatchView {
  const { guid, number, section, round, groupIndex, status, outcome, bestOf, conditional, pairing } = record
  const { nextMatchGuid, loserMatchGuid, streamUrl, vodUrl, revision } = record
  const [first, second] = record.sides
  const teamOf = (team: string | null) => (team === null ? null : (teams.get(team) ?? null))
  return {
    guid,
    number,
    section,
    round,
    groupIndex,
    status,
    outcome,
    bestOf,
    conditional,
    pairing,
    nextMatchGuid,
    loserMatchGuid,
    streamUrl,
    vodUrl,
    revision,
    division: record.divisionGuid,
    bracket: record.bracketGuid,
    sides: [sideView(first, teamOf(record.team1Guid)), sideView(second, teamOf(record.team2Guid))],
    winsNeeded: (bestOf + 1) / 2,
    games: record.games.map(gameView),
    scheduledAt: formatInstant(record.scheduledAt),
    calledAt: formatInstant(record.calledAt),
    startedAt: formatInstant(record.startedAt),
    completedAt: formatInstant(record.completedAt),
    officials: (officials.get(guid) ?? []).flatMap(({ userGuid, role }) => {
      const user = users.get(userGuid)
      return user === undefined ? [] : [{ user: userCard(user), role }]
    }),
    pool: poolOf(record),
    notes: isStaff ? record.notes : null,
    updatedAt: formatInstant(record.updatedAt),
  }
}

/** The cards of matches, in the given order. */
export async function listMatchCards(db: Db, listed: readonly ListedMatch[]): Promise<MatchCard[]> {
  const teams = await listTeamSummaries(
    db,
    listed.flatMap(({ team1Guid, team2Guid }) => [team1Guid, team2Guid]),
  )
  const teamOf = (team: string | null) => (team === null ? null : (teams.get(team) ?? null))
  return listed.map(({ at: _at, team1Guid, team2Guid, format, lastRound, sides: [first, second], ...match }) => ({
    ...match,
    roundName: roundName(match.section, match.round, { format, last: lastRound }),
    sides: [sideView(first, teamOf(team1Guid)), sideView(second, teamOf(team2Guid))],
    scheduledAt: formatInstant(match.scheduledAt),
    startedAt: formatInstant(match.startedAt),
    completedAt: formatInstant(match.completedAt),
  }))
}

function sideView({ from, bye, score, result }: StoredSide, team: TeamRef | null): MatchView['sides'][number] {
  const source = from === null ? null : { matchGuid: from.guid, number: from.match, outcome: from.outcome }
  return { team, from: source, bye, score, result }
}

const noDetail: GameDetail = { sides: [{}, {}] }

function gameView({ number, scores, winner, detail = noDetail }: StoredGame): MatchView['games'][number] {
  const { map, sides, players } = detail
  return {
    number,
    ...(map === undefined ? {} : { map }),
    sides: scores.map((score, index) => ({ score, ...sides[index] })),
    winner: winner === null ? null : winner === 0 ? 1 : 2,
    ...(players === undefined ? {} : { players: [...players] }),
  }
}

/**
 * The tags that invalidate a cached answer with these matches. Every event of the tournament touches the tournament's
 * tag, so only the users whose cards are shown are added.
 */
export function dependenciesOf(tournamentGuid: string, matches: readonly MatchView[]): string[] {
  const officials = matches.flatMap((match) => match.officials.map(({ user }) => user.guid))
  return [tournamentGuid, ...(officials.length === 0 ? [] : [playedTag, ...new Set(officials)])]
}
