import { type Static, Type } from 'typebox'
import { command, Refusal } from '../../../../core/operation.ts'
import { invalid } from '../../../../core/problem.ts'
import { readInstant } from '../../../../core/time.ts'
import { webAddressFault } from '../../../../core/web.ts'
import type { ScoresInput } from '../../../../engine/flows/scores.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { checkReach } from '../../../../infra/http/refusals.ts'
import { DryRunQuery } from '../../../brackets/results/bodies.ts'
import { referees } from '../../../brackets/results/policy.ts'
import { CorrectionView, readCorrectionView } from '../../../brackets/results/views.ts'
import { lookUpMap } from '../../../maps/pools/prepare.ts'
import { referenceProblems } from '../../../maps/pools/routes/maps.ts'
import { StateView } from '../../flowSessions/views/state.ts'
import { OverrideBody, PenaltyBody, ScoreBody, ScoresBody, VoidPenaltyBody } from '../bodies.ts'
import { override, reportScores } from '../commands/acting.ts'
import { correctScore, penalise, type Ruled, voidPenalty } from '../commands/correcting.ts'
import { overrideOf } from '../commands/overriding.ts'
import { changeProblems, matchProblems, refusals, sessionPath } from './common.ts'

const doScores = command({
  name: 'flowSessions.reportScores',
  method: 'POST',
  path: `${sessionPath}/scores`,
  scope: 'rest:write',
  socket: true,
  allow: referees,
  inRehearsals: true,
  summary: 'Tell scores of the run that is played.',
  description:
    'The run is complete when everybody in the line-ups has one, or with `complete`. A score that was told by its source already (`externalId`) changes nothing; another one of the same player does not count, and is a warning.',
  body: ScoresBody,
  reply: { 200: StateView },
  problems: {
    ...changeProblems,
    ...matchProblems,
    'flow.wrong_action': 409,
    'score.invalid': 400,
    'score.user_unknown': 400,
    'score.run_unknown': 409,
  },
  refusals,
  run: ({ tx, actor, tournament, flowSession: session, body, now }) =>
    reportScores(tx, actor, { tournament, session }, { ...body, ...scoresOf(body) }, now),
})

function scoresOf({ scores, complete = false }: Static<typeof ScoresBody>): Pick<ScoresInput, 'scores' | 'complete'> {
  return {
    complete,
    scores: scores.map((given) => {
      const fault = given.evidenceUrl == null ? null : webAddressFault(given.evidenceUrl)
      if (fault !== null) throw invalid('score.invalid', `\`evidenceUrl\` ${fault}.`)
      readInstant(given.playedAt ?? null, (reason) => invalid('score.invalid', `\`playedAt\` ${reason}.`))
      return {
        accuracy: null,
        misses: null,
        badCuts: null,
        maxCombo: null,
        completion: 'passed' as const,
        pausedSeconds: null,
        mods: [],
        source: 'manual' as const,
        externalId: null,
        playedAt: null,
        evidenceUrl: null,
        ...given,
        map: given.map?.toLowerCase() ?? given.map,
      }
    }),
  }
}

/** Problems of changes to a final result. */
const rulingProblems = {
  ...changeProblems,
  ...matchProblems,
  'flow.act_invalid': 400,
  'flow.nothing_to_preview': 400,
  'game.not_needed': 409,
  'correction.stale': 409,
  'correction.limit_reached': 409,
} as const

const RulingView = Type.Union([
  Type.Object({ ...CorrectionView.properties, state: StateView }, { title: 'FlowCorrection' }),
  StateView,
])
const query = Type.Object(DryRunQuery)
const ofCompleted =
  'While the match runs its games follow at once. Once it is completed this is a correction: with `dryRun=true` it answers what would change; with the `revision` of that preview it does exactly that, in one step, and can be undone.'

async function answerOf(tx: Tx, ruled: Ruled) {
  if (ruled instanceof Refusal) return ruled
  const { state, consequences } = ruled
  return consequences === null ? state : { ...(await readCorrectionView(tx, consequences)), state }
}

