import { useEffect, useState } from 'react'
import type { SceneDocument } from '../../../../src/engine/scenes/document.ts'
import { address } from '../../data/api.ts'
import { reconnect } from '../../data/live.ts'
import { useRead } from '../../data/queries.ts'
import type { Draft, DraftState } from './draft/draft.ts'

/** The draft without its topic, such as behind a proxy that lets no socket through: it is read as it is stored. */

const patienceMs = 5_000

export interface Stored {
  /** Whether the topic should have come by now. */
  readonly isLate: boolean
  /** Why the stored draft cannot be read either. */
  readonly error: Error | null
  readonly again: () => void
}

export function useStored(
  draft: Draft,
  { isFollowed, ended }: DraftState,
  at: { readonly tournament: string; readonly overlay: string },
): Stored {
  const isAwaited = !isFollowed && ended === null
  const [tries, setTries] = useState(0)
  const [late, setLate] = useState<number | null>(null)
  useEffect(() => {
    if (!isAwaited) return
    const timer = setTimeout(setLate, patienceMs, tries)
    return () => clearTimeout(timer)
  }, [isAwaited, tries])
  const read = useRead(
    isAwaited && late !== null ? address('/tournaments/{tournament}/overlays/{overlay}/scene', at) : null,
  )
  const stored = read.data as SceneDocument | undefined
  useEffect(() => {
    if (stored !== undefined) draft.show(stored)
  }, [draft, stored])
  return {
    isLate: isAwaited && late === tries,
    error: read.error,
    again: () => {
      setTries(tries + 1)
      reconnect()
      if (late !== null) void read.refetch()
    },
  }
}
