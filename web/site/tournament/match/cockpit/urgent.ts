import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import type { FlowState, Match } from '../../../../../client/generated.ts'
import { type Address, request } from '../../../data/api.ts'
import { connection } from '../../../data/connection.ts'
import { showAnswer } from '../../../data/told.ts'

/**
 * While the socket waits for its next attempt, which may take long after several, the match is read once a second:
 * referees act on what is shown. Topics may be ahead of what such a read brings. (W8, W11)
 */

const everyMs = 1_000

const isLost = () => connection.seen().lostAt !== null

export function useUrgent(match: Address<Match>, flow: Address<FlowState>): void {
  const cache = useQueryClient()
  const isAway = useSyncExternalStore(connection.subscribe, isLost)
  useEffect(() => {
    if (!isAway) return
    const ending = new AbortController()
    const { signal } = ending
    const ask = async () => {
      const [now, state] = await Promise.all([request<Match>(match, { signal }), request<FlowState>(flow, { signal })])
      if (signal.aborted) return
      showAnswer(cache, match, now)
      showAnswer(cache, flow, state)
    }
    // Without a connection of any kind, the bar at the top says so.
    const tick = () => void ask().catch(() => {})
    tick()
    const timer = setInterval(tick, everyMs)
    return () => {
      clearInterval(timer)
      ending.abort()
    }
  }, [isAway, match, flow, cache])
}
