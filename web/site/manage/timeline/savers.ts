import type { TimelineEvent } from '../../../../client/generated.ts'
import { address } from '../../data/api.ts'
import { useRead, useRenewal } from '../../data/queries.ts'
import { words } from '../../data/words.ts'
import type { Saved } from '../../parts/form/form.tsx'

/** Who has saved an event of the timeline last, and when; undefined while the log is read again. (W10) */
export function useSavers(tournament: string, timeline: readonly TimelineEvent[]): (name: string) => Saved | undefined {
  const at = address('/tournaments/{tournament}/audit', { tournament }, { kind: 'timeline', limit: 50 })
  const { data, isFetching } = useRead(at)
  useRenewal(at, JSON.stringify(timeline))
  return (name) => {
    if (isFetching) return undefined
    const entry = data?.entries.find(({ before, after }) =>
      [before, after].some((state) => JSON.stringify(state?.timelineEvents ?? null).includes(`"${name}"`)),
    )
    return entry && { who: entry.actor?.preferredName ?? words('settings.service'), at: entry.at }
  }
}
