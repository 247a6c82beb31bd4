import { type SQL, sql } from 'drizzle-orm'
import { Type } from 'typebox'
import { Guid, Instant, nullable, oneOf } from '../../../../core/schema.ts'
import { matchStatuses, outcomes, sections, sideResults, withdrawalPolicies } from '../../../../engine/types.ts'
import { maxBrackets, maxMatches } from '../../../brackets/brackets/rules/structure.ts'
import { matches } from '../../../brackets/matches/tables.ts'
import { maxReasonCharacters } from '../../../brackets/results/bodies.ts'
import { corrections } from '../../../brackets/results/tables.ts'
import { teamStatuses } from '../../../teams/teams/types.ts'
import { textUpTo, wholeUpTo } from './bounds.ts'
import {
  Decision,
  Detail,
  GameNumber,
  Group,
  MatchNumber,
  maxRounds,
  mostGames,
  Pairing,
  Score,
  SideIndex,
  Slot,
  Target,
  Won,
} from './brackets.ts'
import { columnsOf, forStaff, kind, ofTournament, person, personal, plain, type Row, typed } from './kind.ts'
import { mostActive } from './teams.ts'

/** Of a correction that is only partly known, rounds and lengths are 0. */
const Known = { round: wholeUpTo(maxRounds), bestOf: wholeUpTo(99) }

const Status = oneOf(matchStatuses)
const Outcome = oneOf(outcomes)
const Result = oneOf(sideResults)
const Policy = oneOf(withdrawalPolicies)

const State = {
  status: Status,
  outcome: nullable(Outcome),
  sides: Type.Array(Type.Object({ team: nullable(Guid), score: nullable(Won), result: nullable(Result) }), {
    maxItems: 2,
  }),
}

const KeptSide = Type.Object({
  slot: nullable(Slot),
  from: nullable(Type.Object({ match: MatchNumber, outcome: oneOf(['winner', 'loser']) })),
  bye: Type.Boolean(),
  team: nullable(Guid),
  empty: Type.Boolean(),
  score: nullable(Won),
  result: nullable(Result),
})
const KeptGame = Type.Object({
  number: GameNumber,
  scores: Type.Array(nullable(Score), { maxItems: 2 }),
  winner: nullable(SideIndex),
  detail: Type.Optional(nullable(Detail)),
})

/** A match as the engine has it, before or after a correction. */
const KeptMatch = Type.Object({
  match: Type.Object({
    ...{ number: MatchNumber, section: oneOf(sections), group: nullable(Group), ...Known },
    ...{
      winnerTo: nullable(Target),
      loserTo: nullable(Target),
      conditional: Type.Boolean(),
      pairing: nullable(Pairing),
    },
    ...{ status: Status, outcome: nullable(Outcome), started: Type.Boolean(), reopened: Type.Boolean() },
    sides: Type.Array(KeptSide, { maxItems: 2 }),
    games: Type.Array(KeptGame, { maxItems: mostGames }),
    decision: nullable(Decision),
  }),
  startedAt: nullable(Instant),
  completedAt: nullable(Instant),
})
const KeptMatches = Type.Array(KeptMatch, { maxItems: maxMatches })

const People = Type.Array(personal('id', Guid), { maxItems: mostActive })
const Withdrawal = Type.Object({
  policy: Policy,
  state: Type.Object({
    status: oneOf(teamStatuses),
    seed: nullable(Slot),
    rosterLocked: Type.Boolean(),
    registeredAt: nullable(Instant),
    activeGuids: People,
  }),
  brackets: Type.Array(Type.Object({ bracketGuid: Guid, earlier: nullable(Policy) }), { maxItems: maxBrackets }),
  reason: Type.Optional(textUpTo(maxReasonCharacters)),
  at: Instant,
  active: People,
})
const Returned = Type.Object({
  withdrawal: Withdrawal,
  brackets: Type.Array(
    Type.Object({
      bracketGuid: Guid,
      earlier: nullable(Policy),
      policy: nullable(Policy),
      before: KeptMatches,
      after: KeptMatches,
    }),
    { maxItems: maxBrackets },
  ),
})

const SeenMatches = Type.Array(Type.Object({ match: Type.Object(State) }), { maxItems: 1 })

/** The corrected match itself, of all that the correction altered. */
const own = (kept: SQL) => sql`jsonb_path_query_array(${kept}, '$[*] ? (@.match.number == $number)',
  jsonb_build_object('number', (select m.number from ${matches} m where m.guid = ${corrections.matchGuid})))`

/** Changed results, with what is needed to take the change back. */
export const correctionsKind = kind(
  'corrections',
  columnsOf(corrections, {
    ...{ guid: plain, tournamentGuid: ofTournament, bracketGuid: plain, matchGuid: plain, teamGuid: plain },
    ...{ actorGuid: person, reason: forStaff(textUpTo(maxReasonCharacters)) },
    before: typed(KeptMatches, { people: '$[*].match.games[*].detail.players[*].userGuid' }),
    after: typed(KeptMatches, { people: '$[*].match.games[*].detail.players[*].userGuid' }),
    returned: typed(Returned, { hides: ['reason'], people: '$.withdrawal.**{0 to 2}.activeGuids[*]' }),
    ...{ revision: plain, createdAt: plain, undoneAt: plain },
  }),
  {
    open: {
      members: ['guid', 'matchGuid', 'before', 'after', 'createdAt', 'undoneAt'],
      rows: () => sql`${corrections.matchGuid} is not null
        and jsonb_array_length(${own(sql`${corrections.before}`)}) > 0
        and jsonb_array_length(${own(sql`${corrections.after}`)}) > 0`,
      values: {
        before: { value: own(sql`${corrections.before}`), schema: SeenMatches },
        after: { value: own(sql`${corrections.after}`), schema: SeenMatches },
      },
      seen: (row) => ({ ...row, before: seenOf(row.before), after: seenOf(row.after) }),
    },
    brings: {
      lacks: { bracketGuid: ({ matchGuid }, { matches: all }) => all.get(String(matchGuid))?.bracketGuid },
      byCaller: ['actorGuid'],
      form: ({ before, after, ...row }, { matches: all }) => {
        const number = all.get(String(row.matchGuid))?.number
        return { ...row, before: wholeOf(before, number), after: wholeOf(after, number) }
      },
    },
  },
)

/** What a match was, without its games and what else the engine keeps. */
function seenOf(kept: unknown): readonly Row[] {
  return (kept as readonly { readonly match: { readonly sides: readonly Row[] } & Row }[]).map(({ match }) => ({
    match: {
      status: match.status,
      outcome: match.outcome,
      sides: match.sides.map(({ team, score, result }) => ({ team, score, result })),
    },
  }))
}

/** No match is ever best of none, so that a correction that is only partly known cannot be taken back. */
const outline = {
  ...{
    section: sections[0],
    round: 0,
    group: null,
    bestOf: 0,
    winnerTo: null,
    loserTo: null,
    conditional: false,
    pairing: null,
  },
  ...{ started: true, reopened: false, games: [], decision: null },
}
const outlineOfSide = { slot: null, from: null, bye: false, empty: false }

function wholeOf(kept: unknown, number: number | undefined): readonly Row[] {
  return (kept as readonly { readonly match: { readonly sides: readonly Row[] } & Row }[]).map(
    ({ match, ...times }) => ({
      ...{ startedAt: null, completedAt: null, ...times },
      match: { number, ...outline, ...match, sides: match.sides.map((side) => ({ ...outlineOfSide, ...side })) },
    }),
  )
}