const doCorrect = command({
  name: 'flowSessions.correctScore',
  method: 'PATCH',
  path: `${sessionPath}/scores/:score`,
  scope: 'rest:write',
  socket: true,
  allow: referees,
  inRehearsals: true,
  summary: 'Correct a score that was told, and everything that follows from it.',
  description: ofCompleted,
  query,
  body: ScoreBody,
  reply: { 200: RulingView },
  problems: { ...rulingProblems, 'score.unknown': 404, 'score.not_counting': 409 },
  refusals,
  run: async ({ tx, actor, tournament, flowSession: session, score, query: { dryRun = false }, body, now }) => {
    const { expect, reason, revision, dropLater = false, ...changes } = body
    const input = { expect, reason, revision, dropLater, dryRun, changes, score: score.toLowerCase() }
    return answerOf(tx, await correctScore(tx, actor, { tournament, session }, input, now))
  },
})

const doPenalise = command({
  name: 'flowSessions.penalise',
  method: 'POST',
  path: `${sessionPath}/penalties`,
  scope: 'rest:write',
  socket: true,
  allow: referees,
  inRehearsals: true,
  summary: 'Give a penalty: from a warning to the loss of a score, a map, or the match.',
  description: ofCompleted,
  query,
  body: PenaltyBody,
  reply: { 200: RulingView },
  problems: { ...rulingProblems, 'penalty.invalid': 400 },
  refusals,
  run: async ({ tx, actor, tournament, flowSession: session, query: { dryRun = false }, body, now }) => {
    const { expect, reason, revision, dropLater = false, ...penalty } = body
    const input = { expect, reason, revision, dropLater, dryRun, penalty }
    return answerOf(tx, await penalise(tx, actor, { tournament, session }, input, now))
  },
})

const doVoid = command({
  name: 'flowSessions.voidPenalty',
  method: 'POST',
  path: `${sessionPath}/penalties/:penalty/void`,
  scope: 'rest:write',
  socket: true,
  allow: referees,
  inRehearsals: true,
  summary: 'Void a penalty, as if it had not been given.',
  description: ofCompleted,
  query,
  body: VoidPenaltyBody,
  reply: { 200: RulingView },
  problems: { ...rulingProblems, 'penalty.unknown': 404, 'penalty.voided': 409 },
  refusals,
  run: async ({ tx, actor, tournament, flowSession: session, penalty, query: { dryRun = false }, body, now }) => {
    const { expect, reason, revision, dropLater = false } = body
    const input = { expect, reason, revision, dropLater, dryRun, penalty: penalty.toLowerCase() }
    return answerOf(tx, await voidPenalty(tx, actor, { tournament, session }, input, now))
  },
})

/** One asks the catalogue, the other names any accounts. (R1, R3) */

const doOverride = command({
  name: 'flowSessions.override',
  method: 'POST',
  path: `${sessionPath}/override`,
  scope: 'rest:write',
  socket: true,
  allow: referees,
  inRehearsals: true,
  summary: 'Do by hand what the flow does not provide for.',
  description:
    '`set_map` chooses a map or replaces the one that is played; `award_map` and `void_map` decide it; `go_to` and `skip` leave the order of the steps; `add_map` takes a map into the session’s pool; `substitute` and `speakers` change who plays and who speaks; `redraw` repeats the last draw, which shows; `end_flow` has the maps told by hand from then on; `dismiss` settles a warning. In a rehearsal, `speakers` is not possible, and `add_map` finds only what was looked up before.',
  body: OverrideBody,
  reply: { 200: StateView },
  problems: {
    ...changeProblems,
    ...matchProblems,
    ...referenceProblems,
    'flow.act_invalid': 400,
    'flow.wrong_action': 409,
    'flow.map_illegal': 409,
    'flow.step_unknown': 409,
    'game.not_needed': 409,
    'flow.nothing_to_undo': 409,
    'lineup.invalid': 409,
    'warning.unknown': 404,
    'user.unknown': 404,
    'rehearsal.not_possible': 409,
    'rehearsal.no_outside': 409,
  },
  refusals,
  prepare: async ({ body, ...asking }) => {
    const { op, hash, difficulty, characteristic } = body
    // Speakers may be any accounts.
    checkReach(asking.tournament, op === 'speakers')
    if (op !== 'add_map') return null
    const named = { ...(difficulty && { difficulty }), ...(characteristic && { characteristic }) }
    return lookUpMap({ ref: hash ?? '', keepMissing: true, ...named }, asking)
  },
  run: async ({ tx, actor, tournament, flowSession: session, body, prepared, now }) => {
    const input = await overrideOf(tx, tournament, body, prepared, now)
    return override(tx, actor, { tournament, session }, { expect: body.expect, input }, now)
  },
})

export const refereeingOperations = [doScores, doCorrect, doPenalise, doVoid, doOverride]
