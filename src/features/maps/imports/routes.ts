import { Type } from 'typebox'
import { command, query } from '../../../core/operation.ts'
import { decodeCursor, defaultPageSize, isMakingPosition, makingPosition, toPage } from '../../../core/page.ts'
import { NextCursor, PageQuery } from '../../../core/schema.ts'
import { playedTag } from '../../people/users/views.ts'
import { poolAudience, poolers } from '../pools/policy.ts'
import { poolPath } from '../pools/routes/pools.ts'
import { ImportBody } from './bodies.ts'
import { startImport } from './commands.ts'
import { readImport, readImports, readSource } from './queries.ts'
import { listImports } from './store.ts'
import { ImportView, ListedImportView } from './views.ts'

const importsPath = `${poolPath}/imports` as const

const listName = 'imports'

const list = query({
  name: 'imports.list',
  method: 'GET',
  path: importsPath,
  scope: 'rest:read',
  allow: poolers,
  summary: 'The imports into a pool in the last 90 days, newest first, without their rows.',
  description: 'Dry runs among them. Each tells how many of its rows were added, and what became of the others.',
  query: Type.Object(PageQuery),
  reply: { 200: Type.Object({ imports: Type.Array(ListedImportView), nextCursor: NextCursor }) },
  run: async ({ db, pool, query: { limit = defaultPageSize, before } }) => {
    const after = decodeCursor(listName, before, isMakingPosition)
    const rows = await listImports(db, pool.guid, { after, limit })
    const { items, nextCursor } = toPage(listName, rows, limit, makingPosition)
    return { imports: [...(await readImports(db, items))], nextCursor }
  },
})

const read = query({
  name: 'imports.read',
  method: 'GET',
  path: `${importsPath}/:import`,
  scope: 'rest:read',
  allow: poolers,
  summary: 'An import into a pool, with what became of each of its rows.',
  description:
    'While it is running it has no rows; follow it, or ask again. An import that `failed` has added nothing, for a reason that it names.',
  reply: { 200: ImportView },
  audience: poolAudience,
  live: {},
  run: async ({ db, tournament, pool, import: job, depends }) => {
    depends(tournament.guid, job.guid, job.startedByGuid, playedTag)
    return readImport(db, job, pool.name)
  },
})

const start = command({
  name: 'imports.start',
  method: 'POST',
  path: importsPath,
  scope: 'rest:write',
  allow: poolers,
  summary: 'Add many maps to a pool at once, behind the others.',
  description:
    'From text, a playlist or another pool: at most 500 rows. They are looked up in the map catalogue after the answer, and added all at once, in their order, as long as the pool has room for them; what stands in it already is left as it is. Into a published pool, by heads alone, with a reason. The import tells what became of each row. A `.bplist` file is sent as the part `file` of a form, of at most 4 MiB, with the other members as fields.',
  body: ImportBody,
  budget: 'upload',
  bodyType: 'multipart',
  reply: { 202: ImportView },
  problems: {
    'import.source_invalid': 400,
    'import.too_large': 400,
    'playlist.invalid': 400,
    'map.reference_invalid': 400,
    'flair.unknown': 400,
    'pool.unknown': 404,
    'pool.reason_missing': 400,
    'pool.for_heads': 403,
    'pool.wrong_status': 409,
    'tournament.cancelled': 409,
    'import.too_many': 409,
  },
  run: async ({ tx, actor, tournament, pool, body, request: sent, now }) => {
    const { source, content } = await readSource(tx, actor, tournament.guid, body, sent.file)
    const request = {
      source,
      content,
      difficulty: body.difficulty ?? 'ask',
      flairGuid: body.flairGuid?.toLowerCase() ?? null,
      keepMissing: body.keepMissing ?? true,
      reason: body.reason ?? null,
    }
    const job = await startImport(tx, { actor, tournament, pool, now }, request, body.dryRun ?? false)
    return readImport(tx, job, pool.name)
  },
})

export const importsOperations = [list, read, start]
