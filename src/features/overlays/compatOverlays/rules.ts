import type { Push } from '../../../infra/realtime/compatible/read.ts'
import type { CompatOverlay } from './views/overlay.ts'

/**
 * Returns the events for clients that follow a changed overlay. If the overlay points at another match, there is only
 * one event. Otherwise there is one for each part that changed: picks and bans, results, the assistant's data, and
 * everything else. (realtime: Compatibility door)
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
