import { isGuid, normaliseGuid } from '../../../core/ids.ts'
import { decodeCursor, encodeCursor, isCursorInstant, type Position } from '../../../core/page.ts'
import { invalid } from '../../../core/problem.ts'
import type { Db } from '../../../infra/db/database.ts'
import { isPublic } from '../../tournaments/tournaments/policy.ts'
import { findTournamentFor } from '../../tournaments/tournaments/store/tournaments.ts'
import { findPool } from '../pools/store/pools.ts'
import type { WholePoolMap } from '../pools/types.ts'
import { type Named, nothingPlayed, sumOf } from './rules.ts'
import { tallyPoolMaps } from './store/statistics.ts'
import type { FoundPage, Identity, MapSort, PoolSort, Ranking, Tally } from './types.ts'

/**
 * Finds the records that a query names. Only records that everybody may see count, because every caller gets the same
 * answer.
 */
export async function findNamed(
  db: Db,
  { tournament, unused, pool }: { readonly [Name in keyof Named]: string | undefined },
): Promise<Named> {
  const [tournamentGuid, unusedGuid, poolGuid] = await Promise.all([
    tournament === undefined ? undefined : findTournamentGuid(db, tournament),
    unused === undefined ? undefined : findTournamentGuid(db, unused),
    pool === undefined ? undefined : findPoolGuid(db, pool),
  ])
  return { tournament: tournamentGuid, unused: unusedGuid, pool: poolGuid }
}

async function findTournamentGuid(db: Db, identifier: string): Promise<string> {
  const tournament = (await findTournamentFor(db, identifier, null))?.tournament
  if (tournament === undefined || !isPublic(tournament)) {
    throw invalid('tournament.unknown', 'There is no such tournament.')
  }
  return tournament.guid
}

async function findPoolGuid(db: Db, guid: string): Promise<string> {
  const pool = isGuid(guid) ? await findPool(db, normaliseGuid(guid)) : undefined
  const tournament =
    pool === undefined || pool.status === 'draft'
      ? undefined
      : (await findTournamentFor(db, pool.tournamentGuid, null))?.tournament
  if (pool === undefined || tournament === undefined || !isPublic(tournament)) {
    throw invalid('pool.unknown', 'There is no such pool.')
  }
  return pool.guid
}

/** A list in one sort order. A cursor of another sort order is not valid for it. */
export interface Listed {
  readonly name: string
  readonly isPosition: (position: Position) => position is Position
}

export function mapList(sort: MapSort, ranking: Ranking): Listed {
  return { name: `maps:${sort}${sort === 'stars' ? `:${ranking}` : ''}`, isPosition: positionOf(forms[sort]) }
}

export function poolList(sort: PoolSort): Listed {
  return { name: `pools:${sort}`, isPosition: positionOf(forms[sort]) }
}

/** Checks for the sort values in a cursor, which are texts from the database. A GUID follows them. */
const forms: Readonly<Record<MapSort, readonly ((value: unknown) => boolean)[]>> = {
  newest: [isCursorInstant],
  used: [isCursorInstant, (value) => isText(value) && /^\d{1,9}$/.test(value)],
  name: [(value) => isText(value) && !value.includes('\0')],
  stars: [(value) => isText(value) && /^-?\d{1,15}(\.\d{1,20})?(e-?\d{1,2})?$/.test(value)],
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function positionOf(form: readonly ((value: unknown) => boolean)[]) {
  return (position: Position): position is Position => {
    const guid = position[form.length]
    const isWhole = position.length === form.length + 1 && isText(guid) && isGuid(guid)
    return isWhole && form.every((isForm, index) => isForm(position[index]))
  }
}

export function readCursor({ name, isPosition }: Listed, before: string | undefined): Position | undefined {
  return decodeCursor<Position>(name, before, isPosition)
}

export function nextCursor({ name }: Listed, { next }: FoundPage): string | null {
  return next === null ? null : encodeCursor(name, next)
}

export interface PoolTally {
  readonly total: Tally
  readonly maps: readonly { readonly poolMap: WholePoolMap; readonly tally: Tally }[]
}

/** Returns the statistics of all maps of a pool. */
export async function tallyPool(db: Db, tournamentGuid: string, maps: readonly WholePoolMap[]): Promise<PoolTally> {
  const tallies = await tallyPoolMaps(
    db,
    maps.map(({ guid, map }) => ({ ...identityOf(map), poolMapGuid: guid })),
    tournamentGuid,
  )
  const tallied = maps.map((poolMap) => ({ poolMap, tally: tallies.get(poolMap.guid) ?? nothingPlayed }))
  return { total: sumOf(tallied.map(({ tally }) => tally)), maps: tallied }
}

export function identityOf({ guid, hash, characteristic, difficulty }: Identity): Identity {
  return { guid, hash, characteristic, difficulty }
}
