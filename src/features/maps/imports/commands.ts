import type { SignedIn } from '../../../core/actor.ts'
import { conflict, Problem } from '../../../core/problem.ts'
import { inSavepoint, type Tx } from '../../../infra/db/database.ts'
import { emit } from '../../../infra/events/emit.ts'
import { checkRightsAtCommit } from '../../../infra/events/rights.ts'
import { enqueue } from '../../../infra/jobs/jobs.ts'
import { isHeadPooler } from '../../tournaments/access/policy.ts'
import { lockTournament } from '../../tournaments/tournaments/commands/lock.ts'
import { checkNotCancelled } from '../../tournaments/tournaments/rules/status.ts'
import type { Tournament } from '../../tournaments/tournaments/types.ts'
import { enterMaps, type ImportData, saveImportData } from '../catalogue/commands.ts'
import { keptOf, led } from '../catalogue/rules/import-data.ts'
import type { CatalogueMap, Finding } from '../catalogue/types.ts'
import { changeMaps, type Writing } from '../pools/commands/changing.ts'
import { type Addition, appendMaps } from '../pools/commands/maps.ts'
import { maxMaps } from '../pools/rules/maps.ts'
import { checkFlair, checkMapsWritable } from '../pools/rules/settings.ts'
import { listFlairs } from '../pools/store/flairs.ts'
import { lockPool } from '../pools/store/pools.ts'
import type { Flair, Pool } from '../pools/types.ts'
import { findImporter } from './queries.ts'
import { isTooLarge, judge, type Plan, type Planned, plan, tooLarge, withMaps } from './rules.ts'
import { countRunning, findImport, insertImport, lockImport, readNewestEvent, writeFinished } from './store.ts'
import type { ImportItem, ImportJob, ImportRequest, ImportRow } from './types.ts'
import { countsOf } from './views.ts'

export interface Around {
  readonly publicUrl: string
  readonly now: Date
}

/** The items of an import, each with its catalogue finding; null for an item without a reference. */
export interface LookedUp {
  readonly items: readonly ImportItem[]
  readonly findings: readonly (Finding | null)[]
}

/** Locks an import and its pool. Returns undefined if the import is finished or deleted. */
async function lockRunning(tx: Tx, guid: string): Promise<ImportJob | undefined> {
  const known = await findImport(tx, guid)
  // Locks the pool first, like every transaction does: its deletion also deletes its imports.
  if (known === undefined || (await lockPool(tx, known.poolGuid)) === undefined) return undefined
  const job = await lockImport(tx, guid)
  return job?.status === 'running' ? job : undefined
}

/**
 * Adds the maps to the pool and saves the outcome of each row, in one transaction. Checks the starter's rights again. A
 * problem that concerns the whole import makes it fail. (pools: Adding and importing, rule 5)
 */
export async function finishImport(tx: Tx, guid: string, found: LookedUp, around: Around): Promise<void> {
  const since = await readNewestEvent(tx)
  const job = await lockRunning(tx, guid)
  if (job === undefined) return
  const importer = await findImporter(tx, job)
  const result =
    importer === undefined
      ? failure('role.missing')
      : await inSavepoint(tx, (part) => addAll(part, job, { ...importer, now: around.now }, found, around)).catch(
          resultOf,
        )
  await writeEnd(tx, job, result, around.now)
  checkRightsAtCommit(tx, { since, user: job.startedByGuid, client: null, tournament: job.tournamentGuid })
}

/** Marks a running import as failed. */
export async function failImport(tx: Tx, guid: string, reason: string, now: Date): Promise<void> {
  const job = await lockRunning(tx, guid)
  if (job !== undefined) await writeEnd(tx, job, failure(reason), now)
}

type Result = Pick<ImportJob, 'status' | 'rows' | 'reason'>

function failure(reason: string): Result {
  return { status: 'failed', rows: [], reason }
}

function done(rows: readonly ImportRow[]): Result {
  return { status: 'done', rows, reason: null }
}

async function writeEnd(tx: Tx, job: ImportJob, result: Result, now: Date): Promise<void> {
  await writeFinished(tx, job, result, now)
  emit(tx, {
    type: 'import.finished',
    subject: job.guid,
    tournament: job.tournamentGuid,
    actor: job.startedByGuid,
    after: { poolGuid: job.poolGuid, status: result.status, reason: result.reason, counts: countsOf(result.rows) },
  })
}

/** Rolls back a dry run, and carries its rows to the caller. */
class Undone extends Error {
  override readonly name = 'Undone'
  readonly rows: readonly ImportRow[]

