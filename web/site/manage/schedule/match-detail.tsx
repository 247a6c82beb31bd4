import { Link } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import type { Match } from '../../../../client/generated.ts'
import { divisionIds, useDivisions, useMay, useTournamentId } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { Icon } from '../../parts/icon.tsx'
import { matchLink, SideName } from '../../parts/match.tsx'
import { fullOf, Instant, timeOf } from '../../parts/time.tsx'
import { isOpen } from '../matches.ts'
import { commonSpans, type Word, wordOf } from './answers.ts'
import { type Intent, MoveForm, type Place } from './move-form.tsx'
import type { Plan } from './plan.ts'
import styles from './schedule.module.css'
import { from, searchWith } from './search.ts'

/** One match of the plan: where it is, where it could be, and when both teams can. */

interface Props {
  readonly match: Match
  readonly plan: Plan
  readonly intent: Intent | null
  readonly used: () => void
  readonly show: (place: Place | null) => void
  readonly take: (at: number) => void
  readonly isPinned: boolean
  readonly pin: (isPinned: boolean) => void
}

export function MatchDetail({ match, plan, intent, used, show, take, isPinned, pin }: Props) {
  const may = useMay()
  const tournament = useTournamentId()
  const ids = divisionIds(useDivisions().data)
  const heading = useRef<HTMLHeadingElement>(null)
  const isMoving = useRef(intent !== null)
  useEffect(() => {
    // Not where the page begins with it, and not while keys move it in the grid.
    const isInGrid = isMoving.current && document.activeElement?.closest('table') != null
    if (document.activeElement !== document.body && !isInGrid) heading.current?.focus({ preventScroll: true })
  }, [])
  const canMove = may('matches.update') && isOpen(match)
  return (
    <aside className={styles.detail} aria-label={words('schedule.match', { number: match.number })}>
      <header>
        <h2 ref={heading} tabIndex={-1}>
          {words('match.context', { number: match.number, round: plan.roundOf(match) })}
        </h2>
        <Link
          from={from}
          to="."
          search={(search) => searchWith(search, 'match', undefined)}
          className="btn btn-quiet btn-icon"
          aria-label={words('dialog.close')}
          resetScroll={false}
        >
          <Icon name="close" />
        </Link>
      </header>
      <ul className={styles.opponents}>
        {match.sides.map((side, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a match has two sides, in a fixed order
          <li key={at}>
            <SideName side={side} />
          </li>
        ))}
      </ul>
      {canMove ? (
        <MoveForm match={match} plan={plan} intent={intent} used={used} show={show} />
      ) : (
        <p>
          {match.scheduledAt === null ? words('match.no-time') : <Instant at={match.scheduledAt} zone={plan.zone} />}
        </p>
      )}
      <WhenBothCan match={match} plan={plan} {...(canMove && { take })} />
      {match.officials.length > 0 && (
        <>
          <h3>{words('match.officials')}</h3>
          <p>
            <bdi>{match.officials.map(({ user }) => user.preferredName).join(', ')}</bdi>
          </p>
        </>
      )}
      <div className={styles.acts}>
        {may('schedules.propose') && isOpen(match) && match.scheduledAt !== null && (
          <button type="button" className="btn" aria-pressed={isPinned} onClick={() => pin(!isPinned)}>
            {words(isPinned ? 'plan.unpin' : 'plan.pin')}
          </button>
        )}
        <Link {...matchLink(tournament, ids.get(match.division) ?? match.division, match.number)} className="btn">
          {words('plan.page')}
        </Link>
      </div>
      {may('schedules.propose') && isOpen(match) && match.scheduledAt !== null && (
        <p className="small muted">{words('plan.pin-hint')}</p>
      )}
    </aside>
  )
}

/** How many spans are shown before the rest. */
const few = 6

interface CanProps {
  readonly match: Match
  readonly plan: Plan
  readonly take?: (at: number) => void
}

function WhenBothCan({ match, plan, take }: CanProps) {
  const { answers, rules, zone } = plan
  const tournament = useTournamentId()
  const may = useMay()
  const teams = match.sides.flatMap(({ team }) => (team === null ? [] : [team]))
  const asked = teams.filter(({ guid }) => answers.has(guid))
  if (asked.length === 0) return null
  const silent = asked.filter(({ guid }) => answers.get(guid)?.hasAnswered === false)
  const lengthMs = rules.minutes * 60_000
  const spans = commonSpans(
    answers,
    teams.map(({ guid }) => guid),
    lengthMs,
  )
  const at = match.scheduledAt === null ? null : Date.parse(match.scheduledAt)
  const line = ({ start, end, isSure }: NonNullable<typeof spans>[number]) => (
    <li key={start}>
      <span className="push">
        {fullOf(new Date(start).toISOString(), zone)} – {timeOf(new Date(end).toISOString(), zone)}
        <span className="small muted"> {words(isSure ? 'plan.sure' : 'plan.unsure')}</span>
      </span>
      {take !== undefined && (
        <button
          type="button"
          className="btn"
          aria-label={words('plan.take-span', { time: fullOf(new Date(start).toISOString(), zone) })}
          onClick={() => take(start)}
        >
          {words('plan.take')}
        </button>
      )}
    </li>
  )
  return (
    <>
      <h3>{words(teams.length === 2 ? 'plan.both-can' : 'plan.can')}</h3>
      {silent.map(({ guid, name }) => (
        <p key={guid} className={styles.silent}>
          <bdi>{words('plan.answer-unanswered', { name })}</bdi>{' '}
          {may('availability.createSheet') && (
            <Link to="/manage/$tournament/availability" params={{ tournament }}>
              {words('plan.see-answers')}
            </Link>
          )}
        </p>
      ))}
      {at !== null &&
        asked.map(({ guid, name }) => {
          const word: Word | null = wordOf(answers, guid, at, at + lengthMs)
          if (word === null || word === 'unanswered') return null
          return (
            <p key={guid} className="muted">
              <bdi>{words(`plan.answer-${word}`, { name })}</bdi>
            </p>
          )
        })}
      {spans !== null && spans.length === 0 && <p>{words('plan.never', { minutes: rules.minutes })}</p>}
      {spans !== null && spans.length > 0 && (
        <>
          <ul className={`lines ${styles.spans}`}>{spans.slice(0, few).map(line)}</ul>
          {spans.length > few && (
            <details>
              <summary>{words('plan.more-times', { count: spans.length - few })}</summary>
              <ul className={`lines ${styles.spans}`}>{spans.slice(few).map(line)}</ul>
            </details>
          )}
        </>
      )}
    </>
  )
}
