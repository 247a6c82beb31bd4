import { failedForRights } from '../../../infra/events/rights.ts'
import { deleteInBatches } from '../../../infra/jobs/batches.ts'
import { enqueue, type Job, type JobContext } from '../../../infra/jobs/jobs.ts'
import type { Finding, PlaylistFinding, SongReference } from '../catalogue/types.ts'
import { failImport, finishImport, type LookedUp, runJob } from './commands.ts'
import { expanded, isTooLarge, playlistOf } from './rules.ts'
import { deleteImportsBefore, findImport, listStuck, writeContent } from './store.ts'
import type { ImportItem, ImportJob } from './types.ts'

/**
 * Timeout of one job, in milliseconds. It is short because the service waits for its jobs when it stops. A longer
 * import continues in another job, with the stored answers.
 */
const patienceMs = 5_000
/** Maximum number of rounds after the first. The last round runs with the answers that there are. */
const maxRounds = 24
/** Maximum number of attempts: the starter's rights may change just before each commit. */
const maxJudgements = 5

interface Payload {
  readonly guid: string
  readonly round?: number
}

/**
 * Runs an import: first asks the catalogue everything, then adds the maps in one transaction. If the process dies in
 * between, the job runs again with the stored answers of the catalogue. (pools: Adding and importing)
 */
const run: Job = {
  name: runJob,
  slots: 2,
  run: async (payload, context) => {
    const { guid, round = 0 } = payload as Payload
    const { database, services, now } = context
    const job = await findImport(database.db, guid)
    if (job?.status !== 'running') return
    const isLast = round >= maxRounds
    const goOn = () =>
      database.transaction((tx) => enqueue(tx, runJob, { payload: { guid, round: round + 1 } satisfies Payload }))
    const items = await expandPlaylists(job, context, isLast)
    if (items === 'late') return goOn()
    if (items === 'too large') return database.transaction((tx) => failImport(tx, guid, 'import.too_large', now()))
    const found = await lookUp(items, context, isLast)
    if (found === 'late') return goOn()
    for (let judgements = 1; ; judgements++) {
      try {
        const { publicUrl } = services.config
        return await database.transaction((tx) => finishImport(tx, guid, found, { publicUrl, now: now() }))
      } catch (error) {
        if (!failedForRights(error) || judgements === maxJudgements) throw error
      }
    }
  },
}

/**
 * Returns the items with each playlist link replaced by the maps of the playlist. Saves them, because the contents of
 * playlists are not cached elsewhere.
 */
async function expandPlaylists(
  { guid, request }: ImportJob,
  { clients, database }: JobContext,
  isLast: boolean,
): Promise<readonly ImportItem[] | 'late' | 'too large'> {
  const ids = new Set(request.content.flatMap((item) => playlistOf(item) ?? []))
  if (ids.size === 0) return request.content
  const watch = stopwatch()
  const findings = new Map<string, PlaylistFinding>()
  for (const id of ids) {
    const left = Math.max(0, patienceMs - watch.elapsed)
    findings.set(id, await clients.catalogue.playlist(id, { patienceMs: left }))
  }
  const all = [...findings.values()]
  if (!isLast && watch.isLate && all.some(({ outcome }) => outcome === 'unreachable')) {
    // Playlists that have arrived are not requested again.
    const come = new Map([...findings].filter(([, { outcome }]) => outcome !== 'unreachable'))
    const items = expanded(request.content, come)
    if (!isTooLarge(items)) await database.transaction((tx) => writeContent(tx, guid, items, null))
    return 'late'
  }
  const items = expanded(request.content, findings)
  if (isTooLarge(items) || all.some((finding) => finding.outcome === 'found' && finding.hasMore)) return 'too large'
  const [only] = all
  const title = request.source.kind === 'playlist' && only?.outcome === 'found' ? only.title : null
  await database.transaction((tx) => writeContent(tx, guid, items, title || null))
  return items
}

async function lookUp(
  items: readonly ImportItem[],
  { clients }: JobContext,
  isLast: boolean,
): Promise<LookedUp | 'late'> {
  const references = items.map(({ reference }) => reference as SongReference | null)
  const watch = stopwatch()
  const answers = await clients.catalogue.lookUp(
    references.filter((reference) => reference !== null),
    { patienceMs },
  )
  if (!isLast && watch.isLate && answers.some(({ outcome }) => outcome === 'unreachable')) return 'late'
  const left = answers.values()
  return { items, findings: references.map((reference) => (reference === null ? null : nextOf(left))) }
}

function nextOf(answers: Iterator<Finding>): Finding | null {
  const { value, done } = answers.next()
  return done ? null : value
}

/**
 * Missing answers count as late only after half of the time. Before that, they are missing because the source does not
 * answer.
 */
function stopwatch() {
  const begun = performance.now()
  return {
    get elapsed() {
      return performance.now() - begun
    },
    get isLate() {
      return performance.now() - begun >= patienceMs / 2
    },
  }
}

const dayMs = 86_400_000
const keptMs = 90 * dayMs

/** Imports are kept for 90 days. An import that is still running after a day fails. (pools: Records) */
const cleanUp: Job = {
  name: 'imports.cleanUp',
  cron: '23 4 * * *',
  run: async (_payload, { database, now }) => {
    for (const guid of await listStuck(database.db, new Date(now().getTime() - dayMs))) {
      await database.transaction((tx) => failImport(tx, guid, 'import.abandoned', now()))
    }
    const before = new Date(now().getTime() - keptMs)
    await deleteInBatches(database, (tx, limit) => deleteImportsBefore(tx, before, limit))
  },
}

export const importsJobs: readonly Job[] = [run, cleanUp]
