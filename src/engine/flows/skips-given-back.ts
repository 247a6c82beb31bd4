import { jump, stepAt } from './cursor.ts'
import type { Action, PenaltyType } from './flow.ts'
import { aroundOf } from './legal-maps.ts'
import { activePenalties, type Machine, type Penalty } from './machine.ts'
import { isUndoable, type Of, type Row, undoneBy } from './rows.ts'

const lost: Partial<Record<PenaltyType, Action>> = { lose_bans: 'ban', lose_protects: 'protect' }

/** Kinds of rows that may follow although no seat has taken a turn. */
const rulings: ReadonlySet<Row['kind']> = new Set(['penalty', 'penalty_voided'])

/**
 * When a penalty is voided, the ban or protect that it took away is given back if its step has not ended: other seats
 * still have the turn in it, or nothing was done since. (D82)
 * @returns positions of the `skip` rows that passed over the seat
 */
export function skipsGivenBack(machine: Machine, penalty: Penalty): readonly number[] {
  const { guid, seat, type } = penalty
  const action = lost[type]
  const isLostAnyhow = activePenalties(machine).some(
    (other) => other.guid !== guid && other.type === type && other.seat === seat,
  )
  if (action === undefined || isLostAnyhow) return []
  const undone = undoneBy(machine.rows)
  const standing = machine.rows.filter(({ position }) => position > penalty.position && !undone.has(position))
  const isPassed = (row: Row): row is Of<'skip'> =>
    row.kind === 'skip' && row.seat === seat && row.data.why === 'penalty' && actionAt(machine, row.step) === action
  const { turn } = machine
  const isOpen = turn?.action === action && turn.done.has(seat)
  const inTurn = isOpen ? standing.findLast((row) => isPassed(row) && row.step === turn.path) : undefined
  const acted = standing.findLastIndex((row) => isUndoable(row) && !rulings.has(row.kind) && !isPassed(row))
  const atEnd = standing.slice(acted + 1).filter(isPassed)
  return [...new Set([...(inTurn === undefined ? [] : [inTurn]), ...atEnd])].map(({ position }) => position)
}

function actionAt(machine: Machine, path: string | null): Action | null {
  const cursor = path === null ? null : jump(machine.flow, path, aroundOf(machine))
  return cursor === null ? null : (stepAt(machine.flow, cursor)?.action ?? null)
}
