import { Link } from '@tanstack/react-router'
import type { ListedTournament } from '../../../client/generated.ts'
import { address } from '../data/api.ts'
import { useRead } from '../data/queries.ts'
import { words } from '../data/words.ts'
import { Empty, Loaded } from '../parts/loaded.tsx'
import { Section } from '../parts/section.tsx'
import { Instant } from '../parts/time.tsx'
import styles from './home.module.css'

/** Where to sign up, with the places that are left. */
export function OpenRegistrations() {
  const read = useRead(address('/tournaments', {}, { registration: 'open', limit: 6 }), { live: true })
  return (
    <Section
      title={words('home.open')}
      beside={
        <>
          <Link to="/new">{words('home.organise')}</Link>
          <Link to="/tournaments" search={{ registration: 'open' }}>
            {words('home.all')}
          </Link>
        </>
      }
    >
      <Loaded of={read} rows={4}>
        {({ tournaments }) =>
          tournaments.length === 0 ? (
            <Empty>{words('home.none-open')}</Empty>
          ) : (
            <ul className="lines">
              {tournaments.map((tournament) => (
                <Registration key={tournament.guid} tournament={tournament} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Section>
  )
}

function Registration({ tournament }: { readonly tournament: ListedTournament }) {
  const { id, name, teamSize, capacity, counts, registrationClosesAt, timezone } = tournament
  return (
    <li className={styles.registration}>
      <div>
        <Link to="/t/$tournament" params={{ tournament: id }} className="plain strong">
          <bdi>{name}</bdi>
        </Link>
        <p className="muted small">
          {words('tournament.size', { min: teamSize.min, max: teamSize.max, active: teamSize.active })}
          {registrationClosesAt !== null && (
            <>
              , {words('home.closes')} <Instant at={registrationClosesAt} zone={timezone} />
            </>
          )}
        </p>
      </div>
      <p className={styles.places}>
        <b className="num">{capacity === null ? counts.registered : Math.max(0, capacity - counts.registered)}</b>{' '}
        <span className="muted small">
          {capacity === null ? words('home.no-limit') : words('home.places-left', { capacity })}
        </span>
      </p>
    </li>
  )
}
