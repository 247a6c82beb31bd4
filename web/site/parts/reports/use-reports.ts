import { useEffect, useSyncExternalStore } from 'react'
import { useReader } from '../../data/queries.ts'
import { type Queue, queueOfReader, startFor } from '../../data/reports/sender.ts'
import type { Report } from '../../data/reports/types.ts'

/** The reports of the reader that the service has not taken yet. (W12) */
export function useReports(): Queue {
  const { user } = useReader()
  const reader = user === undefined ? undefined : (user?.guid ?? null)
  useEffect(() => {
    if (reader !== undefined) startFor(reader)
  }, [reader])
  return useSyncExternalStore(queueOfReader.subscribe, queueOfReader.get)
}

/** Whether one of them could not be sent at once. */
export const areHeld = (reports: readonly Report[]): boolean =>
  reports.some(({ tries, refusal }) => tries > 0 || refusal !== null)
