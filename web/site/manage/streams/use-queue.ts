import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { ChannelQueue } from '../../../../client/generated.ts'
import { type Address, ApiError, address } from '../../data/api.ts'
import { useRead } from '../../data/queries.ts'
import { useTournamentId } from '../../data/tournament.ts'
import { useWrite } from '../../data/writes.ts'

/** A queue that the reader changes: shown at once, sent in turn; a change by somebody else goes before it. (W9, W10) */

export type QueueEntry = ChannelQueue['entries'][number]

export const queueAddress = (tournament: string, channel: string): Address<ChannelQueue> =>
  address('/tournaments/{tournament}/channels/{channel}/queue', { tournament, channel })

export function useQueue(channel: string) {
  const tournament = useTournamentId()
  const cache = useQueryClient()
  const at = queueAddress(tournament, channel)
  const read = useRead(at, { live: true })
  const put = useWrite('PUT /tournaments/{tournament}/channels/{channel}/queue', (known, reply) => known.put(at, reply))
  const [wanted, setWanted] = useState<readonly QueueEntry[] | null>(null)
  const [isStale, setStale] = useState(false)
  const next = useRef<readonly QueueEntry[] | null>(null)
  /** What was not taken, and the state that it was meant for. */
  const failed = useRef<{ readonly entries: readonly QueueEntry[]; readonly revision: number } | null>(null)
  const isSending = useRef(false)
  const send = async () => {
    isSending.current = true
    while (next.current !== null) {
      const entries = next.current
      next.current = null
      const body = {
        entries: entries.map(({ match, status, plannedAt }) => ({ match: match.guid, status, plannedAt })),
        revision:
          failed.current?.entries === entries
            ? failed.current.revision
            : (cache.getQueryData<ChannelQueue>([at])?.revision ?? 0),
      }
      failed.current = { entries, revision: body.revision }
      const failure = await put.attempt({ params: { tournament, channel }, body })
      if (failure === null) continue
      // What was pressed meanwhile was meant for a queue that is not there.
      next.current = null
      if (failure instanceof ApiError && failure.code === 'queue.stale') {
        setStale(true)
        if (failure.data.present !== undefined) cache.setQueryData([at], failure.data.present)
        put.reset()
      }
    }
    isSending.current = false
    setWanted(null)
  }
  const change = (entries: readonly QueueEntry[]) => {
    setStale(false)
    setWanted(entries)
    next.current = entries
    if (!isSending.current) void send()
  }
  const again = () => {
    if (failed.current !== null && !isSending.current) change(failed.current.entries)
  }
  return { read, entries: wanted ?? read.data?.entries ?? [], isPending: wanted !== null, isStale, change, again, put }
}
