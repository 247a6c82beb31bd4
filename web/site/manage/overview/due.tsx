import type { StaffGroup, TournamentWithParts } from '../../../../client/generated.ts'
import type { VisibilityOverview } from '../../data/generated.ts'
import { useDivisions, useMay } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { StateIcon } from '../../parts/icon.tsx'
import { Section } from '../../parts/section.tsx'
import { Instant, useNow } from '../../parts/time.tsx'
import { ActLink } from '../act-link.tsx'
import { StatusAct } from '../status-act.tsx'
import { checklist, currentPart, parts, type Step } from './checklist.ts'
import styles from './overview.module.css'

/** What is due, phase by phase, with the act of each step. */

interface Props {
  readonly tournament: TournamentWithParts
  readonly staff: readonly StaffGroup[] | undefined
  readonly visibility: VisibilityOverview | undefined
}

export function Due(props: Props) {
  const time = useNow(60_000)
  const divisions = useDivisions().data
  const list = checklist({ ...props, divisions }, time)
  const current = currentPart(props.tournament, time)
  return (
    <Section title={words('manage.due')}>
      {current === null && <p className={styles.note}>{words('manage.cancelled')}</p>}
      {parts.map((part, at) => {
        const left = list[part].filter(({ isDone }) => !isDone).length
        const isBehind = current !== null && current !== 'end' && at < parts.indexOf(current) && left > 0
        return (
          <details key={part} className={styles.part} open={part === current || isBehind}>
            <summary>
              <h3>{words(`manage.part-${part}`)}</h3>
              <span className="muted small">
                {part === current && <b className={styles.now}>{words('manage.now')}</b>}{' '}
                {words('manage.left', { count: left })}
              </span>
            </summary>
            <ul className="lines">
              {list[part].map((step) => (
                <li key={step.name} className={`${styles.line} ${step.isDone ? styles.done : ''}`}>
                  <StateIcon name={step.isDone ? 'done' : 'ready'} />
                  <div>
                    <p className={step.isDone ? '' : 'strong'}>
                      <span className="unseen">{words(step.isDone ? 'manage.is-done' : 'manage.is-open')}</span>
                      {words(`manage.step-${step.name}`)}
                    </p>
                    <p className="muted">
                      <Detail step={step} {...props} />
                    </p>
                  </div>
                  <Act step={step} tournament={props.tournament} />
                </li>
              ))}
            </ul>
          </details>
        )
      })}
    </Section>
  )
}

function Detail({ step, tournament, staff, visibility }: Props & { readonly step: Step }) {
  const { timezone, startsAt, endsAt, registrationOpensAt, registrationClosesAt, counts, capacity } = tournament
  if (step.name === 'registration' && registrationClosesAt !== null) {
    const opens = registrationOpensAt !== null && Date.parse(registrationOpensAt) > Date.now()
    return (
      <>
        {words('manage.places', { count: counts.registered, capacity: capacity ?? 0 })}{' '}
        {words(opens ? 'manage.opens' : step.isDone ? 'manage.closed' : 'manage.closes')}{' '}
        <Instant at={opens ? registrationOpensAt : registrationClosesAt} zone={timezone} />
      </>
    )
  }
  if (step.name === 'start' && startsAt !== null) return <Instant at={startsAt} zone={timezone} />
  if (step.name === 'complete' && endsAt !== null) return <Instant at={endsAt} zone={timezone} />
  if (step.name === 'staff' && step.isDone) {
    const people = new Set(staff?.flatMap(({ users }) => users.map(({ guid }) => guid)))
    return words('manage.people', { count: people.size })
  }
  if (step.name === 'timeline' && step.isDone)
    return words('manage.events', { count: tournament.timeline?.length ?? 0 })
  if (step.name === 'listing') {
    const request = visibility?.platforms.find(({ platform }) => platform.isSystem)?.request ?? null
    if (request !== null) return words(`manage.listing-${request.status}`)
  }
  return step.isDone ? null : words(`manage.hint-${step.name}`)
}

function Act({ step, tournament }: { readonly step: Step; readonly tournament: TournamentWithParts }) {
  const may = useMay()
  const next = { start: 'ongoing', complete: 'completed' } as const
  if (step.name === 'start' || step.name === 'complete') {
    if (step.isDone || !may(step.act) || tournament.status !== (step.name === 'start' ? 'approved' : 'ongoing'))
      return null
    return <StatusAct tournament={tournament} to={next[step.name]} />
  }
  return (
    <ActLink act={step.act} hash={step.name}>
      {words(step.isDone ? 'manage.change' : 'manage.do')}
      <span className="unseen">{words(`manage.step-${step.name}`)}</span>
    </ActLink>
  )
}
