import { createHash, createHmac } from 'node:crypto'
import type { Row } from '../../src/engine/flows/rows.ts'
import { type Follower, follow } from './second-replayer.ts'

/**
 * The faults in the log of a completed session: draws that do not follow from the revealed seed, and choices that were
 * illegal at their position. Everybody can check this. (match-flows: Draws; What proves it)
 */

type Named = Follower['warningGuid']

function drawn(
  seed: Buffer,
  session: string,
  number: number,
  redraw: number,
  outcomes: number,
  nonces: string,
): number {
  const limit = 2n ** 48n - (2n ** 48n % BigInt(outcomes))
  for (let attempt = 0; ; attempt += 1) {
    const hash = createHmac('sha256', seed).update(`${session}:${number}:${redraw}:${attempt}:${nonces}`).digest('hex')
    const value = BigInt(`0x${hash.slice(0, 12)}`)
    if (value < limit) return Number(value % BigInt(outcomes))
  }
}

/** The seed that was valid when a row was written. */
function seedAt(rows: readonly Row[], position: number): Buffer | null {
  const next = rows.find((row) => row.position > position && (row.kind === 'reveal' || row.kind === 'reopened'))
  return next?.kind === 'reveal' ? Buffer.from(next.data.seed, 'hex') : null
}

export function faultsOf(session: string, rows: readonly Row[], named?: Named): readonly string[] {
  return rows.slice(1).flatMap((row, index) => {
    const before = follow(rows.slice(0, index + 1), named)
    return faultsAt(session, rows, row, before).map((fault) => `${row.position} ${row.kind}: ${fault}`)
  })
}

function faultsAt(session: string, rows: readonly Row[], row: Row, before: Follower): readonly string[] {
  if (row.kind === 'reveal') return revealed(rows, row.position, row.data.seed)
  if (row.kind === 'finish' && row.by === null && row.data.winner !== before.end?.winner) return ['another has won']
  const faults: string[] = []
  const { turn } = before
  const choices = [
    'choose',
    'protect',
    'ban',
    'pick',
    'random',
    'tiebreaker',
    'flair_pick',
    'flair_ban',
    'lineup',
    'roll',
  ]
  const isExtra = row.kind === 'random' && turn?.step.action === 'play'
  if (choices.includes(row.kind) && turn?.step.action !== row.kind && !isExtra) faults.push('it is not the step')
  if (row.seat !== null && choices.includes(row.kind) && turn !== null && !before.pending(turn).includes(row.seat)) {
    faults.push('it is not the turn of this seat')
  }
  if (turn === null) return faults
  const outcomes = outcomesOf(before, row, isExtra)
  if (outcomes !== null && !outcomes.includes(chosen(row))) faults.push('it is not legal')
  const isMade = row.by === null && choices.includes(row.kind)
  const mark = 'draw' in row.data ? row.data.draw : undefined
  if (row.kind === 'tiebreaker' && mark === undefined && (outcomes ?? []).length !== 1) faults.push('it was not drawn')
  if (mark === undefined) return isMade && row.kind !== 'tiebreaker' ? [...faults, 'it was not drawn'] : faults
  const redraw = before.redraws.get(mark.number) ?? 0
  if (mark.number !== before.draws + 1) faults.push('its number is another')
  if (mark.redraw !== redraw) faults.push('it was not redrawn as often')
  const seed = seedAt(rows, row.position)
  if (seed === null) return faults
  const nonces = before.nonces.filter((nonce) => nonce !== null).join(',')
  if (row.kind === 'roll') {
    let number = mark.number
    for (const seat of turn.rolling ?? before.seats) {
      const value = drawn(seed, session, number, before.redraws.get(number) ?? 0, 100, nonces) + 1
      if (row.data.rolls[seat - 1] !== value) faults.push(`seat ${seat} has rolled ${value}`)
      number += 1
    }
    return faults
  }
  if (mark.outcomes !== outcomes?.length) faults.push('it was drawn among others')
  const index = drawn(seed, session, mark.number, redraw, mark.outcomes, nonces)
  if (outcomes?.[index] !== chosen(row)) faults.push('another was drawn')
  return faults
}

function chosen(row: Row): string | number | null {
  if (row.kind === 'choose') return row.data.place
  if (row.kind === 'flair_pick' || row.kind === 'flair_ban') return row.data.flair
  return row.map
}

/** Null for a row without options. */
function outcomesOf(before: Follower, row: Row, isExtra: boolean): readonly (string | number | null)[] | null {
  const { turn } = before
  if (turn === null) return null
  if (isExtra) return before.free(false).map(({ entry }) => entry.guid)
  if (row.kind === 'choose') return [1, 2]
  if (row.kind === 'flair_pick' || row.kind === 'flair_ban') return before.flairs(turn.step)
  if (row.kind === 'tiebreaker') return before.tiebreakers(turn.step)
  if (row.kind === 'ban' || row.kind === 'pick' || row.kind === 'protect' || row.kind === 'random') {
    return before.legal(turn.step, row.seat)
  }
  return null
}

function revealed(rows: readonly Row[], position: number, seed: string): readonly string[] {
  const commitment = createHash('sha256').update(Buffer.from(seed, 'hex')).digest('hex')
  const promise = rows.findLast((row) => row.position < position && (row.kind === 'start' || row.kind === 'reopened'))
  const said = promise !== undefined && 'commitment' in promise.data ? promise.data.commitment : null
  return said === commitment ? [] : ['it is not the seed that was committed to']
}
