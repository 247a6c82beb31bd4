import { useCallback, useSyncExternalStore } from 'react'

/** Matches that keep their time when times are proposed. This browser remembers them, by the GUID of the tournament; signing out
   clears it. (W1) */

const prefix = 'downbeat.pins.'
const keyOf = (tournament: string) => `${prefix}${tournament}`
const watchers = new Set<() => void>()

const read = (tournament: string) => localStorage.getItem(keyOf(tournament)) ?? ''

function write(tournament: string, guids: readonly string[]): void {
  if (guids.length === 0) localStorage.removeItem(keyOf(tournament))
  else localStorage.setItem(keyOf(tournament), guids.join(' '))
  for (const tell of watchers) tell()
}

export interface Pins {
  readonly has: (guid: string) => boolean
  readonly set: (guids: readonly string[], isPinned: boolean) => void
}

export function usePins(tournament: string): Pins {
  const text = useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher)
      addEventListener('storage', watcher)
      return () => {
        watchers.delete(watcher)
        removeEventListener('storage', watcher)
      }
    },
    () => read(tournament),
  )
  const has = useCallback((guid: string) => text.split(' ').includes(guid), [text])
  const set = useCallback(
    (guids: readonly string[], isPinned: boolean) => {
      const others = read(tournament)
        .split(' ')
        .filter((each) => each !== '' && !guids.includes(each))
      write(tournament, isPinned ? [...others, ...guids] : others)
    },
    [tournament],
  )
  return { has, set }
}

export function forgetPins(): void {
  for (const key of Object.keys(localStorage)) if (key.startsWith(prefix)) localStorage.removeItem(key)
}
