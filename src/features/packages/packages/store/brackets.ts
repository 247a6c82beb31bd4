import { sql } from 'drizzle-orm'
import { Type } from 'typebox'
import { Guid, nullable } from '../../../../core/schema.ts'
import { bracketEntrants, brackets, divisions } from '../../../brackets/brackets/tables.ts'
import { matches, matchOfficials } from '../../../brackets/matches/tables.ts'
import { corrections } from '../../../brackets/results/tables.ts'
import {
  anyJson,
  columnsOf,
  follows,
  json,
  kind,
  link,
  name,
  ofTournament,
  person,
  personal,
  plain,
  staffText,
} from './kind.ts'

export const divisionsKind = kind(
  'divisions',
  columnsOf(divisions, {
    ...{ guid: plain, tournamentGuid: ofTournament, id: name, name, order: plain, createdAt: plain, updatedAt: plain },
  }),
)

const Points = Type.Record(Type.String(), Type.Number())
const Settings = Type.Object({
  bestOf: Type.Integer(),
  bestOfByRound: Type.Record(Type.String(), Type.Integer()),
  seedOrdering: Type.String(),
  thirdPlace: Type.Boolean(),
  grandFinal: Type.String(),
  groups: Type.Integer(),
  legs: Type.Integer(),
  distribution: Type.String(),
  points: Points,
  allowDraws: Type.Boolean(),
  rounds: Type.Integer(),
  byePoints: Type.Number(),
  avoidRematches: Type.Boolean(),
  tieBreakers: Type.Array(Type.String()),
})

/** The reason is for the staff. */
export const Ruling = Type.Object({
  ties: Type.Array(
    Type.Object({
      group: nullable(Type.Integer()),
      places: Type.Array(Type.Integer()),
      teams: Type.Array(Guid),
    }),
  ),
  decidedBy: Type.String(),
  reason: Type.Optional(nullable(personal('text'))),
  commitment: nullable(Type.String()),
  seed: nullable(Type.String()),
})

export const bracketsKind = kind(
  'brackets',
  columnsOf(brackets, {
    ...{ guid: plain, tournamentGuid: ofTournament, divisionGuid: plain, name, order: plain, format: plain },
    settings: json(Settings),
    ...{ status: plain, revision: plain, open: plain, started: plain, roundsMade: plain },
    ruling: json(Ruling, { hides: ['reason'] }),
    ...{ createdAt: plain, updatedAt: plain },
  }),
)

export const entrants = kind(
  'entrants',
  columnsOf(bracketEntrants, {
    ...{
      tournamentGuid: ofTournament,
      bracketGuid: plain,
      slot: plain,
      seed: plain,
      teamGuid: plain,
      withdrawal: plain,
    },
  }),
  { order: ['bracketGuid', 'slot'] },
)

const Side = Type.Object({
  slot: nullable(Type.Integer()),
  from: nullable(Type.Object({ match: Type.Integer(), guid: Guid, outcome: Type.String() })),
  bye: Type.Boolean(),
  empty: Type.Boolean(),
  score: nullable(Type.Number()),
  result: nullable(Type.String()),
})
const Target = Type.Object({ match: Type.Integer(), side: Type.Integer() })
const Decision = Type.Object({
  outcome: Type.String(),
  winner: Type.Optional(Type.Integer()),
  scores: Type.Optional(nullable(Type.Array(Type.Number()))),
  begun: Type.Optional(Type.Literal(true)),
})
const Pairing = Type.Object({ group: Type.Number(), floated: Type.Boolean(), reason: Type.String() })

export const matchesKind = kind(
  'matches',
  columnsOf(matches, {
    ...{ guid: plain, tournamentGuid: ofTournament, divisionGuid: plain, bracketGuid: plain, number: plain },
    ...{ section: plain, round: plain, groupIndex: plain, status: plain, outcome: plain },
    ...{ team1Guid: plain, team2Guid: plain },
    sides: json(Type.Array(Side)),
    bestOf: plain,
    games: follows('games'),
    decision: json(Decision),
    ...{ started: plain, reopened: plain, conditional: plain },
    pairing: json(Pairing),
    winnerTo: json(Target),
    loserTo: json(Target),
    ...{ nextMatchGuid: plain, loserMatchGuid: plain },
    ...{ scheduledAt: plain, calledAt: plain, startedAt: plain, completedAt: plain },
    ...{ streamUrl: link, vodUrl: link, notes: staffText, revision: plain, createdAt: plain, updatedAt: plain },
  }),
)

export const officials = kind(
  'officials',
  columnsOf(matchOfficials, { matchGuid: plain, userGuid: person, role: plain }),
  {
    of: (tournament) =>
      sql`${matchOfficials.matchGuid} in (select m.guid from ${matches} m where m.tournament_guid = ${tournament})`,
    order: ['matchGuid', 'userGuid', 'role'],
  },
)

const GameMap = Type.Object({
  hash: Type.String(),
  difficulty: Type.String(),
  characteristic: Type.String(),
  name: Type.Optional(Type.String()),
})
const Detail = Type.Object({
  map: Type.Optional(GameMap),
  sides: Type.Array(Type.Object({ accuracy: Type.Optional(Type.Number()), completion: Type.Optional(Type.String()) })),
  players: Type.Optional(
    Type.Array(
      Type.Object({
        userGuid: personal('id', Guid),
        side: Type.Integer(),
        score: Type.Number(),
        accuracy: Type.Optional(Type.Number()),
      }),
    ),
  ),
})

/** The maps that were played in matches. */
export const games = kind(
  'games',
  { table: matches, columns: {} },
  {
    beside: sql` cross join lateral jsonb_array_elements(${matches.games}) g`,
    more: {
      matchGuid: { schema: Guid, value: sql`${matches.guid}` },
      number: { schema: Type.Integer(), value: sql`(g.value ->> 'number')::integer` },
      scores: { schema: Type.Array(nullable(Type.Number())), value: sql`g.value -> 'scores'` },
      winner: { schema: nullable(Type.Integer()), value: sql`(g.value ->> 'winner')::integer` },
      detail: {
        schema: nullable(Detail),
        value: sql`g.value -> 'detail'`,
        people: '$.players[*].userGuid',
      },
    },
    order: ['matchGuid', 'number'],
  },
)

/** Changed results, with what is needed to take the change back. */
export const correctionsKind = kind(
  'corrections',
  columnsOf(corrections, {
    ...{ guid: plain, tournamentGuid: ofTournament, bracketGuid: plain, matchGuid: plain, teamGuid: plain },
    ...{ actorGuid: person, reason: staffText },
    before: anyJson({ people: '$[*].match.games[*].detail.players[*].userGuid' }),
    after: anyJson({ people: '$[*].match.games[*].detail.players[*].userGuid' }),
    returned: anyJson({ hides: ['reason'], people: '$.withdrawal.**{0 to 2}.activeGuids[*]' }),
    ...{ revision: plain, createdAt: plain, undoneAt: plain },
  }),
)
