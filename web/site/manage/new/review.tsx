import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { TournamentWithParts } from '../../../../client/generated.ts'
import { words } from '../../data/words.ts'
import { Section } from '../../parts/section.tsx'
import { Instant, zoneOf } from '../../parts/time.tsx'
import styles from './new.module.css'
import type { StepName } from './steps.ts'

/** Everything that was said, with the way back to each step, and where to go from here. */
export function Review({ tournament }: { readonly tournament: TournamentWithParts }) {
  const { guid, id, name, timezone, teamSize, capacity, summary, imageUrl, bannerUrl, requirements } = tournament
  const part = (step: StepName, children: ReactNode) => (
    <Section
      title={words(`new.step-${step}`)}
      beside={
        <Link to="/new" search={{ draft: guid, step }}>
          {words('manage.change')}
          <span className="unseen">{words(`new.step-${step}`)}</span>
        </Link>
      }
    >
      <dl className="facts">{children}</dl>
    </Section>
  )
  const fact = (term: string, value: ReactNode) => (
    <>
      <dt>{term}</dt>
      <dd>{value ?? <span className="muted">{words('new.open')}</span>}</dd>
    </>
  )
  const date = (at: string | null) => at !== null && <Instant at={at} zone={timezone} />
  const number = Object.keys(requirements).length
  return (
    <>
      {part(
        'name',
        <>
          {fact(words('settings.name'), <bdi>{name}</bdi>)}
          {fact(words('settings.id'), `/t/${id}`)}
        </>,
      )}
      {part(
        'dates',
        <>
          {fact(words('settings.timezone'), zoneOf(timezone))}
          {fact(words('settings.registrationOpensAt'), date(tournament.registrationOpensAt) || null)}
          {fact(words('settings.registrationClosesAt'), date(tournament.registrationClosesAt) || null)}
          {fact(words('settings.startsAt'), date(tournament.startsAt) || null)}
          {fact(words('settings.endsAt'), date(tournament.endsAt) || null)}
        </>,
      )}
      {part(
        'teams',
        <>
          {fact(
            words('tournament.teams'),
            words('tournament.size', { min: teamSize.min, max: teamSize.max, active: teamSize.active }),
          )}
          {fact(words('settings.capacity'), capacity ?? words('new.no-limit'))}
          {fact(words('settings.requirements'), words('new.requirements', { count: number }))}
        </>,
      )}
      {part(
        'look',
        <>
          {fact(words('settings.summary'), summary === null ? null : <bdi>{summary}</bdi>)}
          {fact(words('settings.look'), imageUrl === null && bannerUrl === null ? null : words('form.yes'))}
        </>,
      )}
      <div>
        <p className={styles.next}>{words('new.then')}</p>
        <div className="btns">
          <Link to="/manage/$tournament/visibility" params={{ tournament: id }} className="btn btn-primary">
            {words('new.list')}
          </Link>
          <Link to="/manage/$tournament" params={{ tournament: id }} className="btn">
            {words('new.manage')}
          </Link>
        </div>
      </div>
    </>
  )
}
