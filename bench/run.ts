import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { archivePages } from './archive.ts'
import { assistantSessions } from './assistant.ts'
import { bracketReads, matchResults } from './brackets.ts'
import { coediting } from './coediting.ts'
import { dearestRequests } from './dearest.ts'
import { agendas, registrationDesk } from './desk.ts'
import { engineAlone } from './engine.ts'
import { estimates } from './estimate.ts'
import { flowsJudged } from './flows.ts'
import { flowStates } from './flows-state.ts'
import { heldReads } from './held.ts'
import { importsOfMany } from './imports.ts'
import { listPages, requestPages, updatePages } from './listing.ts'
import { allMatches } from './matches.ts'
import { delivery, uploads } from './media.ts'
import { bearerReads, tokenRefreshes } from './oauth.ts'
import { outlooks } from './outlook.ts'
import { overlayPages } from './overlay-page.ts'
import { manyPages } from './overlay-pages.ts'
import { overlayTrees } from './overlays.ts'
import { poolReads } from './pools.ts'
import { hotReads, missedReads, ownReads } from './reads.ts'
import { largeBracket } from './realtime/bracket.ts'
import { commands } from './realtime/commands.ts'
import { liveScores } from './realtime/ephemeral.ts'
import { fanOut, lastByte } from './realtime/fanout.ts'
import { idle } from './realtime/idle.ts'
import { latency, threeProcesses } from './realtime/latency.ts'
import { resume } from './realtime/resume.ts'
import { readsBesideRegistrations, registrationsApart, registrationsTogether } from './registration.ts'
import { below, type Row, table, tableLine } from './report.ts'
import { sceneEdits } from './scenes.ts'
import { scheduleProposals } from './scheduling.ts'
import { searches } from './search.ts'
import { type Service, startService } from './service.ts'
import { sessionActs, sessionClocks } from './sessions.ts'
import { hooks } from './streaming.ts'
import { websitePages } from './web.ts'
import { webhookDelays } from './webhooks.ts'

/** `npm run bench [part …]`: measures all parts, or the named ones; `--write` puts the rows into docs/performance.md. */

const parts: Readonly<Record<string, (service: Service) => Promise<Row[]>>> = {
  hot: hotReads,
  missed: missedReads,
  own: ownReads,
  apart: registrationsApart,
  together: registrationsTogether,
  beside: readsBesideRegistrations,
  list: listPages,
  updates: updatePages,
  requests: requestPages,
  pools: poolReads,
  archive: archivePages,
  matches: allMatches,
  search: searches,
  desk: registrationDesk,
  agenda: agendas,
  imports: importsOfMany,
  bearer: bearerReads,
  token: tokenRefreshes,
  webhooks: webhookDelays,
  delivery,
  uploads,
  engine: engineAlone,
  outlook: outlooks,
  sessions: flowStates,
  scenes: sceneEdits,
  scheduling: scheduleProposals,
  estimates,
  flows: flowsJudged,
  acts: sessionActs,
  clocks: sessionClocks,
  hooks,
  brackets: bracketReads,
  results: matchResults,
  overlays: overlayTrees,
  page: overlayPages,
  web: websitePages,
  editors: coediting,
  pages: manyPages,
  fanout: fanOut,
  last: lastByte,
  sockets: idle,
  latency,
  commands,
  resume,
  live: liveScores,
  assistant: assistantSessions,
  bracket: largeBracket,
  processes: threeProcesses,
  held: heldReads,
  dearest: dearestRequests,
}

/** Puts the rows into the table of docs/performance.md, each in the place of the one of the same work and baseline. */
function keep(rows: readonly Row[]): void {
  const file = path.join(import.meta.dirname, '../docs/performance.md')
  const day = new Date().toISOString().slice(0, 10)
  const lines = readFileSync(file, 'utf8').split('\n')
  for (const row of rows) {
    const known = lines.findIndex((line) => line.startsWith(`| ${row.work} | ${row.baseline} |`))
    const end = lines.findLastIndex((line) => line.startsWith('| '))
    if (known === -1) lines.splice(end + 1, 0, `${tableLine(row)} ${day} |`)
    else lines[known] = `${tableLine(row)} ${day} |`
  }
  writeFileSync(file, lines.join('\n'))
}

const named = process.argv.slice(2).filter((word) => !word.startsWith('--'))
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
const service = await startService()
try {
  const rows = [
    below('first start', 'empty data directory, until the description answers', service.firstStartMs, 10_000, ' ms'),
    below('later start', 'the same, on the existing database', service.laterStartMs, 3_000, ' ms'),
    below('resident memory, idle', 'requests and sockets, 3 s after the start', service.idleBytes / 1e6, 160, ' MB'),
  ]
  for (const [name, part] of Object.entries(parts)) {
    if (named.length > 0 && !named.includes(name)) continue
    const measured = await part(service)
    for (const row of measured) console.log(`${row.work}: ${row.result} (${row.figures})`)
    rows.push(...measured)
  }
  console.log(`\n${table(rows)}`)
  if (process.argv.includes('--write')) keep(rows)
} finally {
  await service.close()
}
