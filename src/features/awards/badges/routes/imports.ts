import { Type } from 'typebox'
import { isGuid, normaliseGuid } from '../../../../core/ids.ts'
import { Answer, command, query } from '../../../../core/operation.ts'
import { exampleUser } from '../../../../core/schema.ts'
import type { Db } from '../../../../infra/db/database.ts'
import { listGuidsByIdentifier } from '../../../people/users/store/identifiers.ts'
import { RankingImportBody, RowsQuery } from '../bodies.ts'
import { importSome, startImport } from '../commands/importing.ts'
import { importRows } from '../commands/rows.ts'
import { badgeManagers } from '../policy.ts'
import { gather } from '../prepare.ts'
import { unknownImport } from '../rules/importing.ts'
import { maxFileBytes } from '../rules/rows.ts'
import { findImport, listRanked } from '../store/imports.ts'
import type { Imported } from '../types.ts'
import {
  BadgeImportView,
  badgeImportView,
  ImportedRowsView,
  ImportedView,
  RowsRefusal,
  rowGrantView,
} from '../views.ts'

/** How long the caller waits. Users who were not fetched by then are reported as failed. */
const patienceMs = 20_000

const fromRanking = command({
  name: 'badges.importRanking',
  method: 'POST',
  path: '/badges/import/ranking-a',
  scope: 'rest:write',
  allow: badgeManagers,
  summary: 'Bring over badges of ranking platform A, for users whose account there is verified.',
  description:
    'All badges but those described as “ranker” or “supporter”. A badge is recognised by its picture and description; one that is new becomes a badge of the kind `special`. Done twice it changes nothing, and what was revoked stays revoked. Users of whom the platform tells nothing, or one of whose pictures cannot be had, are named as `failed`, and nothing of theirs changes. For up to 500 users at once; without `users` a job does it for everybody, one at a time.',
  body: RankingImportBody,
  reply: { 200: ImportedView, 202: Type.Object({ job: BadgeImportView }) },
  problems: { 'badge_import.running': 409, 'media.blocked': 400 },
  prepare: async ({ db, actor, clients, services, body: { users, dryRun = false } }) => {
    if (users === undefined) return null
    const { found, skipped } = await findRankedUsers(db, actor.guid, users)
    const gathered = await gather(found, { db, clients, services, isKept: !dryRun, by: actor.guid, patienceMs })
    return { gathered, skipped }
  },
  run: async ({ tx, actor, body: { dryRun = false }, prepared, services, now }) => {
    if (prepared === null) {
      const job = await startImport(tx, actor.guid, dryRun, now)
      return new Answer(202, { body: { job: badgeImportView(job) } })
    }
    const imported = await importSome(tx, prepared.gathered, { by: actor.guid, dryRun, services, now })
    const made = imported.made.map(({ guid, name, description }) => ({ guid, name, description }))
    return new Answer(200, { body: { ...imported, made, skipped: [...prepared.skipped, ...imported.skipped] } })
  },
})

/**
 * Finds each user once, even under several identifiers. Unknown users, and users without a verified account on the
 * platform, are skipped.
 */
async function findRankedUsers(db: Db, ownGuid: string, identifiers: readonly string[]) {
  const named = new Map(await listGuidsByIdentifier(db, identifiers)).set('@me', ownGuid)
  const ranked = await listRanked(db, [...new Set(identifiers.flatMap((identifier) => named.get(identifier) ?? []))])
  const known = new Set(ranked.map(({ userGuid }) => userGuid))
  const skipped: Imported['skipped'] = [...new Set(identifiers)].flatMap((user) => {
    const guid = named.get(user)
    if (guid === undefined) return { user, why: 'unknown' as const }
    return known.has(guid) ? [] : { user, why: 'not_linked' as const }
  })
  return { found: ranked, skipped }
}

const fromRows = command({
  name: 'badges.importRows',
  method: 'POST',
  path: '/badges/import/csv',
  scope: 'rest:write',
  allow: badgeManagers,
  summary: 'Grant badges by the rows of a file of comma-separated values.',
  description:
    'The body is the file, as `text/csv` or `text/plain` in UTF-8, with or without byte order mark: at most 1 MiB and 5000 rows behind a header. Columns: `user` (any identifier), `badge` (GUID or exact name), and, where there are any, `label`, `place` and `awardedAt`. All rows are taken or none, unless `partial` is true. A row whose user holds the badge already is no error.',
  query: RowsQuery,
  bodyType: 'text',
  maxBytes: maxFileBytes,
  holds: Type.String({
    maxLength: maxFileBytes,
    description: 'A header that names the columns, in any order, and a line for each badge that is granted.',
    examples: [`user,badge,label,place\n${exampleUser},Cup winner,Team Nova,1\n`],
  }),
  reply: { 200: ImportedRowsView },
  refusals: { 400: RowsRefusal },
  problems: {
    'badge_import.unreadable': 400,
    'badge_import.too_large': 400,
    'badge_import.rows_invalid': 400,
  },
  run: async ({ tx, actor, query: { dryRun = false, partial = false }, request, now }) => {
    const { granted, ...rest } = await importRows(tx, actor, request.bytes, { dryRun, partial }, now)
    return new Answer(200, { body: { ...rest, granted: granted.map(rowGrantView) } })
  },
})

const read = query({
  name: 'badges.readImport',
  method: 'GET',
  path: '/admin/badgeImports/:badgeImport',
  scope: 'rest:read',
  allow: badgeManagers,
  summary: 'An import of badges, and how far it has come.',
  description: 'Kept for 90 days. Those that were done at once are among them, and grants from files.',
  reply: { 200: BadgeImportView },
  problems: { 'badge_import.unknown': 404 },
  run: async ({ db, badgeImport }) => {
    const job = isGuid(badgeImport) ? await findImport(db, normaliseGuid(badgeImport)) : undefined
    if (job === undefined) throw unknownImport()
    return badgeImportView(job)
  },
})

export const badgeImportOperations = [fromRanking, fromRows, read]
