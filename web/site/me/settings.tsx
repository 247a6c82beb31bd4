import { address } from '../data/api.ts'
import type { Identity } from '../data/generated.ts'
import { useRead } from '../data/queries.ts'
import { type WordId, words } from '../data/words.ts'
import { After, Loaded } from '../parts/loaded.tsx'
import { Look } from '../parts/look.tsx'
import { devicesAddress } from '../parts/push-offer.tsx'
import { Section } from '../parts/section.tsx'
import { Devices } from './devices.tsx'
import { Email, ownAddress } from './email.tsx'
import { LinkedAccount } from './linked-account.tsx'
import styles from './settings.module.css'

/** The accounts elsewhere that belong to the reader, their mail, and how pages look. */

export const identitiesAddress = address('/users/@me/identities', {})

const platforms: readonly (readonly [Identity['platform'], WordId])[] = [
  ['chat', 'linking.chat'],
  ['ranking-a', 'linking.ranking-a'],
  ['ranking-b', 'linking.ranking-b'],
  ['streaming', 'linking.streaming'],
]

export function Settings() {
  const identities = useRead(identitiesAddress)
  const own = useRead(ownAddress)
  const devices = useRead(devicesAddress)
  return (
    <div className="page stack">
      <h1>{words('me.settings')}</h1>
      <div id="linking">
        <Section title={words('linking.title')}>
          <Loaded of={identities} rows={8}>
            {(linked) => (
              <ul className="lines">
                {platforms.map(([platform, name]) => (
                  <li key={platform} className={styles.account}>
                    <LinkedAccount
                      platform={platform}
                      name={words(name)}
                      identity={linked.find((each) => each.platform === platform)}
                    />
                  </li>
                ))}
              </ul>
            )}
          </Loaded>
        </Section>
      </div>
      <After of={[identities]}>
        <Email />
      </After>
      <After of={[identities, own]}>
        <Devices />
      </After>
      <After of={[identities, own, devices]}>
        <Section title={words('look.title')}>
          <div className={styles.look}>
            <Look />
          </div>
        </Section>
      </After>
    </div>
  )
}
