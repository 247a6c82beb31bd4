import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { root, sourceFiles } from './sources.ts'

/** A file that one can read in one go has at most 300 lines. (docs/architecture.md) */

const maxLines = 300

/** Files that are longer, with their lines. A number may only fall, and a file leaves the list at 300. */
const longer: Readonly<Record<string, number>> = {
  'src/app.ts': 436,
  'src/core/operation.ts': 455,
  'src/engine/flows/after-a-row.ts': 303,
  'src/engine/flows/flow.ts': 303,
  'src/engine/flows/map-winner.ts': 304,
  'src/engine/flows/rows.ts': 338,
  'src/engine/flows/seat-actions.ts': 303,
  'src/engine/scheduling/timetable.ts': 320,
  'src/examples.ts': 468,
  'src/features/assistant/assistantSessions/jobs/holding.ts': 354,
  'src/features/assistant/assistantSessions/rules/playing.ts': 305,
  'src/features/assistant/assistantSessions/rules/step.ts': 320,
  'src/features/assistant/proposals/commands/accepting.ts': 308,
  'src/features/listing/webhooks/store/queue.ts': 301,
  'src/features/planning/availability/store/answers.ts': 304,
  'src/features/streaming/streamSessions/store/sessions.ts': 311,
  'src/infra/db/database.ts': 310,
  'src/infra/http/admission.ts': 417,
  'src/infra/http/bridge/sources.ts': 430,
  'src/infra/http/route.ts': 364,
  'src/infra/realtime/documents/room.ts': 367,
  'src/infra/realtime/doors/connection.ts': 378,
  'src/infra/realtime/doors/packets.ts': 370,
  'src/infra/realtime/durable/feed.ts': 318,
  'src/infra/realtime/realtime.ts': 325,
  'src/oauth/tokens.ts': 306,
  'web/test/pictures.ts': 456,
}

test('files have at most 300 lines, and the longer ones do not grow', () => {
  const files = sourceFiles(['src', 'web', 'client', 'scripts']).filter(
    (file) => /\.(?:tsx?|js)$/.test(file) && !file.endsWith('.test.ts'),
  )
  const lines = new Map(
    files.map((file) => [file, readFileSync(path.join(root, file), 'utf8').split('\n').length - 1] as const),
  )
  const tooLong = [...lines].filter(([file, count]) => count > Math.max(maxLines, longer[file] ?? 0))
  expect(tooLong).toEqual([])
  expect(Object.keys(longer).filter((file) => (lines.get(file) ?? 0) <= maxLines)).toEqual([])
  expect(files.length).toBeGreaterThan(1_000)
})
