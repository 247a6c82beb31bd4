import type { TournamentWithParts } from '../../../../client/generated.ts'
import { useMay } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { Instant, useNow } from '../../parts/time.tsx'
import { ActLink } from '../act-link.tsx'
import { StatusAct } from '../status-act.tsx'
import { type Facts, requestOf, type Step, timesOf } from './checklist.ts'

/** What is said of a step, and what is done about it. */

interface Props {
  readonly step: Step
  readonly facts: Facts
}

export function Detail({ step: { name, state }, facts }: Props) {
  const time = useNow(60_000)
  const { tournament, staff, visibility, qualifier, matches } = facts
  const { timezone, startsAt, endsAt, registrationOpensAt, registrationClosesAt, counts, capacity } = tournament
  const isDone = state === 'done'
  switch (name) {
    case 'registration': {
      if (state === 'later') return words('manage.hint-registration-later')
      if (registrationClosesAt === null) break
      const opens = registrationOpensAt !== null && Date.parse(registrationOpensAt) > time
      const isOver = Date.parse(registrationClosesAt) <= time
      return (
        <>
          {words('manage.places', { count: counts.registered, capacity: capacity ?? 0 })}{' '}
          {words(opens ? 'manage.opens' : isOver ? 'manage.closed' : 'manage.closes')}{' '}
          <Instant at={opens ? registrationOpensAt : registrationClosesAt} zone={timezone} />
        </>
      )
    }
    case 'listing': {
      const request = requestOf(visibility)
      if (request === null) break
      if (request.status !== 'rejected' || request.reason === null) return words(`manage.listing-${request.status}`)
      return (
        <>
          {words('manage.listing-rejected-why')} <bdi>{request.reason}</bdi>
        </>
      )
    }
    case 'staff': {
      const people = new Set(staff?.flatMap(({ users }) => users.map(({ guid }) => guid)))
      return words(isDone ? 'manage.people' : 'manage.hint-staff', { count: people.size })
    }
    case 'timeline':
      return words(isDone ? 'manage.events' : 'manage.hint-timeline', { count: tournament.timeline?.length ?? 0 })
    case 'qualifier':
      if (!isDone && qualifier !== undefined) return words(`manage.qualifier-${qualifier.status}`)
      return words(isDone ? 'manage.qualified' : 'manage.hint-qualifier', { count: counts.qualified })
    case 'schedule':
      return words(state === 'later' ? 'manage.hint-schedule' : 'plan.summary', timesOf(matches))
    case 'start':
      if (startsAt !== null) return <Instant at={startsAt} zone={timezone} />
      break
    case 'complete':
      if (endsAt !== null) return <Instant at={endsAt} zone={timezone} />
      break
    default:
  }
  return isDone ? null : words(`manage.hint-${name}`)
}

const verbs = {
  done: 'manage.change',
  due: 'manage.do',
  waits: 'manage.look',
  later: 'manage.look',
  optional: 'manage.do',
} as const

export function Act({ step, tournament, isMain = false }: ActProps) {
  const may = useMay()
  const next = { start: 'ongoing', complete: 'completed' } as const
  const startsFrom = tournament.rehearsal === undefined ? 'approved' : 'draft'
  if (step.name === 'start' || step.name === 'complete') {
    if (
      step.state === 'done' ||
      !may(step.act) ||
      tournament.status !== (step.name === 'start' ? startsFrom : 'ongoing')
    )
      return null
    return <StatusAct tournament={tournament} to={next[step.name]} />
  }
  return (
    <ActLink act={step.act} hash={step.name} isMain={isMain}>
      {words(verbs[step.state])}
      <span className="unseen">{words(`manage.step-${step.name}`)}</span>
    </ActLink>
  )
}

interface ActProps {
  readonly step: Step
  readonly tournament: TournamentWithParts
  /** As a button, where the page is about it. */
  readonly isMain?: boolean
}
