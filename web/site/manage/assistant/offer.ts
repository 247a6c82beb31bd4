import { useSyncExternalStore } from 'react'
import type { AssistantLinkTest } from '../../data/generated.ts'

/** What the last test found, for the fields of the link: tournaments and qualifiers to choose from. */

let found: { readonly of: string; readonly test: AssistantLinkTest } | null = null
const watchers = new Set<() => void>()

export function offer(tournament: string, test: AssistantLinkTest): void {
  found = { of: tournament, test }
  for (const tell of watchers) tell()
}

export function useFound(tournament: string): AssistantLinkTest | null {
  const known = useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher)
      return () => watchers.delete(watcher)
    },
    () => found,
  )
  return known?.of === tournament ? known.test : null
}
