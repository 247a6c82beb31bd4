import { useEffect, useState, useSyncExternalStore } from 'react'
import { epochOfLive, live } from '../../data/live.ts'
import { Draft, type DraftState } from './draft/draft.ts'

/** The draft of the page. It outlives connections, so that nothing is lost when one ends. */
export function useDraft(topic: string): readonly [Draft, DraftState] {
  const [draft] = useState(() => new Draft(live(), topic))
  const epoch = useSyncExternalStore(epochOfLive.subscribe, epochOfLive.get)
  useEffect(() => (epoch === null ? undefined : draft.follow(live())), [draft, epoch])
  return [draft, useSyncExternalStore(draft.subscribe, draft.get)]
}
