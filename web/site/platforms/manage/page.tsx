import type { ReactNode } from 'react'
import { PlatformFrame } from '../../chrome/platform-frame.tsx'
import type { OwnPlatform } from '../../data/generated.ts'
import { useRead } from '../../data/queries.ts'
import { words } from '../../data/words.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { Section } from '../../parts/section.tsx'
import { Deliveries } from './deliveries.tsx'
import styles from './manage.module.css'
import { recordAddress, settingsAddress } from './reads.ts'
import { PlatformRecord } from './record.tsx'
import { Signature } from './signature.tsx'
import { Team } from './team.tsx'
import { Webhooks } from './webhooks.tsx'

/** Everything that the administrators of a platform set: its record, its team, and what is sent to other programs. */
export function ManagePlatform() {
  return (
    <PlatformFrame title={words('managing.title')} isManaging>
      {(platform) => <Of key={platform.guid} platform={platform} />}
    </PlatformFrame>
  )
}

const parts = ['record', 'team', 'webhooks', 'signature', 'deliveries'] as const

function Of({ platform }: { readonly platform: OwnPlatform }) {
  const { contextId, name } = platform
  const record = useRead(recordAddress(contextId))
  const settings = useRead(settingsAddress(contextId))
  return (
    <div className="page stack in-order">
      <div className="title">
        <div>
          <h1 data-title={`${words('managing.title')} · ${name}`}>{words('managing.title')}</h1>
          <p>{words('managing.intro')}</p>
        </div>
      </div>
      <nav aria-label={words('managing.parts')} className="no-print">
        <ul className={styles.index}>
          {parts.map((part) => (
            <li key={part}>
              <a href={`#${part}`}>{words(`managing.${part}`)}</a>
            </li>
          ))}
        </ul>
      </nav>
      <Part name="record" of={record} rows={5}>
        {(found) => <PlatformRecord of={found} />}
      </Part>
      <Part name="team" of={settings} rows={4}>
        {({ members }) => <Team platform={platform} members={members} />}
      </Part>
      <Part name="webhooks" of={settings} rows={8}>
        {(found) => <Webhooks platform={platform} settings={found} />}
      </Part>
      <div id="signature" className={styles.anchor}>
        <Signature />
      </div>
      <div id="deliveries" className={styles.anchor}>
        <Deliveries platform={contextId} />
      </div>
    </div>
  )
}

/** A part has its heading also while it is read, and when that has failed: two failures would say the same. */
function Part<Found>({
  name,
  of,
  rows,
  children,
}: {
  readonly name: (typeof parts)[number]
  readonly of: Parameters<typeof Loaded<Found>>[0]['of']
  readonly rows: number
  readonly children: (found: Found) => ReactNode
}) {
  return (
    <div id={name} className={styles.anchor}>
      {of.data === undefined ? (
        <Section title={words(`managing.${name}`)}>
          <Loaded of={of} rows={rows}>
            {() => null}
          </Loaded>
        </Section>
      ) : (
        children(of.data)
      )}
    </div>
  )
}
