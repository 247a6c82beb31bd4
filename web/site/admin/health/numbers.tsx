import type { ServiceHealth } from '../../data/generated.ts'
import { type WordId, words } from '../../data/words.ts'
import { Empty } from '../../parts/loaded.tsx'
import { sizeOf, wholeOf } from '../../parts/numbers.ts'
import { Section } from '../../parts/section.tsx'
import { Ago, Instant } from '../../parts/time.tsx'
import { Table } from '../table.tsx'
import styles from './health.module.css'

/** What waits, what is stored, what runs, and which limits were hit. */

interface Props {
  readonly of: ServiceHealth
}

export function Numbers({ of }: Props) {
  return (
    <div className={styles.numbers}>
      <div className="stack">
        <Queues of={of} />
        <Storage of={of} />
        <Versions of={of} />
        <Limits of={of} />
      </div>
      <Followers of={of} />
    </div>
  )
}

const since = (seconds: number) =>
  seconds < 60
    ? words('health.seconds', { count: seconds })
    : words('health.minutes', { count: Math.round(seconds / 60) })

const knownQueues: Readonly<Record<string, WordId>> = {
  webhook_deliveries: 'health.queue-webhooks',
  chat_deliveries: 'health.queue-chat',
  jobs: 'health.queue-jobs',
}

function Queues({ of: { queues } }: Props) {
  return (
    <Section title={words('health.queues')}>
      <Table
        label={words('health.queues')}
        head={[words('health.queue'), words('health.waiting'), words('health.oldest')]}
        rows={queues.map(({ name, waiting, oldestSeconds }) => {
          const word = knownQueues[name]
          return [name, word === undefined ? name : words(word), waiting, waiting === 0 ? '–' : since(oldestSeconds)]
        })}
      />
    </Section>
  )
}

function Followers({ of: { followers } }: Props) {
  return (
    <Section title={words('health.followers')}>
      <Table
        label={words('health.followers')}
        head={[words('health.follower'), words('health.behind'), words('health.lag'), words('health.set-aside')]}
        rows={followers.map(({ name, behind, behindSeconds, setAside }) => [
          name,
          name,
          behind,
          behind === 0 ? '–' : since(behindSeconds),
          setAside,
        ])}
      />
    </Section>
  )
}

const gibibyte = 1024 ** 3
const roomOf = (bytes: number) => words('health.gigabytes', { count: wholeOf(bytes / gibibyte) })

function Storage({ of: { storage } }: Props) {
  const { freeBytes, totalBytes, databaseBytes, mediaFiles, mediaBytes, isMediaInBucket } = storage
  return (
    <Section title={words('health.storage')}>
      <dl className="facts">
        <dt>{words('health.room')}</dt>
        <dd>
          {freeBytes === null || totalBytes === null
            ? words('health.no-folder')
            : words('health.free', { free: roomOf(freeBytes), total: roomOf(totalBytes) })}
        </dd>
        <dt>{words('health.database')}</dt>
        <dd>{sizeOf(databaseBytes)}</dd>
        <dt>{words('health.media')}</dt>
        <dd>
          {words(isMediaInBucket ? 'health.media-bucket' : 'health.media-disk', {
            size: sizeOf(mediaBytes),
            count: mediaFiles,
          })}
        </dd>
      </dl>
    </Section>
  )
}

function Versions({ of: { versions, sockets } }: Props) {
  return (
    <Section title={words('health.runs')}>
      <dl className="facts">
        <dt>{words('health.service')}</dt>
        <dd>{versions.service}</dd>
        <dt>{words('health.node')}</dt>
        <dd>{versions.node}</dd>
        <dt>{words('health.postgres')}</dt>
        <dd>{versions.database}</dd>
        <dt>{words('health.started')}</dt>
        <dd>
          <Ago at={versions.startedAt} />
        </dd>
        <dt>{words('health.sockets')}</dt>
        <dd>{words('health.open', { open: wholeOf(sockets.open), most: wholeOf(sockets.most) })}</dd>
      </dl>
    </Section>
  )
}

function Limits({ of: { limits } }: Props) {
  return (
    <Section title={words('health.limits')}>
      {limits.length === 0 ? (
        <Empty>{words('health.no-limits')}</Empty>
      ) : (
        <Table
          label={words('health.limits')}
          head={[words('health.limit'), words('health.refused'), words('health.last')]}
          rows={limits.map(({ budget, refused, lastAt }) => [
            budget,
            budget,
            refused,
            <Instant key="last" at={lastAt} />,
          ])}
        />
      )}
    </Section>
  )
}
