import { type Static, Type } from 'typebox'
import { Instant, nullable, oneOf } from '../../../core/schema.ts'
import { formatInstant } from '../../../core/time.ts'
import type { Check, HealthReport, Verdict } from '../../../infra/health/types.ts'

const verdicts = ['ok', 'warning', 'failure'] as const
type Answered = (typeof verdicts)[number]

const verdictOf: Record<Verdict, Answered> = { ok: 'ok', warn: 'warning', FAIL: 'failure' }

const count = (example: number, description?: string) =>
  Type.Integer({ minimum: 0, examples: [example], ...(description !== undefined && { description }) })
const seconds = (description: string) => Type.Integer({ minimum: 0, examples: [0], description })
const text = (example: string, description?: string) =>
  Type.String({ examples: [example], ...(description !== undefined && { description }) })

export const ServiceHealth = Type.Object(
  {
    status: oneOf(verdicts, { description: 'The worst of all checks.' }),
    checkedAt: Instant,
    checks: Type.Array(
      Type.Object(
        {
          verdict: oneOf(verdicts),
          what: text('data directory'),
          detail: text('/var/lib/downbeat, 212.4 GiB free', 'What was found.'),
          advice: nullable(
            Type.Object({
              text: text('Make room before the disk is full, or writes will be refused.'),
              section: text('The disk is full', 'The section of the guide on operating the service that tells more.'),
            }),
            'What to do; null where all is well.',
          ),
        },
        { title: 'ServiceCheck' },
      ),
      { description: 'What is wrong first. The same as `doctor` prints on the command line.' },
    ),
    followers: Type.Array(
      Type.Object({
        name: text('notifications'),
        behind: count(0, 'Changes that it has not handled yet.'),
        behindSeconds: seconds('How long the oldest of these has waited.'),
        setAside: count(0, 'Changes that it could not handle.'),
      }),
      { description: 'What acts on changes, one after the other.' },
    ),
    queues: Type.Array(
      Type.Object({
        name: text('webhook_deliveries'),
        help: text('Webhook deliveries that are in the queue.', 'What waits there.'),
        waiting: count(0),
        oldestSeconds: seconds('How long the one that has waited longest is due.'),
      }),
    ),
    storage: Type.Object({
      databaseBytes: count(48_234_496),
      mediaFiles: count(120),
      mediaBytes: count(73_400_320),
      isMediaInBucket: Type.Boolean({ description: 'Whether media are in a bucket, not on the disk of the service.' }),
      freeBytes: nullable(count(228_063_182_848), 'Of the disk that has the data directory; null where there is none.'),
      totalBytes: nullable(count(536_870_912_000)),
    }),
    versions: Type.Object({
      service: text('0.1.0'),
      node: text('24.9.0'),
      database: text('17.6'),
      startedAt: Instant,
    }),
    limits: Type.Array(
      Type.Object({
        budget: text('sign-in'),
        refused: count(3, 'Calls that were refused since the process started.'),
        lastAt: Instant,
      }),
      { description: 'The rate limits that somebody has reached.' },
    ),
    sockets: Type.Object({ open: count(212), most: count(20_000) }),
  },
  { title: 'ServiceHealth', description: 'Whether the service is well, as the process that answers knows it.' },
)

interface Versions {
  readonly service: string
  readonly node: string
}

export function serviceHealthView(
  report: HealthReport,
  checks: readonly Check[],
  versions: Versions,
  now: Date,
): Static<typeof ServiceHealth> {
  const { followers, queues, database, room, media, process } = report
  const judged = checks.map((check) => ({ ...check, verdict: verdictOf[check.verdict] }))
  return {
    status: judged[0]?.verdict ?? 'ok',
    checkedAt: formatInstant(now),
    checks: judged,
    followers: followers.map(({ name, behind, behindSeconds, setAside }) => ({
      name,
      behind,
      behindSeconds: Math.round(behindSeconds),
      setAside,
    })),
    queues: queues.map((queue) => ({ ...queue, oldestSeconds: Math.round(Math.max(0, queue.oldestSeconds)) })),
    storage: {
      databaseBytes: database.bytes,
      mediaFiles: media.files,
      mediaBytes: media.bytes,
      isMediaInBucket: media.isInBucket,
      freeBytes: room?.freeBytes ?? null,
      totalBytes: room?.totalBytes ?? null,
    },
    versions: { ...versions, database: database.version, startedAt: formatInstant(process.startedAt) },
    limits: [...process.refused].map(([budget, { calls, lastAt }]) => ({
      budget,
      refused: calls,
      lastAt: formatInstant(lastAt),
    })),
    sockets: { open: process.sockets, most: process.maxSockets },
  }
}
