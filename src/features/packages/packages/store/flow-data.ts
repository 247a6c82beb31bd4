import { Type } from 'typebox'
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
import { maxNameLength } from '../../../flows/flows/bodies/flow.ts'
import { ClaimBody, overrideOps, ScoresBody } from '../../../flows/play/bodies.ts'
import { Address, Hash, like, nameUpTo, textLike, textUpTo, wordUpTo, workUpTo } from './bounds.ts'

import { GamePlayer } from './brackets.ts'
import { KeptFlair, KeptMap, KeptSettings } from './kept-maps.ts'
import { Characteristic } from './maps.ts'

/** Match flows, and what the rows of their sessions hold. */

const Count = Type.Integer()
const OptionalCount = nullable(Count)
const OptionalNumber = nullable(Type.Number())
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

const Step = Type.Object({
  ...{ action: oneOf(actions), actor: Type.Array(Pair), seconds: OptionalNumber, onTimeout: Type.Array(Policy) },
  from: Type.Object({ flairs: nullable(Flairs), exceptFlairs: Flairs, tiebreakers: Type.Boolean() }),
  limits: Type.Array(Type.Object({ otherFlairThan: oneOf(['own_last', 'own_all']), except: Flairs })),
  ...{
    when: oneOf(conditions),
    times: Count,
    secret: Type.Boolean(),
    label: nullable(textUpTo(60)),
    pair: nullable(Pair),
  },
  source: nullable(oneOf(['flagged', 'last_left'])),
})

/** Blocks hold steps, and one more level of blocks. */
const blocksOf = (inner: ReturnType<typeof Type.Union>) => [
  Type.Object({ repeat: Type.Union([Count, oneOf(['until_decided'])]), steps: Type.Array(inner) }),
  Type.Object({ each: Pair, steps: Type.Array(inner) }),
]
const InnerPart = Type.Union([Step, ...blocksOf(Type.Union([Step]))])
const Part = Type.Union([Step, ...blocksOf(InnerPart)])

const Rules = Type.Object({
  play: Type.Object({ mode: oneOf(['best_of', 'play_all']), maps: Type.Optional(Count) }),
  map: Type.Object({
    by: oneOf(['score', 'accuracy', 'misses']),
    team: oneOf(['sum', 'mean', 'top']),
    top: OptionalCount,
    players: OptionalCount,
  }),
  modifiers: Type.Optional(oneOf(modifierRules)),
  ...{
    zero: Type.Array(Completion),
    pauseLimitSeconds: OptionalNumber,
    tie: Type.Array(oneOf(tieRules)),
    tieReplays: Count,
  },
  decide: oneOf(['score_sum', 'wins', 'points']),
  points: Type.Array(Type.Number()),
  replays: Type.Object({
    ...{ rule: oneOf(replayRules), perMatch: Count, perMap: Count, by: oneOf(['team', 'player']) },
    windowSeconds: Type.Number(),
  }),
  technical: Type.Object({ perMatch: OptionalCount, counts: Counts }),
  timeouts: Type.Object({ count: Count, seconds: Type.Number() }),
  late: Type.Array(Type.Object({ afterMinutes: Type.Number(), type: Penalised })),
  lineup: Type.Object({ changes: oneOf(['per_map', 'per_match']) }),
  ...{
    protects: oneOf(['opponents', 'everybody']),
    speakers: oneOf(['captain', 'members']),
    graceSeconds: Type.Number(),
    selfUndoSeconds: Type.Number(),
  },
  ...{ viewDelaySeconds: Type.Number(), eliminate: Count },
})

/** A flow, as it is stored. */
export const Definition = Type.Object({
  ...{ seats: Count, bestOf: OptionalCount, pairs: Type.Array(Pair), steps: Type.Array(Part), rules: Rules },
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
    ...{ name: nullable(workUpTo()), maxScore: OptionalCount },
  }),
})
const Seat = Type.Object({
  ...{ seat: Count, team: nullable(Guid), name: nameUpTo(maxNameLength), seed: OptionalCount },
  ...{ captain: nullable(personal('id', Guid)), members: Type.Array(personal('id', Guid)) },
})

const Result = Type.Object({
  outcome: nullable(oneOf(outcomes)),
  winner: OptionalCount,
  scores: nullable(Type.Array(Type.Number(), { maxItems: 2 })),
})
const score = ScoresBody.properties.scores.items.properties
const Points = like(score.score)
const Score = Type.Object({
  ...{ guid: Guid, user: Player, map: nullable(Guid), score: Points, accuracy: OptionalNumber },
  ...{ misses: OptionalCount, badCuts: OptionalCount, maxCombo: OptionalCount, completion: Completion },
  ...{ pausedSeconds: OptionalNumber, mods: Modifiers, source: oneOf(scoreSources) },
  externalId: nullable(personal('id', like(score.externalId))),
  ...{ playedAt: nullable(Instant), evidenceUrl: nullable(Address) },
})
const Corrected = Type.Object({
  score: Type.Number(),
  accuracy: OptionalNumber,
  misses: OptionalCount,
  completion: Completion,
})
const Reason = nullable(textLike(ClaimBody.properties.reason))
const Claim = Type.Object({
  ...{ guid: Guid, game: Count, chain: Count, run: Count, seat: Count, user: nullable(Player), reason: Reason },
})
const Penalty = Type.Object({
  ...{ guid: Guid, seat: Count, user: nullable(Player), game: OptionalCount, run: OptionalCount },
  ...{ chain: Type.Optional(OptionalCount), type: Penalised, points: OptionalNumber, reason: Reason },
})
const Draw = Type.Object({ number: Count, redraw: Count, outcomes: Count })

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
      pool: Type.Array(PoolEntry),
      teams: Type.Array(Seat),
      allowDraws: Type.Boolean(),
    },
    ...{
      startsAt: nullable(Instant),
      scheduledAt: nullable(Instant),
      bannedMods: Modifiers,
      nonce: Drawn,
      seed: Drawn,
    },
    ...{ rolls: Type.Array(OptionalCount), round: Count, draw: Draw, pair: Pair, place: Count, secret: Type.Boolean() },
    ...{ flair: Flair, users: Type.Array(Player), dueAt: nullable(Instant), policy: Policy },
    result: Type.Union([wordUpTo(), Result]),
    ...{ why: wordUpTo(), game: Count, run: Count, chain: Count, complete: Type.Boolean() },
    scores: Type.Array(Type.Union([Score, GamePlayer, Type.Number()])),
    ...{ claim: Claim, guid: Guid, seats: Type.Array(Count), counts: Counts, reason: Reason },
    penalty: Type.Union([impersonal('word', Guid), Penalty]),
    score: Guid,
    ...{
      before: Corrected,
      after: Corrected,
      correction: Guid,
      dropped: Type.Array(Count),
      op: oneOf([...overrideOps, 'pause', 'resume', 'extend', 'set']),
    },
    ...{ winner: OptionalCount, step: wordUpTo(16), entry: PoolEntry, out: Player, in: Player, of: Type.Array(Count) },
    ...{ draws: Type.Array(Count), warning: Guid, seconds: OptionalNumber, remainingMs: OptionalNumber },
    ...{ number: OptionalCount, resume: oneOf(resumptions), totals: Type.Array(OptionalNumber), session: Guid },
  }),
)
