import type { Push } from '../../../infra/realtime/compatible/read.ts'
import type { CompatOverlay } from './views/overlay.ts'

/**
 * What those are told who hold an overlay that has changed: that it points at another match, or else each part of it that is another
 * one, picks and bans, results, what the assistant tells, and anything beside these. (realtime: Compatibility door)
 */
export function changesOf(before: CompatOverlay, after: CompatOverlay): readonly Push[] {
  if (before.match?.guid !== after.match?.guid) return [{ event: 'tournamentOverlayUpdate:match', member: 'overlay' }]
  const [was, is] = [partsOf(before), partsOf(after)]
  return parts
    .filter((part) => JSON.stringify(was[part]) !== JSON.stringify(is[part]))
    .map((part) => ({ event: events[part], member: 'newOverlay' }))
}

const events = {
  details: 'tournamentOverlayUpdate:matchDetails',
  picksBans: 'picksBansOverlayUpdate:state:addAction',
  results: 'matchOverlayUpdate:scoreSubmit',
  assistant: 'matchOverlayUpdate:TAData',
} as const
const parts = Object.keys(events) as (keyof typeof events)[]

function partsOf({ match, matchOverlay, ...overlay }: CompatOverlay) {
  const { picksBans = [], results = null, ...details } = match ?? {}
  return { details: { overlay, details }, picksBans, results, assistant: matchOverlay }
}
