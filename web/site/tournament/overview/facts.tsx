import { Link } from '@tanstack/react-router'
import { useDivisions } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import type { Phase, Place } from '../../parts/phase.ts'
import { Section } from '../../parts/section.tsx'
import { State } from '../../parts/state.tsx'
import { Instant, isSameZone, ownZone, Span, zoneOf } from '../../parts/time.tsx'
import styles from './overview.module.css'

/** The tournament in short: dates, places, brackets, people, links. */
interface Props {
  readonly tournament: Place
  readonly phase: Phase
}

export function Facts({ tournament, phase }: Props) {
  const { timezone, teamSize, counts, organiser, links, capacity, id } = tournament
  const divisions = useDivisions().data ?? []
  // Offsets change with the seasons: what counts is when it is played.
  const at = tournament.startsAt === null ? Date.now() : Date.parse(tournament.startsAt)
  const differs = !isSameZone(timezone, ownZone, at)
  return (
    <Section title={words('tournament.facts')}>
      <dl className="facts">
        <dt>{words('tournament.dates')}</dt>
        <dd>
          <Span from={tournament.startsAt} to={tournament.endsAt} />
        </dd>
        <dt>{words('tournament.times')}</dt>
        <dd>
          {words('tournament.own-zone', { zone: zoneOf(ownZone, at) })}
          {differs && (
            <>
              <br />
              <span className="muted">{words('tournament.its-zone', { zone: zoneOf(timezone, at) })}</span>
            </>
          )}
        </dd>
        <dt>{words('tournament.registration')}</dt>
        <dd>
          <RegistrationState tournament={tournament} phase={phase} />
        </dd>
        <dt>{words('tournament.teams')}</dt>
        <dd>
          <Link to="/t/$tournament/teams" params={{ tournament: id }}>
            {words('tournament.registered', { count: counts.registered, capacity: capacity ?? 0 })}
          </Link>
          , {words('tournament.size', { min: teamSize.min, max: teamSize.max, active: teamSize.active })}
        </dd>
        {divisions.length > 0 && (
          <>
            <dt>{words('tournament.divisions')}</dt>
            <dd>
              <ul>
                {divisions.flatMap((division) =>
                  division.brackets.map((bracket) => (
                    <li key={bracket.guid}>
                      <Link
                        to="/t/$tournament/bracket/$division/$bracket"
                        params={{ tournament: id, division: division.id, bracket: bracket.guid }}
                      >
                        <bdi>{division.name}</bdi>, <bdi>{bracket.name}</bdi>
                      </Link>
                    </li>
                  )),
                )}
              </ul>
            </dd>
          </>
        )}
        <dt>{words('tournament.organiser')}</dt>
        <dd>
          <Link to="/u/$user" params={{ user: organiser.guid }}>
            <bdi>{organiser.preferredName ?? organiser.username}</bdi>
          </Link>
        </dd>
        {links.website !== null && (
          <>
            <dt>{words('tournament.website')}</dt>
            <dd>
              <Out href={links.website} />
            </dd>
          </>
        )}
        {links.chatInvite !== null && (
          <>
            <dt>{words('tournament.chat')}</dt>
            <dd>
              <Out href={links.chatInvite} />
            </dd>
          </>
        )}
        {links.stream !== null && (
          <>
            <dt>{words('tournament.stream')}</dt>
            <dd>
              <Out href={links.stream} />
            </dd>
          </>
        )}
      </dl>
    </Section>
  )
}

/** A link to elsewhere; shown without its scheme. */
const Out = ({ href }: { readonly href: string }) => (
  <a href={href} rel="nofollow ugc noopener" className={styles.out}>
    <bdi>{href.replace(/^https?:\/\//, '').replace(/\/$/, '')}</bdi>
  </a>
)

function RegistrationState({ tournament, phase }: Props) {
  const { registrationOpensAt, registrationClosesAt, timezone, publicRegistration } = tournament
  if (!publicRegistration) return <>{words('registration.by-staff')}</>
  if (phase === 'open')
    return (
      <State shape="running" tone="run">
        {words('registration.is-open')}
      </State>
    )
  const isAhead = phase === 'soon' || phase === 'draft'
  if (isAhead && registrationOpensAt !== null)
    return (
      <>
        {words('registration.opens')} <Instant at={registrationOpensAt} zone={timezone} />
      </>
    )
  if (isAhead) return <>{words('time.open')}</>
  return (
    <>
      <State shape="done" tone="quiet">
        {words('registration.closed')}
      </State>
      {registrationClosesAt !== null && phase !== 'cancelled' && (
        <>
          {' '}
          <span className="muted">
            {words('match.since')} <Instant at={registrationClosesAt} as="day" />
          </span>
        </>
      )}
    </>
  )
}
