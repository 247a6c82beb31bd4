import { useSyncExternalStore } from 'react'
import type { AssistantLinkTest } from '../../data/generated.ts'

/** What the last test found, for the fields of the link: tournaments and qualifiers to choose from. */

let found: AssistantLinkTest | null = null
const watchers = new Set<() => void>()

export function useOffer(): (test: AssistantLinkTest | null) => void {
  return (test) => {
    found = test
    for (const tell of watchers) tell()
  }
}

export function useFound(): AssistantLinkTest | null {
  return useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher)
      return () => watchers.delete(watcher)
    },
    () => found,
  )
}
