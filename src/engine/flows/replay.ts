import { apply } from './apply.ts'
import { passOver } from './clock-rows.ts'
import { type Machine, untouchedMap } from './machine.ts'
import { type CorrectedScore, isCorrecting, type Row, undoneBy } from './rows.ts'

/**
 * Computes a session from its log. (match-flows: Log and state)
 * @param session GUID
 * @param rows without gaps, from the first, which is `start`; they may be only the beginning of the log
 * @param drawnAs the GUID in the text of the draws, where it is not that of the session
 */
export function replay(session: string, rows: readonly Row[], drawnAs = session): Machine {
  const [first] = rows
  if (first?.kind !== 'start') throw new Error('a log begins with `start`')
  const machine = newMachine({ session, drawnAs }, first.data, [...rows])
  const undone = undoneBy(rows)
  for (const row of rows) {
    if (undone.has(row.position)) passOver(machine, row)
    else apply(machine, row)
  }
  return machine
}

/** Adds a row to the log. If the row takes others back, the session is computed again from the whole log. */
export function append(machine: Machine, row: Row): Machine {
  if (takesBack(row)) return replay(machine.session, [...machine.rows, row], machine.drawnAs)
  machine.rows.push(row)
  apply(machine, row)
  return machine
}

function takesBack(row: Row): boolean {
  if (row.kind === 'undo') return true
  if (row.kind === 'override') return row.data.op === 'redraw'
  return isCorrecting(row) && (row.data.dropped ?? []).length > 0
}

/** The session after the row at `position`. */
export function replayUntil(session: string, rows: readonly Row[], position: number, drawnAs = session): Machine {
  const until = rows.filter((row) => row.position <= position)
  return replay(session, until, drawnAs)
}

/** The same session once more, for a trial: writing rows changes a session in place. */
export function copyOf({ session, rows, drawnAs }: Machine): Machine {
  return replay(session, rows, drawnAs)
}

/**
 * Positions of the secret rows that were revealed at any time. A revealed row stays revealed, even if it, or the row
 * that ended the secrecy, was taken back later. (match-flows: Flow, secret)
 */
export function everRevealed(session: string, rows: readonly Row[]): ReadonlySet<number> {
  const revealed = new Set(replay(session, rows).revealed)
  const hidden = rows.filter(({ data, position }) => 'secret' in data && !revealed.has(position))
  const first = hidden.at(0)?.position ?? Number.POSITIVE_INFINITY
  for (const { position } of rows.filter((row) => takesBack(row) && row.position > first)) {
    for (const known of replayUntil(session, rows, position - 1).revealed) revealed.add(known)
  }
  return revealed
}

function newMachine(
  { session, drawnAs }: Pick<Machine, 'session' | 'drawnAs'>,
  start: Machine['start'],
  rows: Row[],
): Machine {
  const { flow, pool, teams } = start
  return {
    session,
    drawnAs,
    rows,
    start,
    flow,
    position: 0,
    pool: [...pool],
    maps: new Map(pool.map((entry) => [entry.guid, untouchedMap(entry)])),
    order: [],
    games: [],
    cursor: [],
    turn: null,
    stuck: null,
    skips: 0,
    clock: null,
    pausedAt: null,
    hasBegun: false,
    ending: null,
    isReopened: false,
    reopenedAt: 0,
    playsOn: false,
    isByHand: false,
    extraMaps: 0,
    rollRound: 0,
    rollOrder: [],
    rolled: null,
    seats: teams.map(({ seat }) => ({
      seat,
      nonce: null,
      roll: null,
      firstAt: null,
      isPresent: false,
      lineup: null,
      speakers: null,
      timeouts: 0,
    })),
    pairs: new Map(),
    pickFlair: null,
    bannedFlairs: new Set(),
    choices: [],
    claims: [],
    penalties: [],
    dismissed: new Set(),
    reportedAt: new Map(),
    technicals: [],
    lapses: new Map(),
    forfeited: new Set(),
    losesNext: new Set(),
    draws: 0,
    redraws: new Map(),
    seeds: [],
    picksBans: [],
    revealed: new Set(),
    suspended: null,
    finishedFor: null,
    lastPlay: null,
    strangers: [],
    leftBefore: new Map(),
    outcomes: new WeakMap(),
  }
}

/**
 * Replays the log as if the scores and penalties had always been as they are now. Returns the positions of the rows for
 * which another seat would have had the turn. (match-flows: Who wins a map, and the match, rule 7)
 */
export function turnsChangedByCorrections(machine: Machine): readonly number[] {
  const undone = undoneBy(machine.rows)
  const corrected = new Map<string, CorrectedScore>()
  const voided = new Set<string>()
  for (const row of machine.rows) {
    if (undone.has(row.position)) continue
    if (row.kind === 'score_corrected') corrected.set(row.data.score, row.data.after)
    if (row.kind === 'penalty_voided') voided.add(row.data.penalty)
  }
  if (corrected.size === 0 && voided.size === 0) return []
  const asIf = newMachine(machine, machine.start, [...machine.rows])
  for (const row of machine.rows) {
    if (undone.has(row.position)) continue
    if (row.kind === 'penalty' && voided.has(row.data.penalty.guid)) continue
    const scores =
      row.kind === 'scores' ? row.data.scores.map((score) => ({ ...score, ...corrected.get(score.guid) })) : []
    apply(asIf, row.kind === 'scores' ? { ...row, data: { ...row.data, scores } } : row)
  }
  return asIf.strangers
}
