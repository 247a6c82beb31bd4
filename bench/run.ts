import { writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { listPages, requestPages, updatePages } from './listing.ts'
import { bearerReads, tokenRefreshes } from './oauth.ts'
import { hotReads, missedReads, ownReads } from './reads.ts'
import { registrationsApart, registrationsTogether } from './registration.ts'
import { below, type Row, table } from './report.ts'
import { type Service, startService } from './service.ts'
import { webhookDelays } from './webhooks.ts'

/** `npm run bench [part …]`: measures all parts, or those named; `--write` keeps the table in docs/performance.md. */

const parts: Readonly<Record<string, (service: Service) => Promise<Row[]>>> = {
  hot: hotReads,
  missed: missedReads,
  own: ownReads,
  apart: registrationsApart,
  together: registrationsTogether,
  list: listPages,
  updates: updatePages,
  requests: requestPages,
  bearer: bearerReads,
  token: tokenRefreshes,
  webhooks: webhookDelays,
}

function keep(figures: string): void {
  const file = path.join(import.meta.dirname, '../docs/performance.md')
  const [cpu] = os.cpus()
  const machine = `${os.cpus().length} cores (${cpu?.model.trim()}), Node.js ${process.versions.node}`
  writeFileSync(
    file,
    `${introduction}\nMeasured on ${new Date().toISOString().slice(0, 10)} with ${machine}.\n\n${figures}\n${notes}`,
  )
}

const introduction = `# Performance

What it costs, as ratios against a baseline that was measured in the same run. \`npm run bench -- --write\` measures and
writes this page; \`npm run bench -- hot own\` measures parts.
`

const notes = `
## How it is measured

- The service is a process of its own, as \`npm start\` runs it, with its request log going nowhere and rate limits off;
  the database is the embedded one, with its durability on. Load comes from the benchmark's process. All of them share
  the machine's cores.
- Ours and the baseline are measured in turns, five of each (three for registrations) after one that does not count;
  the figures are medians, per second.
- Every answer must be a 200.
- *Hot* reads are answered from memory, after asking the event log whether they are still true. The baseline is a
  process that sends the same bytes with the same headers to whoever asks. 64 connections.
- *Not remembered* reads ask for another card each time, of 100,000. The baseline runs the same prepared statements, on
  the same kind of connections, without HTTP.
- \`/users/@me\` is asked for by 300 callers whose tokens are new in each turn; the baseline verifies each token once.
- *Bearer verification* compares two processes on one database: the service, and one whose check of tokens is replaced by
  a look into a map, so that it neither asks the log nor remembers anything. The bound is one part in 1.15: the check may
  add 15 %. The card is the cheapest read there is, so that the check, which asks the log once for all requests of a turn,
  shows most there.
- *Token refreshes* come over 32 connections, each with a refresh token of its own. The baseline runs the same prepared
  statements in one transaction, and signs one token.
- *Registrations* come over 32 connections. The baseline reads and writes the rows that a registration reads and writes
  (tournament, team, members, players, cards; team, appearance, totals, event), by prepared statements in one
  transaction, and checks nothing. The rows without a bound set ours against the writes alone, as a client would do that
  trusted its caller in everything: a registration checks requirements under the lock, and that is reading.
- *Webhooks* are measured from the moment that a write is sent, at an even pace of 200 a second, of which 10 change members
  of ten platforms, to the arrival at the receiver that is told of it; the receiver is in the benchmark's process. The
  slow one takes 5 s for each delivery.
- The *list pages* are read by one caller who walks on by the cursor, so that nothing is remembered, at 1,000 listed
  tournaments and at 200,000; at 100 updates of a tournament, and at 100 requests to a platform, and at 100,000.
- *Resident memory* is \`VmRSS\` of the service's process.
`

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
