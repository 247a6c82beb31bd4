import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { Pool, PoolMap } from '../../../../client/generated.ts'
import { ApiError } from '../../data/api.ts'
import { useTournamentId } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { useWrite } from '../../data/writes.ts'
import { say } from '../../parts/announcer.tsx'
import { mapName } from '../../parts/map.tsx'
import { poolAddress } from './reads.ts'

/**
 * The order of a pool's maps. In a draft each move is shown and sent at once; in a published pool, where an order is a
 * correction that everybody reads, moves wait until they are saved with a reason. (W9, W10)
 */

/** A move that the pool of somebody else came before. */
export interface LostMove {
  readonly guid: string
  readonly to: number
  readonly name: string
}

export interface Order {
  /** The maps as the reader has put them. */
  readonly maps: readonly PoolMap[]
  readonly isSending: boolean
  /** Moves that are not sent by themselves. */
  readonly isWaiting: boolean
  readonly error: Error | null
  readonly lost: LostMove | null
  /** @param to the new place, from 0 */
  readonly move: (guid: string, to: number) => void
  readonly again: () => void
  readonly save: (reason: string) => Promise<boolean>
  readonly discard: () => void
}

const guidsOf = (maps: readonly PoolMap[]) => maps.map(({ guid }) => guid)
const isSame = (one: readonly string[], other: readonly string[]) => one.join() === other.join()

/** The maps in an order that was made of others: those that are gone are left out, those that are new come last. */
function inOrder(maps: readonly PoolMap[], order: readonly string[] | null): readonly PoolMap[] {
  if (order === null) return maps
  const placeOf = new Map(order.map((guid, at) => [guid, at]))
  const place = ({ guid, order: own }: PoolMap) => placeOf.get(guid) ?? order.length + own
  return maps.toSorted((one, other) => place(one) - place(other))
}

export function useOrder(pool: Pool, needsReason: boolean): Order {
  const tournament = useTournamentId()
  const cache = useQueryClient()
  const at = poolAddress(tournament, pool.guid)
  const [wanted, setWanted] = useState<readonly string[] | null>(null)
  const [lost, setLost] = useState<LostMove | null>(null)
  const put = useWrite('PUT /tournaments/{tournament}/pools/{pool}/order', (known, reply) => known.put(at, reply))
  const next = useRef<readonly string[] | null>(null)
  const isRunning = useRef(false)
  const maps = inOrder(pool.maps, wanted)

  const send = async (order: readonly string[], reason?: string): Promise<Error | null> => {
    const now = cache.getQueryData<Pool>([at]) ?? pool
    const base = guidsOf(now.maps)
    const params = { tournament, pool: pool.guid }
    const attempt = (draftRevision: number) =>
      put.attempt({ params, body: { draftRevision, maps: order, ...(reason !== undefined && { reason }) } })
    const failure = await attempt(now.draftRevision ?? 0)
    const newer = failure instanceof ApiError && failure.code === 'pool.stale' ? (failure.data.pool as Pool) : null
    if (newer === null) return failure
    cache.setQueryData([at], newer)
    // What has changed meanwhile is something else than the order.
    return isSame(guidsOf(newer.maps), base) ? attempt(newer.draftRevision ?? 0) : failure
  }

  /** Sends what is wanted until nothing else is. */
  const flush = async (move: LostMove) => {
    if (isRunning.current) return
    isRunning.current = true
    while (next.current !== null) {
      const order = next.current
      const failure = await send(order)
      if (failure !== null) setLost(move)
      if (failure === null && next.current !== order) continue
      next.current = null
      setWanted(null)
    }
    isRunning.current = false
  }

  const move = (guid: string, to: number) => {
    const from = maps.findIndex((each) => each.guid === guid)
    const moved = maps[from]
    const place = Math.max(0, Math.min(maps.length - 1, to))
    if (moved === undefined || place === from) return
    const order = guidsOf(maps).toSpliced(from, 1).toSpliced(place, 0, guid)
    const name = mapName(moved.map)
    setLost(null)
    put.reset()
    setWanted(order)
    say(words('poolers.moved', { name, place: place + 1, count: maps.length }))
    if (needsReason) return
    next.current = order
    void flush({ guid, to: place, name })
  }

  return {
    maps,
    isSending: put.isSending,
    isWaiting: needsReason && wanted !== null,
    error: put.error,
    lost,
    move,
    again: () => lost !== null && move(lost.guid, lost.to),
    save: async (reason) => {
      const isDone = (await send(guidsOf(maps), reason)) === null
      if (isDone) setWanted(null)
      return isDone
    },
    discard: () => {
      put.reset()
      setWanted(null)
    },
  }
}
