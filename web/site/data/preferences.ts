import { useSyncExternalStore } from 'react'
import { isEmbed } from './settings.ts'

/** What this browser remembers of its reader's wishes: theme, density, hidden scores, followed teams. Nothing secret. */

export interface Preferences {
  readonly theme: 'system' | 'light' | 'dark'
  readonly density: 'comfortable' | 'compact'
  /** GUIDs of tournaments whose scores are hidden until they are asked for. (W22) */
  readonly spoilers: readonly string[]
  /** The GUID of the followed team, by the tournament's. */
  readonly following: Readonly<Record<string, string>>
  /** Kinds of pages that announce no changes to those who hear them. (W16) */
  readonly silent: readonly string[]
  /** Whether a scene of an overlay is looked at before it goes on air. */
  readonly previews: boolean
}

const key = 'downbeat.preferences'
const initial: Preferences = {
  theme: 'system',
  density: 'comfortable',
  spoilers: [],
  following: {},
  silent: [],
  previews: false,
}

function readStored(): Preferences {
  try {
    return { ...initial, ...JSON.parse(localStorage.getItem(key) ?? '{}') }
  } catch {
    return initial
  }
}

/** Pages inside another website look as that website asks, whatever the reader chose here. */
function readAsked(): Preferences {
  const theme = new URLSearchParams(location.search).get('theme')
  return theme === 'light' || theme === 'dark' ? { ...initial, theme } : initial
}

let held = isEmbed ? readAsked() : readStored()
const watchers = new Set<() => void>()

function show(): void {
  const { dataset } = document.documentElement
  if (held.theme === 'system') delete dataset.theme
  else dataset.theme = held.theme
  if (held.density === 'comfortable') delete dataset.density
  else dataset.density = held.density
  // The colour of the browser's own bar.
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[data-theme]')) {
    const { theme = '' } = meta.dataset
    const isShown = held.theme === theme ? 'all' : 'not all'
    meta.media = held.theme === 'system' ? `(prefers-color-scheme: ${theme})` : isShown
  }
}
show()

export function prefer(change: Partial<Preferences>): void {
  held = { ...held, ...change }
  localStorage.setItem(key, JSON.stringify(held))
  show()
  for (const tell of watchers) tell()
}

export function usePreferences(): Preferences {
  return useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher)
      return () => watchers.delete(watcher)
    },
    () => held,
  )
}
