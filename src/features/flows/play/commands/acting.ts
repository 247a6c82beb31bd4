import type { SignedIn } from '../../../../core/actor.ts'
import type { Refusal } from '../../../../core/operation.ts'
import { type ClockOp, judgeClock, judgeTimeout } from '../../../../engine/flows/clock-operations.ts'
import { finalGames } from '../../../../engine/flows/machine.ts'
import { checkNoneLater } from '../../../../engine/flows/penalties.ts'
import { judgeOverride, judgeUndo, type OverrideInput } from '../../../../engine/flows/referee-rulings.ts'
import { turnsChangedByCorrections } from '../../../../engine/flows/replay.ts'
import type { Resumption } from '../../../../engine/flows/rows.ts'
import {
  judgeCancelling,
  judgeClaim,
  judgeScores,
  judgeTechnical,
  type ScoresInput,
} from '../../../../engine/flows/scores.ts'
import { type Act, judgeAct } from '../../../../engine/flows/seat-actions.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { newGuids } from '../../../tournaments/tournaments/store/tournaments.ts'
import type { StateView } from '../../flowSessions/views/state.ts'
import { changeSession, type Target } from './changing.ts'
import { rowOf } from './correcting.ts'

/**
 * Acts of seats and referees while a session runs. Each returns the state, or a refusal with the state. (match-flows:
 * Operations)
 */

type Done = Promise<StateView | Refusal>

interface Seen {
  readonly expect: number
}

/** @throws Problem what `judgeAct` refuses */
export async function act(tx: Tx, actor: SignedIn, target: Target, { expect, ...input }: Seen & Act, now: Date): Done {
  const change = {
    expect,
    mayEndMap: input.action === 'accept',
    judge: ({ machine, now: at }: Parameters<Judge>[0], caller: Parameters<Judge>[1]) => {
      const draft = judgeAct(machine, input, caller, at.getTime())
      // Repeating `present` adds no rows to the log.
      const isKnown = draft.kind === 'present' && machine.seats[(draft.seat ?? 0) - 1]?.isPresent === true
      return isKnown ? [] : [draft]
    },
  }
  return changeSession(tx, actor, target, change, now)
}

type Judge = Parameters<typeof changeSession>[3]['judge']

export async function reportScores(
  tx: Tx,
  actor: SignedIn,
  target: Target,
  { expect, ...input }: Partial<Seen> & ScoresInput,
  now: Date,
): Done {
  const guids = await newGuids(tx, input.scores.length)
  const judge: Judge = ({ machine }) => {
    const left = [...guids]
    const draft = judgeScores(machine, input, () => left.shift() ?? '')
    return draft === null ? [] : [draft]
  }
  return changeSession(tx, actor, target, { expect, mayEndMap: true, judge }, now)
}

export interface ClaimingInput extends Seen {
  readonly kind: 'replay' | 'technical'
  readonly seat?: number | undefined
  readonly user?: string | undefined
  readonly seats?: readonly number[] | undefined
  readonly reason?: string | undefined
}

/** A seat claims a replay, or a referee gives a technical replay. */
export async function claim(
  tx: Tx,
  actor: SignedIn,
  target: Target,
  { expect, kind, seats = [], reason, ...input }: ClaimingInput,
  now: Date,
): Done {
  const [guid = ''] = await newGuids(tx, 1)
  const judge: Judge = ({ machine, now: at }, caller) => [
    kind === 'technical'
      ? judgeTechnical(machine, { seats, reason: reason ?? '' }, guid)
      : judgeClaim(machine, { ...input, reason }, caller, at.getTime(), guid),
  ]
  return changeSession(tx, actor, target, { expect, mayEndMap: true, judge }, now)
}

export async function cancelClaim(
  tx: Tx,
  actor: SignedIn,
  target: Target,
  { expect, guid }: Seen & { readonly guid: string },
  now: Date,
): Done {
  const judge: Judge = ({ machine }) => [judgeCancelling(machine, guid)]
  return changeSession(tx, actor, target, { expect, mayEndMap: false, judge }, now)
}

export async function undo(tx: Tx, actor: SignedIn, target: Target, { expect }: Seen, now: Date): Done {
  const isOfMatch = target.session.matchGuid !== null
  const judge: Judge = ({ machine, now: at }, caller) => [judgeUndo(machine, caller, at.getTime(), isOfMatch)]
  return changeSession(tx, actor, target, { expect, mayEndMap: true, judge }, now)
}

export interface ClockInput extends Seen {
  readonly op: ClockOp | 'timeout'
  readonly seconds?: number | undefined
  readonly resume?: Resumption | undefined
  readonly seat?: number | undefined
}

export async function setClock(
  tx: Tx,
  actor: SignedIn,
  target: Target,
  { expect, op, seconds, resume, seat }: ClockInput,
  now: Date,
): Done {
  const judge: Judge = ({ machine, now: at }, caller) => [
    op === 'timeout'
      ? judgeTimeout(machine, seat, caller, at.getTime())
      : judgeClock(machine, op, { seconds, resume }, at.getTime()),
  ]
  return changeSession(tx, actor, target, { expect, mayEndMap: false, judge }, now)
}

export async function override(
  tx: Tx,
  actor: SignedIn,
  target: Target,
  { expect, input }: Seen & { readonly input: OverrideInput },
  now: Date,
): Done {
  const judge: Judge = (open) => {
    const { machine } = open
    const strangers = input.op === 'dismiss' ? turnsChangedByCorrections(machine) : []
    const draft = judgeOverride(machine, input, strangers, open.now.getTime())
    const isOver = input.op === 'award_map' && finalGames(machine).some(({ game }) => game === input.game)
    if (isOver) checkNoneLater(machine, rowOf(open, draft))
    return [draft]
  }
  return changeSession(tx, actor, target, { expect, mayEndMap: true, judge }, now)
}
