import { sql } from 'drizzle-orm'
import { withTexts } from '../../../../core/json.ts'
import { formatInstant } from '../../../../core/time.ts'
import type { Db } from '../../../../infra/db/database.ts'
import { withMovedMedia } from '../../../../infra/media/references.ts'
import type { Asked, Kind, Row } from './kind.ts'

/** In packages, addresses of media have this origin, so that they do not tell which service made the package. */
export const packagedOrigin = 'https://media.invalid'

const batch = 500

/**
 * The rows of a kind, in order, batch by batch: however many there are, few are in memory. It needs a snapshot, in which
 * one query at a time is read.
 */
export async function* readRows(db: Db, kind: Kind, asked: Asked, mediaOrigin: string): AsyncIterable<Row> {
  const { orm, client } = db.session
  const portable = rowMapper(kind, asked, mediaOrigin)
  await orm.execute(sql`declare packaged no scroll cursor for ${kind.rows(asked)}`)
  for (;;) {
    const { rows } = await client.query<Row>(`fetch ${batch} from packaged`)
    for (const row of rows) yield portable(await kind.complete(db, row, asked))
    if (rows.length < batch) break
  }
  await client.query('close packaged')
}

function rowMapper(kind: Kind, { isPrivate }: Asked, mediaOrigin: string): (row: Row) => Row {
  const hidden = new Set(isPrivate ? [] : kind.hidden)
  const moved = (text: string) => (text.includes('/media/') ? withMovedMedia(text, mediaOrigin, packagedOrigin) : text)
  return (row) => withTexts(written(row, hidden), moved) as Row
}

/** As JSON has it, without members that are hidden. */
function written(value: unknown, hidden: ReadonlySet<string>): unknown {
  if (value instanceof Date) return formatInstant(value)
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex')
  if (Array.isArray(value)) return value.map((each) => written(each, hidden))
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).filter(([name]) => !hidden.has(name))
  return Object.fromEntries(members.map(([name, each]) => [name, written(each, hidden)]))
}
