import type { ReactNode } from 'react'
import { words } from '../../data/words.ts'
import { Countdown } from '../../parts/countdown.tsx'
import { wholeOf } from '../../parts/numbers.ts'
import type { Phase, Place } from '../../parts/phase.ts'
import { Instant } from '../../parts/time.tsx'
import styles from './overview.module.css'
import { OwnMatch } from './own-match.tsx'
import { Reader } from './reader.tsx'
import { needsOf } from './requirements.ts'

/** What comes next in a tournament, and what this reader can do about it. */

interface Props {
  readonly tournament: Place
}

export function NextStep({ tournament, phase }: Props & { readonly phase: Phase }) {
  switch (phase) {
    case 'soon':
      return <Soon tournament={tournament} />
    case 'open':
      return <Open tournament={tournament} />
    case 'closed':
      return <Closed tournament={tournament} />
    case 'running':
      return <OwnMatch tournament={tournament} />
    default:
      return null
  }
}

interface PanelProps {
  readonly title: string
  readonly lead: ReactNode
  readonly about?: ReactNode
  readonly children?: ReactNode
}

/** The one thing of the page that wants the eye: what it is about on the left, what to do on the right. */
function Panel({ title, lead, about, children }: PanelProps) {
  return (
    <section className={styles.step} aria-label={title}>
      <div>
        <h2>{title}</h2>
        <p className={styles.lead}>{lead}</p>
        {about}
      </div>
      {children}
    </section>
  )
}

function Needs({ tournament }: Props) {
  return (
    <div className={styles.needs}>
      <h3>{words('needs.title')}</h3>
      <ul>
        {needsOf(tournament).map((need) => (
          <li key={need} dir="auto">
            {need}
          </li>
        ))}
      </ul>
    </div>
  )
}

/** Its calendar tells of the day, so that readers do not have to come back for it. */
const CalendarLink = ({ tournament: { id } }: Props) => (
  <a className="btn btn-primary" href={`/api/tournaments/${id}/calendar.ics`}>
    {words('registration.remember')}
  </a>
)

function Soon({ tournament }: Props) {
  const { registrationOpensAt, registrationClosesAt, timezone, capacity } = tournament
  const opensAt = registrationOpensAt as string
  return (
    <Panel
      title={words('registration.soon')}
      lead={<Countdown at={opensAt} />}
      about={
        <>
          <p>
            <Instant at={opensAt} zone={timezone} />
          </p>
          <p className="muted">
            {registrationClosesAt !== null && (
              <>
                {words('registration.closes')} <Instant at={registrationClosesAt} zone={timezone} />.{' '}
              </>
            )}
            {capacity !== null && words('registration.places', { capacity })}
          </p>
          <p className={`btns no-print ${styles.act}`}>
            <CalendarLink tournament={tournament} />
          </p>
        </>
      }
    >
      <Reader tournament={tournament} phase="soon" needs={<Needs tournament={tournament} />} />
    </Panel>
  )
}

function Open({ tournament }: Props) {
  const { capacity, counts, registrationClosesAt, timezone } = tournament
  const left = capacity === null ? null : Math.max(0, capacity - counts.registered)
  return (
    <Panel
      title={words('registration.open')}
      lead={
        <>
          <b className={`num ${styles.number}`}>{wholeOf(left ?? counts.registered)}</b>{' '}
          {left === null
            ? words('registration.in', { count: counts.registered })
            : words('registration.left', { left, capacity: capacity as number })}
        </>
      }
      about={
        registrationClosesAt !== null && (
          <p>
            {words('registration.until')} <Instant at={registrationClosesAt} zone={timezone} />
          </p>
        )
      }
    >
      <Reader tournament={tournament} phase={left === 0 ? 'full' : 'open'} needs={<Needs tournament={tournament} />} />
    </Panel>
  )
}

function Closed({ tournament }: Props) {
  const { startsAt, timezone, counts, publicRegistration, registrationClosesAt } = tournament
  return (
    <Panel
      title={words(startsAt === null ? 'registration.is-closed' : 'registration.begins')}
      lead={
        startsAt === null ? words('registration.in-all', { count: counts.registered }) : <Countdown at={startsAt} />
      }
      about={
        <>
          {startsAt !== null && (
            <p>
              <Instant at={startsAt} zone={timezone} />
            </p>
          )}
          <p className="muted">
            {!publicRegistration ? (
              words('registration.by-staff')
            ) : (
              <>
                {words('registration.closed-since')}
                {registrationClosesAt !== null && (
                  <>
                    {' '}
                    <Instant at={registrationClosesAt} as="day" />
                  </>
                )}
              </>
            )}
            . {startsAt !== null && words('registration.in-all', { count: counts.registered })}
          </p>
        </>
      }
    >
      <Reader tournament={tournament} phase="closed" needs={null} />
    </Panel>
  )
}
