import { writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { archivePages } from './archive.ts'
import { assistantSessions } from './assistant.ts'
import { bracketReads, matchResults } from './brackets.ts'
import { coediting } from './coediting.ts'
import { dearestRequests } from './dearest.ts'
import { engineAlone } from './engine.ts'
import { flowsJudged } from './flows.ts'
import { flowStates } from './flows-state.ts'
import { importsOfMany } from './imports.ts'
import { listPages, requestPages, updatePages } from './listing.ts'
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
import { below, type Row, table } from './report.ts'
import { sceneEdits } from './scenes.ts'
import { scheduleProposals } from './scheduling.ts'
import { type Service, startService } from './service.ts'
import { sessionActs, sessionClocks } from './sessions.ts'
import { hooks } from './streaming.ts'
import { webhookDelays } from './webhooks.ts'

/** `npm run bench [part …]`: measures all parts, or those named; `--write` keeps the table in docs/performance.md. */

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
  flows: flowsJudged,
  acts: sessionActs,
  clocks: sessionClocks,
  hooks,
  brackets: bracketReads,
  results: matchResults,
  overlays: overlayTrees,
  page: overlayPages,
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
  dearest: dearestRequests,
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
- Ours and the baseline are measured in turns, five of each (three for registrations and results) after one that does
  not count; the figures are medians, per second.
- Every answer must be a 200.
- *Hot* reads are answered from memory, after asking the event log whether they are still true. The baseline is a
  process that sends the same bytes with the same headers to whoever asks. 64 connections.
- *Beside registrations* the card is that of a player who takes part in none of them; the registrations come at an even pace,
  each in another tournament. 64 connections read, and others register.
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
- *Imports* are measured from the request to the last row that is written, with answers of the catalogue that are remembered: it
  is asked five times a second at most, whatever we do. Seven turns after one that does not count; the baseline
  calls the stores of the service in one transaction.
- *Pools* and playlists have all that the catalogue tells of maps, five flairs, and a note on each map. 64 connections.
- *The archive of maps* is asked for pages of 25 maps by one caller who walks on by the cursor, of two services in turns: of one
  with 1,000 maps in 50 published pools, and of one with 200,000 in 10,000. A *common* word is in the names of half of all maps, a
  *frequent* one of a third, a word *of one in a hundred* says so, and a *rare* one is that of a single map.
- *The dearest request* is looked for by asking every operation five times, as an owner, in a tournament with a bracket of 256 teams.
  Each command gets bodies of up to 0.9 MB whose texts and lists are at their limits, once for each of twelve kinds of hostile text. What
  counts is the processor time of the thread that runs the event loop, by the kernel's account, the median of five.
- *The engine* is measured without database and HTTP, in the benchmark's process. *Generating* includes what follows at
  once: who plays whom, and byes. The baseline makes the same bracket in its own store in memory, for each bracket a new
  one. Its bound is five times as many per second.
- *A result* in the engine is the mean over all that it takes to play brackets to the end, of about 8,000 matches in all at
  each size, on a map that is changed in place. The bound is the ratio of the rounds, log 4096 ÷ log 16.
- *Swiss pairing* plays three tournaments of nine rounds in which the better seed wins two matches in three; the slowest
  of all rounds counts, the first of them on a cold engine. Only pairing is timed, not the table.
- *Standings of a qualifier* are made anew from 10,001 attempts. 250 teams of four, three of whom count; each of the methods
  is measured, and the slowest counts.
- *Outlooks* are those of the engine alone, of groups in which everybody meets everybody and as much is open as is tried at
  all: 19 matches, or 12 with draws. The baseline tries each completion, and does not say what the next match makes of it.
- *Schedule proposals* have two streams, three roles and four officials to a match, and everybody's answers quarter by
  quarter: an evening in three suits somebody. In one problem all teams are known; in the other half of the matches wait for
  others. Whole proposals, the slowest of three.
- The *bracket* is a double elimination, of which the first round is played. 64 connections; those with a token have the tokens
  of 300 users.
- *Results of matches* come over 32 connections, for the first round of double eliminations: each changes its match and the
  two matches that the teams go to. Those of one bracket wait for each other; of eight brackets, either one after the other
  is played, or all at once. The baseline runs the prepared statements of the service in its kind of transaction: those that
  lock the bracket, read the matches that change and write them with bracket and event. It decides nothing, knows what to
  write beforehand, and answers nobody. The row without a bound leaves out what is read beside the lock.
- *Delivery* is that of files which stand in the storage, over 32 connections, and of ranges over four; the baseline streams the same
  file with the same headers.
- *Uploads* of a photograph come one after the other, each with other bytes behind its end, so that none is known. The baseline
  decodes, resizes and encodes it as the service does, in the benchmark's process.
- *Hot reads beside uploads* come at an even pace of 200 a second, five seconds at a time, and count from when they are due. Ten
  uploads begin with them and go on, from a process of their own that comes behind the reads, since in earnest it is another machine;
  it hands the kernel the picture as it lies in its memory.
  The row without a bound is the same with one process that decodes the photograph by the library alone, at the priority that the
  service gives its own: no code of ours and no body runs beside the reads, so that is what the cores cost that they share. Medians
  of three turns.
- *Acts* are bans in free sessions of 31 rows and a pool of 40 maps, one session after the other over one connection. Each answers the
  whole state, with the pool. The baseline locks the session, adds a row, rewrites the session and tells the event by the
  prepared statements of the service, in one transaction; it reads no log, decides nothing, and answers nobody. The row
  without a bound has the baseline read what an act reads under the lock.
- *Clocks* of 200 sessions begin at an even pace of 20 a second, lapse after 10 s, and are followed by the next clock, so that 20
  lapse in a second. How late a lapse is, is in the log: when it was written, against what its clock and the grace say. Idle, their
  clocks run for an hour, and nobody looks.
- *Hooks* are those of MediaMTX, at an even pace, from when each is due: 100 players publish anew every second, so that each writes the
  end of a session and the begin of another. Wrong keys come to a server of another kind in the same process, with rate limits on, five
  seconds at a time; medians of three.
- *Resident memory* is \`VmRSS\` of the service's process, which answers requests and takes sockets.
- *Clients of sockets* are in the benchmark's process, plain TCP connections that read frames and little else, from 200
  loopback addresses; those that only hold a socket open are in a process of their own. What they cost, the service lacks:
  they share its two cores.
- *Deliveries* are of the doors alone, without database: 600 messages a second for 3 s, more than can be delivered, until the
  last has come; three times each, in turns. *The least* writes one frame for all to each socket. socket.io takes
  WebSocket alone, without compression, and its clients are as plain as ours; it is offered 300 messages a second, since it
  keeps in memory what it is behind with.
- *The last byte* is that of one message to 5,000 sockets, on its way in when the next is sent; beside ours stands what the
  least needs for the same. 94 % of the time is the kernel's, in 5,000 calls of 10 to 18 µs: between loopback addresses the
  sender's call delivers to the receiver, too.
- *Idle sockets* follow one topic each, in three rounds between which all are closed. Memory is that of the round that took most,
  processor time that of the whole process over 10 s, with the answers to its pings. The read beside them is a tournament's, at
  300 a second, from the moment that it is due.
- *Change to packet* is from the answer of a write, of which 200 a second come over 32 connections, each to the next of 100
  tournaments, to each packet that shows it. The bounds do not hold unless nine writes in ten are answered in their time.
- *Loop delay* is how long a turn of the event loop takes, as \`perf_hooks\` has it by the metrics of the service: it looks every
  10 ms, which are in the figure.
- *A gateway that died* is a process with \`SERVE=gateway\`, killed and started again beside another that serves requests. Its clients
  come back as ours do, after random times that double with each attempt, with position and ETag; all follow again when
  each was sent \`resumed\` or the state. Time counts from when the port is open. Statements are those of the gateway alone, which has
  a database role of its own for that, as the server's log has them.
- *Live scores* are told at the highest rate that may be asked for, and timed at every tenth socket from the moment that they are
  written. Growth of memory is from when all have read for 20 s to the end; those who read nothing are
  replaced every 30 s. A minute usually; \`EPHEMERAL_SECONDS=600\` takes the ten that the bound is for.
- *Sessions of the assistant* are those of one tournament, all held by the one process: 50 matches of four against four, over TLS.
  The fake assistant with its players is a process of its own, and so is the service; followers, one of each match at ten packets
  a second, are in the benchmark's. A value is the time at which the fake sent it, by a clock that all processes share; of values
  that follow each other within a packet only the last is shown. *Rows written* are those that the database counts in all tables
  while there is nothing but live values; it tells of them late, so that eleven seconds go by before. A result counts from when the
  fake sent \`song_finished\` until the proposal with it is found on disk, by a connection that looks whenever a commit is told of
  (NOTIFY). Songs of five matches end in a second, each match's eight within 300 ms; the rows without a bound are for all 50
  matches at one moment.
- *The overlay page* is the one that is built, in Chromium without a graphics card, which draws beside the service and whoever writes on
  the same cores. A frame counts as seen when the next one begins. *Answer to screen* is from the answer of a change of the control
  state, of which five or so come a second, to the frame that shows its words; what was seen before the answer came took no time.
  *Packet to next frame* is from the arrival of a packet that changes something. Each live update changes all bound elements but one.
  *Script* is \`ScriptDuration\` as Chromium has it, with what measures, of each second by the updates in it; the median of the
  seconds counts. *Tasks* are those that \`PerformanceObserver\` tells of as long. The *heap* is what is still in use after its
  collection, over two minutes; \`OVERLAY_SECONDS=600\` takes the ten that the bound is for.
- *Editors* have a document of their own each, into which they take what the others do; an edit is a name that nothing else has, told by
  the one whose element it is, ten a second, none at the time of another. *Stored* is from the edit to its answer, *seen* from the edit
  until each of the others has it in its document: what a process reads together is seen together. Twenty clients share the two cores
  with three services and the database.
- *Two hundred pages* are sockets that read what comes and draw nothing, twenty for each view token, which is as many as one lets in.
- *The large bracket* is followed by 500 while the results of its first round come in. Packets come at most four times a second
  for a body of that size, so that each tells of two or three of ten reports. What one changes is known: 27 members, of three
  matches, of two rows of the standings and of the bracket. As operations of JSON Patch these are some 1.9 kB, 1.3 kB of it their
  words and paths, and 0.6 kB names and values. The bound of 2 kB therefore holds for one report, which is the row without a bound,
  and not for two or three at once; a packet for each report would have to show states between, which no GET has answered.
- *Three processes* are three whole services on one database; each of 20 tournaments is followed by two sockets at each, and 30 writes a
  second go to the three in turn.
`

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
  if (process.argv.includes('--write')) keep(table(rows))
} finally {
  await service.close()
}
