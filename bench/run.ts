import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { listPages } from './listing.ts'
import { hotReads, missedReads, ownReads } from './reads.ts'
import { registrationsApart, registrationsTogether } from './registration.ts'
import { below, type Row, table } from './report.ts'
import { type Service, startService } from './service.ts'

/** `npm run bench [part …]`: measures all parts, or those named; `--write` keeps the table in docs/performance.md. */

const parts: Readonly<Record<string, (service: Service) => Promise<Row[]>>> = {
  hot: hotReads,
  missed: missedReads,
  own: ownReads,
  apart: registrationsApart,
  together: registrationsTogether,
  list: listPages,
}

const named = process.argv.slice(2).filter((word) => !word.startsWith('--'))
const service = await startService()
try {
  const rows = [
    below('first start', 'empty data directory, until the description answers', service.firstStartMs, 10_000, ' ms'),
    below('later start', 'the same, on the existing database', service.laterStartMs, 3_000, ' ms'),
    below('resident memory, idle', 'the service process, 3 s after its start', service.idleBytes / 1e6, 150, ' MB'),
  ]
  for (const [name, part] of Object.entries(parts)) {
    if (named.length > 0 && !named.includes(name)) continue
    const measured = await part(service)
    for (const row of measured) console.log(`${row.work}: ${row.result} (${row.figures})`)
    rows.push(...measured)
  }
  console.log(`\n${table(rows)}`)
  if (process.argv.includes('--write')) keep(table(rows))
} finally {
  await service.close()
}

function keep(text: string): void {
  const file = path.join(import.meta.dirname, '../docs/performance.md')
  writeFileSync(file, text)
}
