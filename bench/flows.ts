import { completeFlow, type PartInput } from '../src/engine/flows/flow.ts'
import { presets } from '../src/engine/flows/presets.ts'
import { validateFlow } from '../src/engine/flows/validate/flow.ts'
import { median } from './load.ts'
import { below, type Row } from './report.ts'

const turns = 9

/** The time to validate a flow: every preset with thirty maps, and the longest flow within the limits. */
export async function flowsJudged(): Promise<Row[]> {
  return [ofPresets(), longest()]
}

const pool = (maps: number) =>
  Array.from({ length: maps }, (_, index) => ({ flair: `flair ${index % 9}`, isTiebreaker: index % 10 === 9 }))

function ofPresets(): Row {
  const maps = pool(30)
  const slowest = presets.map(({ flow }) => timed(() => validateFlow(flow, { bestOf: flow.bestOf ?? 9, pool: maps })))
  const every = slowest.flat()
  return below(
    'a flow judged, each preset with 30 maps, engine',
    'best of 9 where it is open',
    Math.max(...every),
    50,
    ' ms',
    `the median ${median(every).toFixed(2)} ms`,
  )
}

/**
 * Three hundred turns in each round for sixteen seats; each choice has maps of its own, and depends on all earlier
 * choices.
 */
function longest(): Row {
  const picks: PartInput[] = Array.from({ length: 57 }, (_, index) => ({
    action: 'pick',
    actor: ['lastMapWinner', `seat:${1 + (index % 16)}`],
    times: 5,
    seconds: 60,
    onTimeout: ['again', 'forfeit'],
    from: { exceptFlairs: [`flair ${index % 9}`] },
    limits: [{ other_flair_than: 'own_all', except: [`flair ${index % 7}`] }],
  }))
  const referee: PartInput = { action: 'pick', actor: 'referee' }
  const plays: PartInput[] = [
    { action: 'play', when: 'not_all_at_match_point' },
    { action: 'play', when: 'all_at_match_point' },
  ]
  const flow = completeFlow({
    seats: 16,
    bestOf: 99,
    steps: [{ repeat: 'until_decided', steps: [...picks, referee, ...plays] }],
    rules: { tie: ['void'] },
  })
  const maps = pool(1_000)
  const times = timed(() => validateFlow(flow, { pool: maps }))
  return below(
    'a flow judged, the longest that there may be, engine',
    '16 seats, best of 99, 288 turns in a round, 1,000 maps',
    Math.max(...times),
    2_000,
    ' ms',
    `the median ${median(times).toFixed(0)} ms`,
  )
}

function timed(work: () => unknown): number[] {
  return Array.from({ length: turns }, () => {
    const started = performance.now()
    work()
    return performance.now() - started
  })
}
