import { useEffect, useState, useSyncExternalStore } from 'react'
import { epochOfLive, live } from '../../data/live.ts'
import { Draft, type DraftState } from './draft/draft.ts'

/**
 * The draft of the page. It outlives connections, so that nothing is lost when one ends; and for a moment the page, since the
 * connection follows its topic as long.
 */

const keptMs = 10_000

interface Kept {
  readonly draft: Draft
  timer?: ReturnType<typeof setTimeout>
}

const kept = new Map<string, Kept>()

function keptOf(topic: string): Kept {
  const known = kept.get(topic) ?? { draft: new Draft(topic) }
  kept.set(topic, known)
  return known
}

export function useDraft(topic: string): readonly [Draft, DraftState] {
  const [{ draft }] = useState(() => keptOf(topic))
  const epoch = useSyncExternalStore(epochOfLive.subscribe, epochOfLive.get)
  useEffect(() => (epoch === null ? undefined : draft.follow(live())), [draft, epoch])
  useEffect(() => {
    const own = keptOf(topic)
    clearTimeout(own.timer)
    return () => {
      own.timer = setTimeout(() => {
        kept.delete(topic)
        own.draft.close()
      }, keptMs)
    }
  }, [topic])
  const state = useSyncExternalStore(draft.subscribe, draft.get)
  const isUnsent = state.unsent > 0
  useEffect(() => {
    if (!isUnsent) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [isUnsent])
  return [draft, state]
}
