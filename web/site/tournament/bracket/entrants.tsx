import { Link } from '@tanstack/react-router'
import type { BracketWithMatches } from '../../../../client/generated.ts'
import { useTournament } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { Section } from '../../parts/section.tsx'
import { Instant } from '../../parts/time.tsx'
import styles from './page.module.css'

/** While a bracket waits: how its entrants are chosen, as far as the tournament tells, and how many places are taken. */
export function HowChosen({
  tournament,
  bracket,
}: {
  readonly tournament: string
  readonly bracket?: BracketWithMatches
}) {
  const whole = useTournament().data
  if (whole === undefined) return null
  const { registrationClosesAt, counts } = whole
  const taken = bracket?.entrants.filter(({ team }) => team !== null).length
  return (
    <Section title={words('chosen.title')}>
      <div className={styles.chosen}>
        {bracket !== undefined && <p>{words('chosen.taken', { taken, all: bracket.entrants.length })}</p>}
        <p>{words('chosen.how')}</p>
        <p>
          {words('chosen.so-far', { registered: counts.registered, qualified: counts.qualified })}{' '}
          {registrationClosesAt !== null && (
            <>
              {words('chosen.registration')} <Instant at={registrationClosesAt} />.
            </>
          )}
        </p>
        <p className="btns">
          <Link to="/t/$tournament/qualifier" params={{ tournament }}>
            {words('tournament.qualifier')}
          </Link>
          <Link to="/t/$tournament/teams" params={{ tournament }}>
            {words('tournament.teams')}
          </Link>
        </p>
      </div>
    </Section>
  )
}
