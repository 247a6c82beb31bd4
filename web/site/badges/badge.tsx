import { Link, useParams } from '@tanstack/react-router'
import { FaultOf } from '../chrome/faults.tsx'
import { address } from '../data/api.ts'
import type { Badge } from '../data/generated.ts'
import { usePages, useRead } from '../data/queries.ts'
import { words } from '../data/words.ts'
import { Picture } from '../parts/badge.tsx'
import { Empty, Loaded } from '../parts/loaded.tsx'
import { More } from '../parts/more.tsx'
import { Section } from '../parts/section.tsx'
import { Face } from '../parts/team.tsx'
import { Instant } from '../parts/time.tsx'
import styles from './badges.module.css'

/** A badge, what it was given for, and who holds it. */
export function BadgePage() {
  const { badge } = useParams({ from: '/badges/$badge' })
  const read = useRead(address('/badges/{badge}', { badge }))
  if (read.data === undefined && read.error !== null)
    return <FaultOf error={read.error} again={() => void read.refetch()} />
  return (
    <div className="page stack in-order">
      <Loaded of={read} rows={1} hasTitle>
        {(found) => <Head badge={found} />}
      </Loaded>
      <Holders badge={badge} count={read.data?.holders} />
    </div>
  )
}

function Head({ badge }: { readonly badge: Badge }) {
  const { name, description, kind, imageUrl, tournament, edition, retiredAt } = badge
  return (
    <header className={styles.head}>
      <Picture address={imageUrl} name={name} isLarge />
      <div>
        <h1>
          <bdi>{name}</bdi>
        </h1>
        <p dir="auto">{description}</p>
        <p className="muted">
          {words(`badges.${kind}`)}
          {tournament !== null && (
            <>
              ,{' '}
              <Link to="/t/$tournament" params={{ tournament: tournament.id }}>
                <bdi>{tournament.name}</bdi>
              </Link>
            </>
          )}
          {edition !== null && (
            <>
              ,{' '}
              <Link to="/awards/$edition" params={{ edition: edition.id }}>
                {words('badges.edition')}
              </Link>
            </>
          )}
          {retiredAt !== null && (
            <>
              , {words('badges.retired')} <Instant at={retiredAt} as="day" />
            </>
          )}
        </p>
      </div>
    </header>
  )
}

function Holders({ badge, count }: { readonly badge: string; readonly count: number | undefined }) {
  const pages = usePages(address('/badges/{badge}/holders', { badge }, { limit: 50 }))
  const found = pages.data?.pages.flatMap(({ holders }) => holders)
  return (
    <Section
      title={words('badges.held-by')}
      beside={count !== undefined && <span className="muted">{words('badges.holders', { count })}</span>}
    >
      <Loaded of={{ ...pages, data: found }} rows={8}>
        {(holders) =>
          holders.length === 0 ? (
            <Empty>{words('badges.nobody')}</Empty>
          ) : (
            <>
              <ul className={`lines ${styles.holders}`}>
                {holders.map(({ guid, user, label, awardedAt }) => (
                  <li key={guid}>
                    <Face name={user.preferredName ?? user.username} picture={user.avatarUrl} />
                    <Link to="/u/$user" params={{ user: user.guid }} className="plain">
                      <bdi>{user.preferredName ?? user.username}</bdi>
                    </Link>
                    <span className="muted" dir="auto">
                      {label}
                    </span>
                    <span className="muted only-wide">
                      <Instant at={awardedAt} as="day" />
                    </span>
                  </li>
                ))}
              </ul>
              <More of={pages} />
            </>
          )
        }
      </Loaded>
    </Section>
  )
}
