import { sql } from 'drizzle-orm'
import { type Static, Type } from 'typebox'
import { Drawn, impersonal } from '../../../../core/packages/marks.ts'
import { tournamentRoles } from '../../../../core/roles.ts'
import { Guid, nullable, oneOf } from '../../../../core/schema.ts'
import {
  decisionOutcomes,
  distributions,
  formats,
  grandFinals,
  matchStatuses,
  outcomes,
  sections,
  seedOrderings,
  sideResults,
  tieBreakers,
  withdrawalPolicies,
} from '../../../../engine/types.ts'
import { maxNameCharacters as maxDivisionName } from '../../../brackets/brackets/rules/divisions.ts'
import { maxEntrants } from '../../../brackets/brackets/rules/entrants.ts'
import { maxMatches, maxNameCharacters, maxOrder, settingsShown } from '../../../brackets/brackets/rules/structure.ts'
import { bracketEntrants, brackets, divisions } from '../../../brackets/brackets/tables.ts'
import { bracketStatuses, tieDeciders } from '../../../brackets/brackets/types.ts'
import { matches, matchOfficials } from '../../../brackets/matches/tables.ts'
import { completions } from '../../../brackets/matches/types.ts'
import { GameBody, MatchBody, maxReasonCharacters, ResultBody } from '../../../brackets/results/bodies.ts'
import {
  like,
  listLike,
  nameUpTo,
  someOf,
  textLike,
  textUpTo,
  wholeUpTo,
  wordLike,
  wordUpTo,
  workLike,
} from './bounds.ts'
import {
  columnsOf,
  follows,
  forStaff,
  kind,
  link,
  ofTournament,
  person,
  personal,
  plain,
  shortId,
  typed,
} from './kind.ts'

const Order = Type.Integer({ minimum: 1, maximum: maxOrder })
/** Why two teams meet in a Swiss round, as the engine says it. */
const maxSentence = 1_000

/** What operations take of a game. */
const { sides, map, players } = GameBody.properties
const { score: points, accuracy } = sides.items.properties
export const Score = like(points)

export const divisionsKind = kind(
  'divisions',
  columnsOf(divisions, {
    ...{
      guid: plain,
      tournamentGuid: ofTournament,
      id: shortId,
      name: typed(nameUpTo(maxDivisionName)),
      order: typed(Order),
      createdAt: plain,
      updatedAt: plain,
    },
  }),
  { open: { members: ['guid', 'id', 'name', 'order', 'createdAt', 'updatedAt'] } },
)

/** What the engine takes as points of a match. */
const TablePoints = wholeUpTo(1_000)
const Points = Type.Object({ win: TablePoints, draw: TablePoints, loss: TablePoints })
export const maxRounds = 200
const BestOf = like(MatchBody.properties.bestOf)
const Round = wholeUpTo(maxRounds, 1)
export const Group = wholeUpTo(maxEntrants)
export const MatchNumber = wholeUpTo(maxMatches, 1)
export const Slot = wholeUpTo(maxEntrants, 1)
/** Games that a side has won. */
export const Won = like(ResultBody.properties.scores.items)
const Settings = Type.Object({
  bestOf: BestOf,
  bestOfByRound: Type.Record(Type.String(), BestOf, { maxProperties: maxRounds }),
  seedOrdering: oneOf(seedOrderings),
  thirdPlace: Type.Boolean(),
  grandFinal: oneOf(grandFinals),
  groups: Group,
  legs: wholeUpTo(2, 1),
  distribution: oneOf(distributions),
  points: Points,
  allowDraws: Type.Boolean(),
  rounds: wholeUpTo(maxRounds),
  byePoints: TablePoints,
  avoidRematches: Type.Boolean(),
  tieBreakers: someOf(tieBreakers),
})

