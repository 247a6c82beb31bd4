import { type TSchema, Type } from 'typebox'
import { Drawn, impersonal, Player, personal } from '../../../../core/packages/marks.ts'
import { Guid, Instant, nullable, oneOf } from '../../../../core/schema.ts'
import {
  actions,
  completions,
  conditions,
  lapsePolicies,
  penaltyTypes,
  replayRules,
  tieRules,
} from '../../../../engine/flows/flow.ts'
import { resumptions, scoreSources } from '../../../../engine/flows/rows.ts'
import { modifierRules } from '../../../../engine/score-limits.ts'
import { outcomes } from '../../../../engine/types.ts'
import { maxPoints } from '../../../brackets/qualifiers/rules/recording.ts'
import { BestOf, maxNameLength, maxParts, maxPool, StepBody } from '../../../flows/flows/bodies/flow.ts'
import { RulesBody } from '../../../flows/flows/bodies/rules.ts'
import { ClaimBody, overrideOps, PenaltyBody, ScoresBody } from '../../../flows/play/bodies.ts'
import { maxRows } from '../../../flows/play/rules.ts'
import {
  Address,
  Counter,
  Hash,
  like,
  listLike,
  nameUpTo,
  textLike,
  textUpTo,
  wholeUpTo,
  wordUpTo,
  workUpTo,
} from './bounds.ts'

import { GamePlayer } from './brackets.ts'
import { KeptFlair, KeptMap, KeptSettings } from './kept-maps.ts'
import { Characteristic } from './maps.ts'
import { mostActive } from './teams.ts'

/** Match flows, and what the rows of their sessions hold. */

/** Of games, chains, runs and rows. The rows of the service itself are not counted for the limit of a log. */
const Numbered = wholeUpTo(2 * maxRows.referee, 1)
const Positions = Type.Array(Numbered, { maxItems: maxRows.referee })
const maxSeats = 16
const SeatNumber = wholeUpTo(maxSeats, 1)
const Winner = nullable(wholeUpTo(maxSeats))
/** The scores of all players of a team together, with the points of penalties. */
const maxTotal = maxPoints * mostActive
const Total = Type.Number({ minimum: -maxTotal, maximum: maxTotal })
const Modifiers = Type.Array(wordUpTo(64), { maxItems: 32 })
/** Flows name flairs, and pairs that their authors name. */
const Flair = personal('name', Type.String({ minLength: 1, maxLength: 100 }))
const Flairs = Type.Array(Flair, { maxItems: 50 })
const Pair = personal(
  'text',
  Type.String({
    maxLength: 32,
    description:
      'The name of a pair, or an actor: seat, side1, side2, higherSeed, lowerSeed, rollWinner, rollLoser, lastMapWinner, lastMapLoser, leader, trailer, it, all, referee, system; or an order: lowest_seed_first, highest_seed_first, last_first.',
  }),
  'pair',
)
const Policy = oneOf(lapsePolicies)
const Penalised = oneOf(penaltyTypes)
const Completion = oneOf(completions)

const Counts = oneOf(['replace', 'better'])
const step = StepBody.properties
const rules = RulesBody.properties
const replays = rules.replays.properties

const Step = Type.Object({
  action: oneOf(actions),
  actor: Type.Array(Pair, { maxItems: 8 }),
  seconds: nullable(like(step.seconds)),
  onTimeout: Type.Array(Policy, { maxItems: 10 }),
  from: Type.Object({ flairs: nullable(Flairs), exceptFlairs: Flairs, tiebreakers: Type.Boolean() }),
  limits: listLike(step.limits, Type.Object({ otherFlairThan: oneOf(['own_last', 'own_all']), except: Flairs })),
  ...{
    when: oneOf(conditions),
    times: like(step.times),
    secret: Type.Boolean(),
    label: nullable(textUpTo(60)),
    pair: nullable(Pair),
  },
  source: nullable(oneOf(['flagged', 'last_left'])),
})

const stepsOf = <S extends TSchema>(part: S) => Type.Array(part, { maxItems: maxParts })

