import { type Static, Type } from 'typebox'
import { Guid, Instant, nullable, oneOf } from '../../../core/schema.ts'
import { formatInstant } from '../../../core/time.ts'
import type { UserFacts } from '../../people/users/types.ts'
import { UserCard, userCard } from '../../people/users/views.ts'
import { withImportData } from '../catalogue/rules/import-data.ts'
import { type CatalogueMap, difficulties, type KeptMap } from '../catalogue/types.ts'
import { MapView, mapView } from '../catalogue/views.ts'
import { type Counts, type ImportRow, importStatuses, type ListedImport, rowOutcomes, sourceKinds } from './types.ts'

const Count = Type.Integer({ minimum: 0, examples: [12] })

const members = {
  guid: Guid,
  pool: Type.Object({ guid: Guid, name: Type.String({ examples: ['Quarter-finals'] }) }),
  source: Type.Object({
    kind: oneOf(sourceKinds),
    label: nullable(
      Type.String({ examples: ['Spring Cup maps'] }),
      'The title of the playlist, or the name of the pool.',
    ),
  }),
  dryRun: Type.Boolean({ description: 'Nothing was added: these are the outcomes that the import would have had.' }),
  status: oneOf(importStatuses),
  reason: nullable(
    Type.String({ examples: ['pool.wrong_status'] }),
    'Why it failed as a whole, as the code of a problem: nothing was added.',
  ),
  counts: Type.Object({
    added: Count,
    present: Count,
    choice: Count,
    missing: Count,
    pending: Count,
    rejected: Count,
  }),
  startedBy: nullable(UserCard, 'null once the account is gone.'),
  createdAt: Instant,
  finishedAt: nullable(Instant),
}

export const ListedImportView = Type.Object(members, { title: 'ListedImport' })
export type ListedImportView = Static<typeof ListedImportView>

const RowView = Type.Object({
  index: Type.Integer({ minimum: 0 }),
  input: Type.String({ examples: ['!bsr 1a2b3 Expert+'] }),
  outcome: oneOf(rowOutcomes, {
    description:
      '`added`; `present`: it stands in the pool, or earlier in the import; `choice`: say which difficulty is meant; `missing`: the catalogue does not have it; `pending`: the catalogue did not answer; `rejected`. Of `missing` and `pending` ones those with a `map` were added.',
  }),
  reason: nullable(Type.String({ examples: ['map.reference_invalid'] }), 'As the code of a problem.'),
  map: nullable(MapView),
  poolMapGuid: nullable(Guid, 'Of the map as it stands in the pool.'),
  choices: Type.Array(Type.Object({ characteristic: Type.String(), difficulty: oneOf(difficulties) }), {
    description: 'The difficulties that the map has, where one is to be chosen.',
  }),
})

export const ImportView = Type.Object(
  { ...members, rows: Type.Array(RowView, { description: 'In the order of the source; none while it is running.' }) },
  { title: 'Import' },
)
export type ImportView = Static<typeof ImportView>

type Users = ReadonlyMap<string, UserFacts>

export function listedImportView(job: ListedImport, users: Users): ListedImportView {
  const starter = users.get(job.startedByGuid)
  return {
    guid: job.guid,
    pool: { guid: job.poolGuid, name: job.poolName },
    source: job.source,
    dryRun: job.dryRun,
    status: job.status,
    reason: job.reason,
    counts: { ...job.counts },
    startedBy: starter === undefined ? null : userCard(starter),
    createdAt: formatInstant(job.createdAt),
    finishedAt: formatInstant(job.finishedAt),
  }
}

interface Shown {
  readonly users: Users
  readonly maps: ReadonlyMap<string, CatalogueMap>
  /** Data from imports, by GUID of the map in the pool. */
  readonly importData: ReadonlyMap<string, KeptMap>
}

/** Poolers of the pool see when the catalogue was last asked about its maps. (pools: Details 5) */
export function importView(
  job: ListedImport,
  rows: readonly ImportRow[],
  { users, maps, importData }: Shown,
): ImportView {
  return {
    ...listedImportView(job, users),
    rows: rows.map(({ mapGuid, choices, ...row }) => {
      const map = maps.get(mapGuid ?? '')
      return {
        ...row,
        map:
          map === undefined
            ? null
            : mapView(withImportData(map, importData.get(row.poolMapGuid ?? '') ?? null), { showsCheckedAt: true }),
        choices: choices.map((choice) => ({ ...choice })),
      }
    }),
  }
}

export function countsOf(rows: readonly Pick<ImportRow, 'outcome'>[]): Counts {
  const counts = Object.fromEntries(rowOutcomes.map((outcome) => [outcome, 0])) as Record<ImportRow['outcome'], number>
  for (const { outcome } of rows) counts[outcome]++
  return counts
}
