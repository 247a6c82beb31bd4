import { sql } from 'drizzle-orm'
import { type Static, Type } from 'typebox'
import { Drawn, Word, Work } from '../../../../core/packages/marks.ts'
import { Guid, nullable } from '../../../../core/schema.ts'
import { settingsShown } from '../../../brackets/brackets/rules/structure.ts'
import { bracketEntrants, brackets, divisions } from '../../../brackets/brackets/tables.ts'
import { matches, matchOfficials } from '../../../brackets/matches/tables.ts'
import {
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
  shortId,
  staffText,
  word,
} from './kind.ts'

export const divisionsKind = kind(
  'divisions',
  columnsOf(divisions, {
    ...{
      guid: plain,
      tournamentGuid: ofTournament,
      id: shortId,
      name,
      order: plain,
      createdAt: plain,
      updatedAt: plain,
    },
  }),
  { open: { members: ['guid', 'id', 'name', 'order', 'createdAt', 'updatedAt'] } },
)

const Points = Type.Object({ win: Type.Number(), draw: Type.Number(), loss: Type.Number() })
const Settings = Type.Object({
  bestOf: Type.Integer(),
  bestOfByRound: Type.Record(Type.String(), Type.Integer()),
  seedOrdering: Word,
  thirdPlace: Type.Boolean(),
  grandFinal: Word,
  groups: Type.Integer(),
  legs: Type.Integer(),
  distribution: Word,
  points: Points,
  allowDraws: Type.Boolean(),
  rounds: Type.Integer(),
  byePoints: Type.Number(),
  avoidRematches: Type.Boolean(),
  tieBreakers: Type.Array(Word),
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
  decidedBy: Word,
  reason: Type.Optional(nullable(personal('text'))),
  commitment: Type.Optional(nullable(Drawn)),
  seed: Type.Optional(nullable(Drawn)),
})

export const bracketsKind = kind(
  'brackets',
  columnsOf(brackets, {
    ...{ guid: plain, tournamentGuid: ofTournament, divisionGuid: plain, name, order: plain, format: word },
    settings: json(Settings),
    ...{ status: word, revision: plain, open: plain, started: plain, roundsMade: plain },
    ruling: json(Ruling, { hides: ['reason'] }),
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
  },
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
      withdrawal: word,
    },
  }),
  { order: ['bracketGuid', 'slot'], open: { members: ['bracketGuid', 'slot', 'seed', 'teamGuid', 'withdrawal'] } },
)

const Side = Type.Object({
  slot: nullable(Type.Integer()),
  from: nullable(Type.Object({ match: Type.Integer(), guid: Guid, outcome: Word })),
  bye: Type.Boolean(),
  empty: Type.Boolean(),
  score: nullable(Type.Number()),
  result: nullable(Word),
})
export const Target = Type.Object({ match: Type.Integer(), side: Type.Integer() })
export const Decision = Type.Object({
  outcome: Word,
  winner: Type.Optional(Type.Integer()),
  scores: Type.Optional(nullable(Type.Array(Type.Number()))),
  begun: Type.Optional(Type.Literal(true)),
})
export const Pairing = Type.Object({ group: Type.Number(), floated: Type.Boolean(), reason: Word })

export const matchesKind = kind(
  'matches',
  columnsOf(matches, {
    ...{ guid: plain, tournamentGuid: ofTournament, divisionGuid: plain, bracketGuid: plain, number: plain },
    ...{ section: word, round: plain, groupIndex: plain, status: word, outcome: word },
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
  {
    open: {
      members: [
        ...['guid', 'divisionGuid', 'bracketGuid', 'number', 'section', 'round', 'groupIndex', 'status', 'outcome'],
        ...['team1Guid', 'team2Guid', 'sides', 'bestOf', 'conditional', 'pairing', 'nextMatchGuid', 'loserMatchGuid'],
        ...['scheduledAt', 'calledAt', 'startedAt', 'completedAt', 'streamUrl', 'vodUrl', 'revision', 'updatedAt'],
      ],
      values: { sides: { schema: Type.Array(Type.Pick(Side, ['from', 'bye', 'score', 'result'])) } },
      seen: (row) => ({ ...row, sides: (row.sides as readonly Static<typeof Side>[]).map(seenSide) }),
    },
  },
)

const seenSide = ({ from, bye, score, result }: Static<typeof Side>) => ({ from, bye, score, result })

export const officials = kind(
  'officials',
  columnsOf(matchOfficials, { matchGuid: plain, userGuid: person, role: word }),
  {
    of: (tournament) =>
      sql`${matchOfficials.matchGuid} in (select m.guid from ${matches} m where m.tournament_guid = ${tournament})`,
    order: ['matchGuid', 'userGuid', 'role'],
    open: { members: ['matchGuid', 'userGuid', 'role'] },
  },
)

const GameMap = Type.Object({
  hash: Work,
  difficulty: Word,
  characteristic: Word,
  name: Type.Optional(Work),
})
export const Detail = Type.Object({
  map: Type.Optional(GameMap),
  sides: Type.Array(Type.Object({ accuracy: Type.Optional(Type.Number()), completion: Type.Optional(Word) })),
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
    open: { members: ['matchGuid', 'number', 'scores', 'winner', 'detail'] },
    brings: { names: { matchGuid: 'matches' } },
  },
)