  constructor(rows: readonly ImportRow[]) {
    super('a dry run was undone')
    this.rows = rows
  }
}

function resultOf(error: unknown): Result {
  if (error instanceof Undone) return done(error.rows)
  if (error instanceof Problem) return failure(error.code)
  throw error
}

async function addAll(
  tx: Tx,
  { poolGuid, request, dryRun }: ImportJob,
  writing: Writing,
  { items, findings }: LookedUp,
  { publicUrl }: Around,
): Promise<Result> {
  const verdicts = items.map((item, index) => judge(item, findings[index] ?? null, request))
  let planned: Plan | undefined
  let rows: readonly ImportRow[] = []
  await changeMaps(
    tx,
    writing,
    poolGuid,
    {
      reason: request.reason,
      work: async (pool, maps) => {
        planned = plan(items, verdicts, maps, maxMaps - maps.length)
        rows = planned.rows
        const { added, told } = planned
        const entered = await enterMaps(tx, [...added, ...told], writing.now)
        await saveImportData(tx, importDataOf(told, entered.slice(added.length)))
        if (added.length === 0) return null
        const flairs = await listFlairs(tx, pool.tournamentGuid)
        const additions = added.map(
          (row, index): Addition => ({
            map: { guid: entered[index]?.guid ?? '' },
            settings: settingsOf(row, request.flairGuid, flairs),
            told: entered[index]?.state === 'known' ? null : led(keptOf(null, row.item.told), row.finding),
          }),
        )
        const after = await appendMaps(tx, writing, pool, maps, additions)
        rows = withMaps(
          planned,
          after.map((poolMapGuid, index) => ({ poolMapGuid, mapGuid: additions[index]?.map.guid ?? '' })),
        )
        return { kind: 'added', before: [], after }
      },
    },
    { publicUrl },
  )
  if (dryRun) throw new Undone(planned?.rows ?? [])
  return done(rows)
}

function importDataOf(told: Plan['told'], maps: readonly CatalogueMap[]): ImportData[] {
  return told.flatMap(({ item, poolMapGuid, finding }, index) => {
    const map = maps[index]
    return map === undefined ? [] : [{ poolMapGuid, map, told: item.told ?? null, finding }]
  })
}

/**
 * A map from another pool gets the tournament's flair of the same name, if there is one. (pools: Adding and importing)
 */
function settingsOf({ item }: Planned, flairGuid: string | null, flairs: readonly Flair[]): Addition['settings'] {
  if (item.settings === null) return { flairGuid }
  const { flairName, ...copied } = item.settings
  const same = flairs.find(({ name }) => name.toLowerCase() === flairName?.toLowerCase())
  return { ...copied, flairGuid: same?.guid ?? flairGuid }
}

export const runJob = 'imports.run'

const maxRunning = 20

interface Starting {
  readonly actor: SignedIn
  readonly tournament: Tournament
  readonly pool: Pool
  readonly now: Date
}

/**
 * Saves an import and enqueues the job that runs it. The job checks the starter's rights again.
 * (pools: Adding and importing, rule 3)
 * @throws Problem `tournament.cancelled`, the problems of `checkMapsWritable`, `flair.unknown`, `import.too_large`,
 *   `import.too_many`
 */
export async function startImport(
  tx: Tx,
  { actor, tournament, pool, now }: Starting,
  request: ImportRequest,
  dryRun: boolean,
): Promise<ImportJob> {
  const { tournament: locked } = await lockTournament(tx, tournament.guid)
  checkNotCancelled(locked)
  checkMapsWritable(pool, isHeadPooler(actor), request.reason)
  checkFlair(request.flairGuid, await listFlairs(tx, tournament.guid))
  if (isTooLarge(request.content)) throw tooLarge()
  if ((await countRunning(tx, tournament.guid)) >= maxRunning) {
    throw conflict(
      'import.too_many',
      `At most ${maxRunning} imports of a tournament run at once; wait for one of them.`,
    )
  }
  const [tournamentGuid, poolGuid] = [tournament.guid, pool.guid]
  const job = await insertImport(tx, {
    tournamentGuid,
    poolGuid,
    request,
    dryRun,
    startedByGuid: actor.guid,
    createdAt: now,
  })
  await enqueue(tx, runJob, { payload: { guid: job.guid } })
  emit(tx, {
    type: 'import.started',
    subject: job.guid,
    tournament: tournamentGuid,
    actor: actor.guid,
    after: { poolGuid, kind: request.source.kind, dryRun },
  })
  return job
}
