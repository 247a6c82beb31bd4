import type { Tx } from '../../../../infra/db/database.ts'
import { emit } from '../../../../infra/events/emit.ts'
import { enqueue } from '../../../../infra/jobs/jobs.ts'
import type { Services } from '../../../../services.ts'
import { findOrInsertMedium } from '../../../media/media/commands/keeping.ts'
import { advanced, checkNoneRuns, nothingYet, textsOf } from '../rules/importing.ts'
import * as store from '../store/imports.ts'
import type { Badge, BadgeImport, ForeignBadge, ForeignHolder, Gathered, Imported } from '../types.ts'
import { makeBadge } from './badges.ts'
import { grantBadge } from './granting.ts'

export interface Importing {
  /** GUID of the user who started the import; null if that account was deleted. */
  readonly by: string | null
  readonly dryRun: boolean
  readonly services: Pick<Services, 'config' | 'storage'>
  readonly now: Date
}

export const importJob = 'badges.importRanked'

/**
 * Starts a job that imports the badges of all users with a verified account on ranking platform A. (B7)
 * @throws Problem `badge_import.running`
 */
export async function startImport(tx: Tx, by: string, dryRun: boolean, now: Date): Promise<BadgeImport> {
  await store.lockImporting(tx)
  checkNoneRuns(await store.findRunning(tx))
  const job = await store.insertImport(tx, {
    status: 'running',
    dryRun,
    report: nothingYet,
    createdBy: by,
    createdAt: now,
    finishedAt: null,
  })
  await enqueue(tx, importJob, { payload: { guid: job.guid, after: null } })
  emit(tx, {
    type: 'badge_import.started',
    subject: job.guid,
    actor: by,
    after: { source: 'ranking-a', dryRun },
  })
  return job
}

/** Imports the fetched badges of some users immediately, and saves a report. (B7, B9) */
export async function importSome(tx: Tx, gathered: Gathered, importing: Importing): Promise<Imported> {
  const imported = await write(tx, gathered, importing)
  if (!importing.dryRun) {
    const report = advanced(nothingYet, imported, null, false)
    await insertReport(tx, 'ranking-a', report, importing)
  }
  return imported
}

/** Saves the report of an import that needed no job. */
export async function insertReport(
  tx: Tx,
  source: 'ranking-a' | 'csv',
  report: BadgeImport['report'],
  { by, dryRun, now }: Pick<Importing, 'by' | 'dryRun' | 'now'>,
): Promise<void> {
  const times = { createdAt: now, finishedAt: now }
  const kept = await store.insertImport(tx, { status: 'done', dryRun, report, createdBy: by, ...times })
  emitFinished(tx, source, kept)
}

/**
 * Imports the fetched badges of the next users of a job, and lets the job continue after them. If another process has
 * already done this step and died afterwards, it is not repeated.
 */
export async function importNext(
  tx: Tx,
  { guid, after }: { readonly guid: string; readonly after: string | null },
  gathered: Gathered,
  { services, now }: Pick<Importing, 'services' | 'now'>,
): Promise<void> {
  const job = await store.lockImport(tx, guid)
  if (job?.status !== 'running' || job.report.after !== after) return
  const { dryRun, createdBy } = job
  const imported = await write(tx, gathered, { by: createdBy, dryRun, services, now })
  const next = gathered.holders.at(-1)?.externalId ?? null
  if (next !== null) {
    await store.updateImport(tx, guid, { report: advanced(job.report, imported, next, dryRun) })
    await enqueue(tx, importJob, { payload: { guid, after: next } })
    return
  }
  await store.updateImport(tx, guid, { status: 'done', finishedAt: now, report: { ...job.report, counted: [] } })
  emitFinished(tx, 'ranking-a', job)
}

/** Ends an import that failed, so that another one can be started. */
export async function failImport(tx: Tx, guid: string, now: Date): Promise<void> {
  const job = await store.lockImport(tx, guid)
  if (job?.status !== 'running') return
  await store.updateImport(tx, guid, { status: 'failed', finishedAt: now })
  emitFinished(tx, 'ranking-a', job)
}

function emitFinished(tx: Tx, source: 'ranking-a' | 'csv', { guid, createdBy, dryRun, report }: BadgeImport): void {
  const { made, granted, failures } = report
  emit(tx, {
    type: 'badge_import.finished',
    subject: guid,
    actor: createdBy,
    after: { source, dryRun, made, granted, failed: failures },
  })
}

/**
 * Writes the import. A user whose account is no longer verified is left out. If one of a user's pictures is missing,
 * the user gets no badge. (B7)
 */
