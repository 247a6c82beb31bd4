import { type WordId, words } from '../../data/words.ts'
import { timeOf } from '../../parts/time.tsx'
import type { Sheet } from './sheets.ts'
import { nameAt, type View } from './view.ts'

/** What is to be said of a game besides its numbers: why it was won, that it was replayed, penalties. */
export function saidOf(sheet: Sheet, view: View): readonly string[] {
  const { session } = view
  if (session === undefined) return []
  const chains = new Set(sheet.runs.map(({ chain }) => chain)).size
  const said: string[] = []
  if (sheet.phase === 'void') said.push(words('play.void-map'))
  if (chains > 1) said.push(words('play.level-again', { count: chains - 1 }))
  const rule = session.flow?.rules.replays.rule
  for (const claim of session.claims.filter(({ game }) => game === sheet.number)) {
    const team = session.seats.find(({ seat }) => seat === claim.seat)?.name ?? ''
    const at = timeOf(claim.at)
    said.push(
      claim.status === 'cancelled'
        ? words('play.claim-cancelled', { team, at })
        : [
            words('play.claimed', { team, at }),
            ...(rule === undefined || rule === 'none' ? [] : [words(`play.rule-${rule}`)]),
          ].join(' '),
    )
  }
  if (sheet.phase === 'replay' || sheet.phase === 'window') said.push(words('play.not-final'))
  if (sheet.because !== null && becauses.has(sheet.because) && sheet.winner !== null)
    said.push(words(`play.because-${sheet.because}` as WordId, { team: nameAt(view, sheet.winner) }))
  return said
}

/** Reasons that are not seen from the numbers. */
const becauses = new Set(['score_to_beat', 'best_player', 'fewer_misses', 'map_loss', 'awarded', 'told'])
