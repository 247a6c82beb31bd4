import { sql } from 'drizzle-orm'
import { withTexts } from '../../../../core/json.ts'
import { formatInstant } from '../../../../core/time.ts'
import type { Db } from '../../../../infra/db/database.ts'
import { withMovedMedia } from '../../../../infra/media/references.ts'
import { withGuids } from '../rules.ts'
import type { Asked, Kind, Row } from './kind.ts'
import { listPackagePeople, type PackagePerson } from './package-people.ts'

/** In packages, addresses of media have this origin, so that they do not tell which service made the package. */
export const packagedOrigin = 'https://media.invalid'

const batch = 500

/**
 * The rows of a kind, in order, batch by batch: however many there are, few are in memory. It needs a snapshot, in which
 * one query at a time is read.
 */
export async function* readRows(db: Db, kind: Kind, asked: Asked, mediaOrigin: string): AsyncIterable<Row> {
  const { orm, client } = db.session
  const portable = rowMapper(kind, asked, { mediaOrigin, people: await listPackagePeople(db, asked.tournament) })
  await orm.execute(sql`declare packaged no scroll cursor for ${kind.rows(asked)}`)
  for (;;) {
    const { rows } = await client.query<Row>(`fetch ${batch} from packaged`)
    for (const row of rows) {
      const whole = await kind.complete(db, row, asked)
      if (!Array.isArray(whole)) yield portable(whole as Row)
    }
    if (rows.length < batch) break
  }
  await client.query('close packaged')
}

interface Surroundings {
  readonly mediaOrigin: string
  readonly people: ReadonlyMap<string, PackagePerson>
}

function rowMapper(kind: Kind, { isPrivate }: Asked, { mediaOrigin, people }: Surroundings): (row: Row) => Row {
  const hidden = new Set(isPrivate ? [] : kind.hidden)
  const moved = (text: string) => (text.includes('/media/') ? withMovedMedia(text, mediaOrigin, packagedOrigin) : text)
  const called = (text: string) => withGuids(text, (guid) => people.get(guid)?.packageGuid ?? guid)
  const changed = people.size === 0 ? moved : (text: string) => called(moved(text))
  const known = kind.name === 'people' && people.size > 0 ? (row: Row) => personOf(row, people) : (row: Row) => row
  return (row) => withTexts(written(known(row), hidden), changed) as Row
}

/** Who has no account here may have had one where the first package was made. */
function personOf(row: Row, people: ReadonlyMap<string, PackagePerson>): Row {
  const person = people.get(row.guid as string)
  return person === undefined || row.placeholder !== true ? row : { ...row, placeholder: person.wasPlaceholder }
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
