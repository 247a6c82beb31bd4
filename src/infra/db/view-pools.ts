import type pg from 'pg'

/** The schemas whose views may replace tables: their names come first where a statement looks for a table. */
export type ViewSchema = 'delayed' | 'held'
/** Reads for requests and reads for topics do not wait for each other. */
export type ViewLane = 'requests' | 'feed'

/** Maximum number of parallel snapshots of each lane. */
const maxSnapshots = { delayed: 2, held: 6 } as const

/**
 * Pools of connections that read through views.
 * @param options options of all connections to the server
 */
export function openViewPools(open: (more: pg.PoolConfig) => pg.Pool, options: string) {
  const lanesOf = (schema: ViewSchema): Readonly<Record<ViewLane, pg.Pool>> => {
    const more = { max: maxSnapshots[schema], options: `${options} -c search_path=${schema},public` }
    return { requests: open(more), feed: open(more) }
  }
  const pools: Readonly<Record<ViewSchema, Readonly<Record<ViewLane, pg.Pool>>>> = {
    delayed: lanesOf('delayed'),
    held: lanesOf('held'),
  }
  return { pools, all: Object.values(pools).flatMap((lanes) => Object.values(lanes)) }
}
