import { Link } from '@tanstack/react-router'
import { useContext } from 'react'
import type { TournamentWithParts } from '../../../client/generated.ts'
import { words } from '../data/words.ts'
import { StateIcon } from './icon.tsx'
import { Section } from './section.tsx'
import { dayOf, Instant, ShownZone, useNow } from './time.tsx'
import styles from './timeline.module.css'

const signs = { ahead: 'ready', now: 'running', past: 'done' } as const

/** The dates of a tournament as a line, with the present one. */
interface Props {
  readonly tournament: TournamentWithParts
  /** With times and descriptions, on the page of the schedule itself. */
  readonly isWhole?: boolean
}

export function Timeline({ tournament, isWhole = false }: Props) {
  const { timeline = [], id, status } = tournament
  const zone = useContext(ShownZone)
  const time = useNow(60_000)
  if (timeline.length === 0) return null
  const stateOf = ({ startTime, endTime }: (typeof timeline)[number]) => {
    if (Date.parse(startTime) > time) return 'ahead'
    return endTime !== null && Date.parse(endTime) > time ? 'now' : 'past'
  }
  return (
    <Section
      title={words('tournament.timeline')}
      beside={
        !isWhole && (
          <Link to="/t/$tournament/schedule" params={{ tournament: id }}>
            {words('tournament.schedule')}
          </Link>
        )
      }
    >
      <ol
        className={[styles.timeline, isWhole ? styles.whole : '', status === 'cancelled' ? styles.struck : ''].join(
          ' ',
        )}
      >
        {timeline.map((event) => {
          const state = stateOf(event)
          return (
            <li key={event.guid} className={styles[state]}>
              <span className={styles.mark}>
                <StateIcon name={signs[state]} />
              </span>
              <span className="unseen">{words(`timeline.${state}`)}</span>
              <b>
                <bdi>{event.title}</bdi>
              </b>
              <span>
                {isWhole ? (
                  <Instant at={event.startTime} />
                ) : (
                  <time dateTime={event.startTime}>{dayOf(event.startTime, zone)}</time>
                )}
                {event.endTime !== null && dayOf(event.endTime, zone) !== dayOf(event.startTime, zone) && (
                  <>
                    {' – '}
                    <time dateTime={event.endTime}>{dayOf(event.endTime, zone)}</time>
                  </>
                )}
              </span>
              {isWhole && event.description !== null && (
                <span className="muted small" dir="auto">
                  {event.description}
                </span>
              )}
            </li>
          )
        })}
      </ol>
    </Section>
  )
}
