import type { SignedIn } from '../../../../core/actor.ts'
import type { Refusal } from '../../../../core/operation.ts'
import { conflict, invalid } from '../../../../core/problem.ts'
import type { Machine } from '../../../../engine/flows/machine.ts'
import { judgePenalty, judgeVoiding, type PenaltyInput, withLaterDropped } from '../../../../engine/flows/penalties.ts'
import { copyOf } from '../../../../engine/flows/replay.ts'
import { write } from '../../../../engine/flows/row-writer.ts'
import type { Draft } from '../../../../engine/flows/rows.ts'
import { judgeCorrection, type ScoreChanges } from '../../../../engine/flows/scores.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { findMatch } from '../../../brackets/matches/store/matches.ts'
import { type Consequences, correct, preview } from '../../../brackets/results/commands/corrections.ts'
import { consider, type OpenMatch } from '../../../brackets/results/commands/play.ts'
import { checkSeen, isCorrection } from '../../../brackets/results/rules.ts'
import { newGuids } from '../../../tournaments/tournaments/store/tournaments.ts'
import { followMatch } from '../../flowSessions/commands/following.ts'
import { type OpenSession, renewSeed, writeRows } from '../../flowSessions/commands/log.ts'
import { matchOf } from '../../flowSessions/rules/games.ts'
import type { StateView } from '../../flowSessions/views/state.ts'
import { checkLogRoom } from '../rules.ts'
import {
  answer,
  checkPosition,
  isRepeated,
  openBoth,
  refusedByTime,
  syncMatch,
  type Target,
  withState,
  writeLapse,
} from './changing.ts'

/**
 * Changes of something final: a score, a penalty, or the voiding of a penalty. While the match runs, its games are
 * updated immediately. For a completed match the change is a correction with a preview and an undo. (match-flows: Who
 * wins a map, and the match, rule 7)
 */

export interface Ruling {
  readonly expect?: number | undefined
  /** The bracket's revision that the preview returned. */
  readonly revision?: number | undefined
  readonly dryRun: boolean
  /** Undoes the maps after the map that now decides the match. */
  readonly dropLater: boolean
  readonly reason: string
}

/** The state, and the consequences if a completed match was corrected; otherwise null. Or a refusal. */
export type Ruled = { readonly state: StateView; readonly consequences: Consequences | null } | Refusal

export async function correctScore(
  tx: Tx,
  actor: SignedIn,
  target: Target,
  input: Ruling & { readonly score: string; readonly changes: Omit<ScoreChanges, 'reason'> },
  now: Date,
): Promise<Ruled> {
  const { score, changes, reason } = input
  return rule(tx, actor, target, input, now, ({ machine }) => judgeCorrection(machine, score, { ...changes, reason }))
}

export async function penalise(
  tx: Tx,
  actor: SignedIn,
  target: Target,
  input: Ruling & { readonly penalty: Omit<PenaltyInput, 'reason'> },
  now: Date,
): Promise<Ruled> {
  const [guid = ''] = await newGuids(tx, 1)
  const isFree = target.session.matchGuid === null
  const { penalty, reason } = input
  return rule(tx, actor, target, input, now, ({ machine }) =>
    judgePenalty(machine, { ...penalty, reason }, guid, isFree),
  )
}

export async function voidPenalty(
  tx: Tx,
  actor: SignedIn,
  target: Target,
  input: Ruling & { readonly penalty: string },
  now: Date,
): Promise<Ruled> {
  return rule(tx, actor, target, input, now, ({ machine }) => judgeVoiding(machine, input.penalty, input.reason))
}

