import { presets } from '../src/engine/flows/presets.ts'
import { replay } from '../src/engine/flows/replay.ts'
import { stateOf } from '../src/engine/flows/state.ts'
import { FlowTable, poolOf, refusal, tableSession } from '../test/flow-table.ts'
import { during, inTurns, loop } from './load.ts'
import { below, type Row, ratio } from './report.ts'

/** Computes the state of a session of a hundred rows from its log alone, as for every response about it. */
export async function flowStates(): Promise<Row[]> {
  const table = longSession()
  const text = table.rows.map((row) => JSON.stringify(row))
  const measured = await inTurns(
    () =>
      loop(
        during(1, () => async () => {
          stateOf(replay(tableSession, table.rows), table.now, { seats: [], isReferee: true })
        }),
        1,
      ),
    () =>
      loop(
        during(1, () => async () => {
          for (const row of text) JSON.parse(row)
        }),
        1,
      ),
  )
  const milliseconds = 1_000 / measured.ours
  return [
    ratio(`state of a session of ${table.rows.length} rows`, 'reading its rows as JSON', measured, null),
    below('the same, in milliseconds', 'a target', milliseconds, 1, '', `${milliseconds.toFixed(2)} ms`),
  ]
}

/** A best of 13 with bans, undone choices, claims and corrections, up to a hundred rows. */
function longSession(): FlowTable {
  const preset = presets.find(({ name }) => name === 'osu-bo13')
  if (preset === undefined) throw new Error('the preset is gone')
  const table = new FlowTable({ flow: preset.flow, pool: poolOf(17, (number) => ({ isTiebreaker: number === 17 })) })
  while (table.rows.length < 100 && table.state.status !== 'over') {
    const { turn, phase } = table.state
    const isFirsts = (turn?.game ?? 1) % 2 === 1
    if (phase === 'window') {
      const claimant = isFirsts ? 2 : 1
      if (refusal(() => table.claim(claimant)) !== null) table.act(claimant, { action: 'accept' })
      continue
    }
    if (turn?.action === 'play') {
      // The sides win in turns, so that the session is as long as possible.
      table.scores(...(isFirsts ? [900_000, 800_000] : [800_000, 900_000]))
      continue
    }
    const seat = turn?.seats[0] ?? 1
    if (turn?.action === 'choose') {
      table.act(seat, { action: 'choose', place: 1 })
      continue
    }
    const map = String(turn?.options[0])
    const action = turn?.action === 'ban' ? 'ban' : 'pick'
    // Each seat makes the choice and undoes it twice before the final choice.
    for (let undone = 0; undone < 2; undone++) {
      table.act(seat, { action, map })
      table.undo()
    }
    table.act(seat, { action, map })
  }
  return table
}