/** The reason is for the staff. */
export const Ruling = Type.Object({
  ties: Type.Array(
    Type.Object({
      group: nullable(Group),
      places: Type.Array(Slot, { maxItems: maxEntrants }),
      teams: Type.Array(Guid, { maxItems: maxEntrants }),
    }),
    { maxItems: maxEntrants },
  ),
  decidedBy: oneOf(tieDeciders),
  reason: Type.Optional(nullable(textUpTo(maxReasonCharacters))),
  commitment: Type.Optional(nullable(Drawn)),
  // 32 bytes for each tie.
  seed: Type.Optional(nullable(impersonal('digest', Type.String({ maxLength: 64 * maxEntrants })))),
})

export const bracketsKind = kind(
  'brackets',
  columnsOf(brackets, {
    ...{ guid: plain, tournamentGuid: ofTournament, divisionGuid: plain, name: typed(nameUpTo(maxNameCharacters)) },
    ...{ order: typed(Order), format: typed(oneOf(formats)) },
    settings: typed(Settings),
    ...{ status: typed(oneOf(bracketStatuses)), revision: plain, open: typed(wholeUpTo(maxMatches)) },
    ...{ started: typed(wholeUpTo(maxMatches)), roundsMade: typed(wholeUpTo(maxRounds)) },
    ruling: typed(Ruling, { hides: ['reason'] }),
    ...{ createdAt: plain, updatedAt: plain },
  }),
  {
    open: {
      members: [
        ...['guid', 'divisionGuid', 'name', 'order', 'format', 'settings', 'status', 'revision', 'ruling', 'createdAt'],
        'updatedAt',
      ],
      values: { settings: { schema: Type.Partial(Settings) } },
      seen: (row) => ({ ...row, settings: settingsShown(row as unknown as Parameters<typeof settingsShown>[0]) }),
    },
    // Counted once its matches are there.
    brings: { lacks: { open: () => 0 } },
  },
)

export const entrants = kind(
  'entrants',
  columnsOf(bracketEntrants, {
    ...{
      tournamentGuid: ofTournament,
      bracketGuid: plain,
      slot: typed(Slot),
      seed: typed(Slot),
      teamGuid: plain,
      withdrawal: typed(oneOf(withdrawalPolicies)),
    },
  }),
  { order: ['bracketGuid', 'slot'], open: { members: ['bracketGuid', 'slot', 'seed', 'teamGuid', 'withdrawal'] } },
)

const Side = Type.Object({
  slot: nullable(Slot),
  from: nullable(Type.Object({ match: MatchNumber, guid: Guid, outcome: oneOf(['winner', 'loser']) })),
  bye: Type.Boolean(),
  empty: Type.Boolean(),
  score: nullable(Won),
  result: nullable(oneOf(sideResults)),
})
/** Each tie allows one more game than the match is best of. */
export const mostGames = 9_999
export const GameNumber = wholeUpTo(mostGames, 1)
export const SideIndex = Type.Integer({ minimum: 0, maximum: 1 })
export const Target = Type.Object({ match: MatchNumber, side: SideIndex })
export const Decision = Type.Object({
  outcome: oneOf(decisionOutcomes),
  winner: Type.Optional(SideIndex),
  scores: Type.Optional(nullable(like(ResultBody.properties.scores))),
  begun: Type.Optional(Type.Literal(true)),
})
export const Pairing = Type.Object({
  group: Type.Number({ minimum: 0, maximum: maxRounds * 1_000 }),
  floated: Type.Boolean(),
  reason: wordUpTo(maxSentence),
})