async function rule(
  tx: Tx,
  actor: SignedIn,
  target: Target,
  ruling: Ruling,
  now: Date,
  judge: (open: OpenSession) => Draft | null,
): Promise<Ruled> {
  const { tournament, session } = target
  const { match, open } = await openBoth(tx, actor, { tournament, session }, true, now)
  const rowsOf = (at: OpenSession) => [judge(at)].filter((draft) => draft !== null)
  if (!ruling.dryRun && (await isRepeated(open, actor, { expect: ruling.expect, judge: rowsOf }))) {
    return { state: await answer(tx, actor, open), consequences: null }
  }
  const { position } = open.machine
  const late = ruling.dryRun ? null : await writeLapse(tx, tournament, open, match)
  if (late !== null) return refusedByTime(tx, actor, late, position, ruling.expect)
  return withState(tx, actor, open, async () => {
    checkPosition(open.machine, ruling.expect)
    const by = open.machine.ending?.by
    if (by === 'void') throw conflict('flow.over', 'The session is void.')
    if (by === 'finish' && match !== null)
      throw conflict('flow.over', 'The session was ended; the match goes on by hand.')
    const judged = judge(open)
    if (judged === null) return { state: await answer(tx, actor, open), consequences: null }
    const draft = withLaterDropped(open.machine, judged, rowOf(open, judged), ruling.dropLater)
    if (match !== null && isCorrection(match.match)) {
      return correctMatch(tx, actor, { open, match, draft }, ruling)
    }
    if (ruling.dryRun) {
      throw invalid('flow.nothing_to_preview', 'Only changes of completed matches are previewed; leave out `dryRun`.')
    }
    checkLogRoom(position, true)
    const written = await writeRows(tx, open, [draft], actor.guid)
    await syncMatch(tx, actor, tournament, written, match)
    return { state: await answer(tx, actor, written), consequences: null }
  })
}

/** The row that the draft would be in the log. */
export function rowOf({ machine, now }: Pick<OpenSession, 'machine' | 'now'>, draft: Draft) {
  const { step = null, seat = null, onBehalf = false, map = null, ...entry } = draft
  const placed = { position: machine.position + 1, step, seat, by: null, onBehalf, map, at: now.getTime() }
  return { ...placed, ...entry } as Machine['rows'][number]
}

/** Corrects the log and the bracket together, so that an undo of the correction restores both. */
async function correctMatch(
  tx: Tx,
  actor: SignedIn,
  { open, match, draft }: { readonly open: OpenSession; readonly match: OpenMatch; readonly draft: Draft },
  { revision, dryRun, reason }: Ruling,
): Promise<Ruled> {
  const pen = { seed: open.seed, now: open.now.getTime() }
  const trial = write(copyOf(open.machine), [draft], actor.guid, pen).machine
  // A result that was reported for the match itself stays, whatever its maps say.
  const isReported = trial.ending?.by === 'told'
  const byLog = matchOf(trial, match.match.games)
  const wanted = isReported ? { ...byLog, decision: match.match.decision } : byLog
  const considered = await consider(tx, match, { kind: 'games', match: match.match.number, ...wanted })
  if (dryRun) return { state: await answer(tx, actor, open), consequences: preview(considered) }
  checkSeen(revision, match.open.bracket)
  const applied = { type: 'match.corrected' as const, reason, session: open.record.guid }
  const consequences = await correct(tx, actor, match, considered, applied, open.now)
  const correction = consequences.correctionGuid === null ? {} : { correction: consequences.correctionGuid }
  const marked = { ...draft, data: { ...draft.data, ...correction } } as Draft
  const runsAgain = trial.ending === null
  const renewed = runsAgain ? await renewSeed(tx, open) : null
  const rows: readonly Draft[] =
    renewed === null
      ? [marked]
      : [marked, { kind: 'reopened', data: { reason, commitment: renewed.commitment, ...correction } }]
  const written = await writeRows(tx, renewed ?? open, rows, actor.guid)
  const after = (await findMatch(tx, match.match.guid)) ?? match.match
  const agreed = await followMatch(tx, written, after, { by: actor.guid, reason, ...correction })
  return { state: await answer(tx, actor, agreed), consequences }
}
