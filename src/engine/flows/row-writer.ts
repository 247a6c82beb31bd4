import type { Machine } from './machine.ts'
import { append, replay } from './replay.ts'
import type { Draft, Row } from './rows.ts'
import { dueRow } from './system-rows.ts'

/** What is needed to write rows. The seed stays secret until the session is over. */
export interface Pen {
  readonly seed: Uint8Array
  /** Time of the rows, in milliseconds since 1970. */
  readonly now: number
}

export interface Written {
  readonly machine: Machine
  /** The rows that were added, with those of the system. */
  readonly rows: readonly Row[]
}

/** The most system rows in one go. A flow that a referee has changed might make the system write for ever. */
const maxSystemRows = 200

/**
 * Adds rows to a log, and the system's rows that become due.
 * @param by the author's GUID; null for the system
 */
export function write(machine: Machine, drafts: readonly Draft[], by: string | null, pen: Pen): Written {
  const rows: Row[] = []
  let current = machine
  for (const [index, draft] of drafts.entries()) {
    const row = rowOf(draft, current.position + 1, by, pen.now)
    rows.push(row)
    current = append(current, row)
    // Before a reopening, no draw is written: the session must commit to its new seed first.
    if (drafts[index + 1]?.kind !== 'reopened') current = writeDue(current, rows, pen)
  }
  return { machine: current, rows }
}

/**
 * Begins a session: its `start` row, and the system's rows that become due.
 * @param drawnAs the GUID in the text of the draws, where it is not that of the session
 */
export function begin(
  session: string,
  draft: Draft & { readonly kind: 'start' },
  by: string,
  pen: Pen,
  drawnAs = session,
): Written {
  const rows = [rowOf(draft, 1, by, pen.now)]
  return { machine: writeDue(replay(session, rows, drawnAs), rows, pen), rows }
}

function writeDue(machine: Machine, rows: Row[], pen: Pen): Machine {
  let current = machine
  for (let written = 0; written < maxSystemRows; written += 1) {
    const due = dueRow(current, pen.seed)
    if (due === null) break
    const row = rowOf(due, current.position + 1, null, pen.now)
    rows.push(row)
    current = append(current, row)
  }
  return current
}

function rowOf(draft: Draft, position: number, by: string | null, at: number): Row {
  const { step = null, seat = null, onBehalf = false, map = null, ...entry } = draft
  return { position, step, seat, by, onBehalf, map, at, ...entry } as Row
}