/** Blocks hold steps, and one more level of blocks. */
const blocksOf = (inner: ReturnType<typeof Type.Union>) => [
  Type.Object({ repeat: Type.Union([wholeUpTo(20, 1), oneOf(['until_decided'])]), steps: stepsOf(inner) }),
  Type.Object({ each: Pair, steps: stepsOf(inner) }),
]
const InnerPart = Type.Union([Step, ...blocksOf(Type.Union([Step]))])
const Part = Type.Union([Step, ...blocksOf(InnerPart)])

const Rules = Type.Object({
  play: Type.Object({ mode: oneOf(['best_of', 'play_all']), maps: Type.Optional(like(rules.play.properties.maps)) }),
  map: Type.Object({
    by: oneOf(['score', 'accuracy', 'misses']),
    team: oneOf(['sum', 'mean', 'top']),
    top: nullable(like(rules.map.properties.top)),
    players: nullable(like(rules.map.properties.players)),
  }),
  modifiers: Type.Optional(oneOf(modifierRules)),
  ...{
    zero: listLike(rules.zero, Completion),
    pauseLimitSeconds: nullable(like(rules.pauseLimitSeconds)),
    tie: listLike(rules.tie, oneOf(tieRules)),
    tieReplays: like(rules.tieReplays),
  },
  decide: oneOf(['score_sum', 'wins', 'points']),
  points: like(rules.points),
  replays: Type.Object({
    rule: oneOf(replayRules),
    ...{ perMatch: like(replays.perMatch), perMap: like(replays.perMap), by: oneOf(['team', 'player']) },
    windowSeconds: like(replays.windowSeconds),
  }),
  technical: Type.Object({ perMatch: nullable(like(rules.technical.properties.perMatch)), counts: Counts }),
  timeouts: Type.Object({
    count: like(rules.timeouts.properties.count),
    seconds: like(rules.timeouts.properties.seconds),
  }),
  late: listLike(
    rules.late,
    Type.Object({ afterMinutes: like(rules.late.items.properties.afterMinutes), type: Penalised }),
  ),
  lineup: Type.Object({ changes: oneOf(['per_map', 'per_match']) }),
  ...{
    protects: oneOf(['opponents', 'everybody']),
    speakers: oneOf(['captain', 'members']),
    graceSeconds: like(rules.graceSeconds),
    selfUndoSeconds: like(rules.selfUndoSeconds),
  },
  ...{ viewDelaySeconds: like(rules.viewDelaySeconds), eliminate: like(rules.eliminate) },
})

/** A flow, as it is stored. */
export const Definition = Type.Object({
  seats: wholeUpTo(maxSeats, 2),
  ...{ bestOf: nullable(like(BestOf)), pairs: Type.Array(Pair, { maxItems: 4 }), steps: stepsOf(Part), rules: Rules },
})

/** A session needs these members; it keeps the others as it found them. */
const PoolEntry = Type.Object({
  ...Type.Partial(Type.Object(KeptSettings)).properties,
  guid: Guid,
  flair: nullable(Type.Object({ ...Type.Partial(Type.Omit(KeptFlair, ['name'])).properties, name: Flair })),
  isTiebreaker: Type.Boolean(),
  modifiers: Modifiers,
  map: Type.Object({
    ...Type.Partial(Type.Omit(KeptMap, ['hash', 'difficulty', 'characteristic', 'name', 'maxScore'])).properties,
    ...{ hash: Hash, difficulty: wordUpTo(32), characteristic: Characteristic },
    ...{ name: nullable(workUpTo()), maxScore: nullable(Counter) },
  }),
})
const Seat = Type.Object({
  ...{ seat: SeatNumber, team: nullable(Guid), name: nameUpTo(maxNameLength), seed: nullable(Counter) },
  captain: nullable(personal('id', Guid)),
  members: Type.Array(personal('id', Guid), { maxItems: mostActive }),
})