async function write(tx: Tx, { holders, badges }: Gathered, importing: Importing): Promise<Imported> {
  await store.lockImporting(tx)
  const ranked = new Map(
    (
      await store.listRanked(
        tx,
        holders.map(({ userGuid }) => userGuid),
      )
    ).map(({ userGuid, externalId }) => [userGuid, externalId]),
  )
  const isStill = ({ userGuid, externalId }: ForeignHolder) => ranked.get(userGuid) === externalId
  const known = await store.listByDigest(tx, [...badges.keys()])
  const isThere = (digest: string) => known.has(digest) || badges.get(digest)?.picture != null
  const isWhole = (holder: ForeignHolder) => holder.badges?.every(isThere) ?? false
  const fit = holders.filter((holder) => isStill(holder) && isWhole(holder))
  const wanted = new Set(fit.flatMap((holder) => holder.badges ?? []))
  const fresh = [...badges.values()].filter(({ digest }) => wanted.has(digest) && !known.has(digest))
  const made = importing.dryRun ? [] : await makeAll(tx, fresh, importing)
  const all = new Map([...known, ...made].filter(([digest]) => wanted.has(digest)))
  const granted = await grantAll(tx, fit, fresh, all, importing)
  const gained = new Set(granted.map(({ userGuid }) => userGuid))
  const makings = new Map(made)
  return {
    made: fresh.map(({ digest, description }) => ({
      digest,
      guid: makings.get(digest)?.guid ?? null,
      ...textsOf(description),
    })),
    granted,
    skipped: [
      ...holders
        .filter((holder) => !isStill(holder))
        .map(({ userGuid }) => ({ user: userGuid, why: 'not_linked' as const })),
      ...fit
        .filter(({ userGuid }) => !gained.has(userGuid))
        .map(({ userGuid }) => ({ user: userGuid, why: 'nothing_new' as const })),
    ],
    failed: holders.filter((holder) => isStill(holder) && !isWhole(holder)).map(({ userGuid }) => userGuid),
  }
}

async function makeAll(
  tx: Tx,
  fresh: readonly ForeignBadge[],
  { by, services, now }: Importing,
): Promise<(readonly [string, Badge])[]> {
  const made: (readonly [string, Badge])[] = []
  for (const { digest, description, picture } of fresh) {
    if (picture === null) throw new Error('a badge without a picture was judged to be there')
    const texts = textsOf(description)
    const medium = await findOrInsertMedium(tx, picture, { name: texts.name, by, storage: services.storage, now })
    const parts = {
      ...texts,
      kind: 'special',
      mediaGuid: medium.guid,
      importDigest: Buffer.from(digest, 'hex'),
    } as const
    made.push([digest, await makeBadge(tx, parts, by, { mediaUrl: services.config.media.url, now })])
  }
  return made
}

/**
 * Grants the badges. Revoked grants stay revoked, and retired badges are not granted, so a repeated import changes
 * nothing.
 */
async function grantAll(
  tx: Tx,
  fit: readonly ForeignHolder[],
  fresh: readonly ForeignBadge[],
  known: ReadonlyMap<string, Badge>,
  { by, dryRun, now }: Importing,
): Promise<Imported['granted']> {
  const guids = [...known.values()].map(({ guid }) => guid)
  const locked = dryRun ? null : await store.lockBadges(tx, guids)
  const users = fit.map(({ userGuid }) => userGuid)
  const pairs = await store.listPairs(tx, guids, users)
  const had = new Set(pairs.map(({ badgeGuid, userGuid }) => `${badgeGuid} ${userGuid}`))
  const holdersOf = (digest: string) => fit.filter(({ badges }) => badges?.includes(digest))
  const granted: Imported['granted'][number][] = []
  for (const [digest, found] of [...known].toSorted(([, one], [, other]) => (one.guid < other.guid ? -1 : 1))) {
    const badge = locked === null ? found : locked.get(found.guid)
    if (badge === undefined || badge.retiredAt !== null) continue
    const recipients = holdersOf(digest).filter(({ userGuid }) => !had.has(`${badge.guid} ${userGuid}`))
    const done = dryRun
      ? recipients
      : recipients.length === 0
        ? []
        : (await grantBadge(tx, badge.guid, recipients, { source: 'import', by, now })).granted
    granted.push(...done.map(({ userGuid }) => ({ userGuid, badgeGuid: badge.guid, name: badge.name })))
  }
  if (!dryRun) return granted
  const would = fresh.flatMap(({ digest, description }) =>
    holdersOf(digest).map(({ userGuid }) => ({ userGuid, badgeGuid: null, name: textsOf(description).name })),
  )
  return [...granted, ...would]
}
