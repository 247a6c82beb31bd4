import { Type } from 'typebox'
import { type Actor, anyone } from '../../core/actor.ts'
import { isGuid } from '../../core/ids.ts'
import { type Depends, query } from '../../core/operation.ts'
import { decodeCursor, defaultPageSize, type Position, toPage } from '../../core/page.ts'
import { missing, unauthenticated } from '../../core/problem.ts'
import { Instant, NextCursor, oneOf, PageQuery } from '../../core/schema.ts'
import { formatInstant } from '../../core/time.ts'
import type { Db } from '../../infra/db/database.ts'
import { findUser } from '../users/store.ts'
import { readRecords, recordsDepend } from './record.ts'
import { readSearch, readStatuses, readWindow } from './rules/listing.ts'
import { findPlatformGuid, type ListFilter, listTournaments } from './store/list.ts'
import { listedStatuses } from './types.ts'
import { TournamentView, tournamentView } from './views.ts'

/** The public lists. (D26) */

export const TournamentPage = Type.Object({ tournaments: Type.Array(TournamentView), nextCursor: NextCursor })

const listName = 'tournaments'
type ListPosition = readonly [at: string, guid: string]
const isListPosition = (position: Position): position is ListPosition => {
  const [at, guid] = position
  const isInstant = typeof at === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(at) && !Number.isNaN(Date.parse(at))
  return position.length === 2 && isInstant && typeof guid === 'string' && isGuid(guid)
}

/**
 * A page of a platform's list. What it was made from is told to `depends` unless something else than events changes it.
 * @param before the cursor of the page before
 */
export async function readTournamentPage(
  db: Db,
  filter: ListFilter,
  page: { readonly limit?: number | undefined; readonly before?: string | undefined },
  depends: Depends,
) {
  const { limit = defaultPageSize, before } = page
  const [at, guid] = before === undefined ? [] : decodeCursor(listName, before, isListPosition)
  const after = at === undefined || guid === undefined ? undefined : { at, guid }
  const rows = await listTournaments(db, filter, after, limit)
  const { items, nextCursor } = toPage(listName, rows, limit, ({ sortAt, tournament }) => [
    formatInstant(sortAt),
    tournament.guid,
  ])
  const records = await readRecords(db, items)
  if (Object.keys(filter).every((name) => followed.has(name))) {
    depends(filter.platformGuid)
    recordsDepend(depends, records)
  }
  return { tournaments: records.map((record) => tournamentView(record)), nextCursor }
}
