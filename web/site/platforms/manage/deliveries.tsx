import { getRouteApi, Link } from '@tanstack/react-router'
import { address } from '../../data/api.ts'
import { words } from '../../data/words.ts'
import { FollowedList } from '../../parts/followed-list.tsx'
import { Section } from '../../parts/section.tsx'
import { DeliveryLine } from './delivery-line.tsx'
import styles from './manage.module.css'
import { ReplaySince } from './replay-since.tsx'

/** What was sent, or is to be: with every attempt, the body, and again from an instant on. */

const states = { all: undefined, waiting: 'pending,sending', delivered: 'delivered', failed: 'failed,stopped' } as const
type State = keyof typeof states
const names = Object.keys(states) as readonly State[]

const route = getRouteApi('/platforms/$platform/manage')

export function Deliveries({ platform }: { readonly platform: string }) {
  const search = route.useSearch()
  const state = names.find((each) => each === search.deliveries) ?? 'all'
  const status = states[state]
  const at = address(
    '/tournament-platforms/{platform}/deliveries',
    { platform },
    status === undefined ? {} : { status },
  )
  return (
    <Section
      title={words('managing.deliveries')}
      beside={
        <nav className="choices" aria-label={words('managing.deliveries-filter')}>
          {names.map((each) => (
            <Link
              key={each}
              from="/platforms/$platform/manage"
              to="."
              search={each === 'all' ? {} : { deliveries: each }}
              className="btn"
              aria-current={each === state ? 'true' : undefined}
              activeOptions={{ exact: true, includeSearch: true }}
              replace
              resetScroll={false}
            >
              {words(`managing.deliveries-${each}`)}
            </Link>
          ))}
        </nav>
      }
    >
      <p className={`muted ${styles.intro}`}>{words('managing.deliveries-intro')}</p>
      <FollowedList
        at={at}
        itemsOf={({ deliveries }) => deliveries}
        rows={4}
        empty={words(`managing.no-deliveries-${state}`)}
      >
        {(deliveries) => (
          <ul className="lines">
            {deliveries.map((delivery) => (
              <DeliveryLine key={delivery.guid} platform={platform} of={delivery} />
            ))}
          </ul>
        )}
      </FollowedList>
      <ReplaySince platform={platform} />
    </Section>
  )
}