export const matchesKind = kind(
  'matches',
  columnsOf(matches, {
    ...{
      guid: plain,
      tournamentGuid: ofTournament,
      divisionGuid: plain,
      bracketGuid: plain,
      number: typed(MatchNumber),
    },
    ...{
      section: typed(oneOf(sections)),
      round: typed(Round),
      groupIndex: typed(Group),
      status: typed(oneOf(matchStatuses)),
    },
    outcome: typed(oneOf(outcomes)),
    ...{ team1Guid: plain, team2Guid: plain },
    sides: typed(Type.Array(Side, { maxItems: 2 })),
    bestOf: typed(BestOf),
    games: follows('games'),
    decision: typed(Decision),
    ...{ started: plain, reopened: plain, conditional: plain },
    pairing: typed(Pairing),
    winnerTo: typed(Target),
    loserTo: typed(Target),
    ...{ nextMatchGuid: plain, loserMatchGuid: plain },
    ...{ scheduledAt: plain, calledAt: plain, startedAt: plain, completedAt: plain },
    ...{
      streamUrl: link,
      vodUrl: link,
      notes: forStaff(textLike(MatchBody.properties.notes)),
      revision: plain,
      createdAt: plain,
      updatedAt: plain,
    },
  }),
  {
    open: {
      members: [
        ...['guid', 'divisionGuid', 'bracketGuid', 'number', 'section', 'round', 'groupIndex', 'status', 'outcome'],
        ...['team1Guid', 'team2Guid', 'sides', 'bestOf', 'conditional', 'pairing', 'nextMatchGuid', 'loserMatchGuid'],
        ...['scheduledAt', 'calledAt', 'startedAt', 'completedAt', 'streamUrl', 'vodUrl', 'revision', 'updatedAt'],
      ],
      values: { sides: { schema: Type.Array(Type.Pick(Side, ['from', 'bye', 'score', 'result']), { maxItems: 2 }) } },
      seen: (row) => ({ ...row, sides: (row.sides as readonly Static<typeof Side>[]).map(seenSide) }),
    },
    // Worked out once all matches are there.
    brings: {
      form: ({ sides, ...row }) => ({
        ...row,
        sides: (sides as readonly object[]).map((side) => ({ slot: null, empty: false, ...side })),
      }),
    },
  },
)

const seenSide = ({ from, bye, score, result }: Static<typeof Side>) => ({ from, bye, score, result })

export const officials = kind(
  'officials',
  columnsOf(matchOfficials, { matchGuid: plain, userGuid: person, role: typed(oneOf(tournamentRoles)) }),
  {
    of: (tournament) =>
      sql`${matchOfficials.matchGuid} in (select m.guid from ${matches} m where m.tournament_guid = ${tournament})`,
    order: ['matchGuid', 'userGuid', 'role'],
    open: { members: ['matchGuid', 'userGuid', 'role'] },
  },
)

const GameMap = Type.Object({
  hash: workLike(map.properties.hash),
  difficulty: wordLike(map.properties.difficulty),
  characteristic: wordLike(map.properties.characteristic),
  name: Type.Optional(workLike(map.properties.name)),
})
const Accuracy = Type.Optional(like(accuracy))
export const GamePlayer = Type.Object({
  userGuid: personal('id', Guid),
  side: like(players.items.properties.side),
  score: Score,
  accuracy: Accuracy,
})
export const Detail = Type.Object({
  map: Type.Optional(GameMap),
  sides: Type.Array(Type.Object({ accuracy: Accuracy, completion: Type.Optional(oneOf(completions)) }), {
    maxItems: 2,
  }),
  players: Type.Optional(listLike(players, GamePlayer)),
})

/** The maps that were played in matches. */
export const games = kind(
  'games',
  { table: matches, columns: {} },
  {
    beside: sql` cross join lateral jsonb_array_elements(${matches.games}) g`,
    more: {
      matchGuid: { schema: Guid, value: sql`${matches.guid}` },
      number: { schema: GameNumber, value: sql`(g.value ->> 'number')::integer` },
      scores: { schema: Type.Array(nullable(Score), { maxItems: 2 }), value: sql`g.value -> 'scores'` },
      winner: { schema: nullable(SideIndex), value: sql`(g.value ->> 'winner')::integer` },
      detail: {
        schema: nullable(Detail),
        value: sql`g.value -> 'detail'`,
        people: '$.players[*].userGuid',
      },
    },
    order: ['matchGuid', 'number'],
    open: { members: ['matchGuid', 'number', 'scores', 'winner', 'detail'] },
    brings: { names: { matchGuid: 'matches' } },
  },
)