const Result = Type.Object({
  outcome: nullable(oneOf(outcomes)),
  winner: Winner,
  scores: nullable(Type.Array(Total, { maxItems: 2 })),
})
const score = ScoresBody.properties.scores.items.properties
const Points = like(score.score)
const Accuracy = nullable(like(score.accuracy))
const Counted = nullable(like(score.misses))
const Score = Type.Object({
  ...{ guid: Guid, user: Player, map: nullable(Guid), score: Points, accuracy: Accuracy },
  ...{ misses: Counted, badCuts: Counted, maxCombo: Counted, completion: Completion },
  ...{ pausedSeconds: nullable(like(score.pausedSeconds)), mods: Modifiers, source: oneOf(scoreSources) },
  externalId: nullable(personal('id', like(score.externalId))),
  ...{ playedAt: nullable(Instant), evidenceUrl: nullable(Address) },
})
const Corrected = Type.Object({
  score: Points,
  accuracy: Accuracy,
  misses: Counted,
  completion: Completion,
})
const Reason = nullable(textLike(ClaimBody.properties.reason))
const Claim = Type.Object({
  ...{
    guid: Guid,
    game: Numbered,
    chain: Numbered,
    run: Numbered,
    seat: SeatNumber,
    user: nullable(Player),
    reason: Reason,
  },
})
const Penalty = Type.Object({
  ...{ guid: Guid, seat: SeatNumber, user: nullable(Player), game: nullable(Numbered), run: nullable(Numbered) },
  chain: Type.Optional(nullable(Numbered)),
  ...{ type: Penalised, points: nullable(like(PenaltyBody.properties.points)), reason: Reason },
})
const Draw = Type.Object({ number: Counter, redraw: Counter, outcomes: Counter })

/** Of a map that a session has chosen, played or judged, and of the session itself. */
export const rowKinds = [
  ...['start', 'present', 'ready', 'break', 'accept', 'nonce', 'roll', 'choose', 'protect', 'ban', 'pick'],
  ...['tiebreaker', 'random', 'flair_pick', 'flair_ban', 'lineup', 'lapse', 'skip', 'scores', 'claim'],
  ...['claim_cancelled', 'technical', 'penalty', 'penalty_voided', 'score_corrected', 'override', 'clock'],
  ...['timeout', 'map_told', 'result_told', 'reopened', 'undo', 'void', 'finish', 'reveal'],
]

/** What rows hold, of all kinds. */
export const RowData = Type.Partial(
  Type.Object({
    ...{
      commitment: Drawn,
      flow: Definition,
      pool: Type.Array(PoolEntry, { maxItems: maxPool }),
      teams: Type.Array(Seat, { maxItems: maxSeats }),
      allowDraws: Type.Boolean(),
    },
    ...{
      startsAt: nullable(Instant),
      scheduledAt: nullable(Instant),
      bannedMods: Modifiers,
      nonce: Drawn,
      seed: Drawn,
    },
    ...{ rolls: Type.Array(nullable(wholeUpTo(100, 1)), { maxItems: maxSeats }), round: Counter, draw: Draw },
    ...{ pair: Pair, place: wholeUpTo(2, 1), secret: Type.Boolean() },
    ...{ flair: Flair, users: Type.Array(Player, { maxItems: mostActive }), dueAt: nullable(Instant), policy: Policy },
    result: Type.Union([wordUpTo(), Result]),
    ...{ why: wordUpTo(), game: Numbered, run: Numbered, chain: Numbered, complete: Type.Boolean() },
    scores: listLike(ScoresBody.properties.scores, Type.Union([Score, GamePlayer, Total])),
    seats: Type.Array(SeatNumber, { maxItems: maxSeats }),
    ...{ claim: Claim, guid: Guid, counts: Counts, reason: Reason },
    penalty: Type.Union([impersonal('word', Guid), Penalty]),
    score: Guid,
    ...{
      before: Corrected,
      after: Corrected,
      correction: Guid,
      dropped: Positions,
      op: oneOf([...overrideOps, 'pause', 'resume', 'extend', 'set']),
    },
    ...{ winner: Winner, step: wordUpTo(16), entry: PoolEntry, out: Player, in: Player, of: Positions },
    draws: Type.Array(Counter, { maxItems: maxRows.referee }),
    ...{ warning: Guid, seconds: nullable(wholeUpTo(3_600)), remainingMs: nullable(Counter) },
    totals: Type.Array(nullable(Total), { maxItems: maxSeats }),
    ...{ number: nullable(Counter), resume: oneOf(resumptions), session: Guid },
  }),
)
