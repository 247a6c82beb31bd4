import { useQueries } from '@tanstack/react-query'
import type { Channel, ChannelQueue, Match, TimelineEvent } from '../../../client/generated.ts'
import { request } from '../data/api.ts'
import { divisionIds, useDivisions, useTournament, useTournamentId } from '../data/tournament.ts'
import { words } from '../data/words.ts'
import { Empty, Loaded } from '../parts/loaded.tsx'
import { Rest } from '../parts/more.tsx'
import { Section } from '../parts/section.tsx'
import { useSpoilers } from '../parts/spoilers.tsx'
import { State } from '../parts/state.tsx'
import { dayOf, Instant, timeOf, useNow } from '../parts/time.tsx'
import { Timeline } from '../parts/timeline.tsx'
import { ChannelList, queueAddress, useChannels } from './channels.tsx'
import { byDay, useMatchList } from './match-list.ts'
import { PlanTable } from './plan-table.tsx'
import styles from './schedule.module.css'
import { Grid } from './schedule-grid.tsx'

interface Props {
  readonly zone: string
  readonly view: 'grid' | 'list'
}

/** The days of a tournament, each with its dates and its matches. */
export function Days({ zone, view }: Props) {
  const tournament = useTournamentId()
  const place = useTournament()
  const list = useMatchList(tournament)
  const channels = useChannels(tournament).data?.channels ?? []
  const channelOf = useChannelOf(tournament, channels)
  const ids = divisionIds(useDivisions().data)
  const isHidden = useSpoilers(place.data?.guid)
  const time = useNow(60_000)
  return (
    <Loaded of={place} rows={12}>
      {(found) => (
        <>
          <ChannelList
            tournament={found}
            {...(list.data && { matches: new Map(list.data.map((match) => [match.guid, match])) })}
          />
          <Timeline tournament={found} isWhole />
          <Loaded of={list} rows={10}>
            {(matches) => {
              const planned = matches.filter(({ scheduledAt }) => scheduledAt !== null)
              const days = daysOf(planned, found.timeline ?? [], zone)
              if (days.length === 0) return <Empty>{words('schedule.none')}</Empty>
              return (
                <>
                  {days.map(({ day, start, events, matches: each }) => (
                    <Section
                      key={day}
                      title={day}
                      beside={
                        day === dayOf(new Date(time).toISOString(), zone) ? (
                          <State shape="running" tone="run">
                            {words('schedule.today')}
                          </State>
                        ) : (
                          start < time && <span className="muted">{words('schedule.past')}</span>
                        )
                      }
                    >
                      <Events events={events} day={day} zone={zone} />
                      {view === 'grid' ? (
                        <Grid
                          title={day}
                          matches={each}
                          channels={channels}
                          channelOf={channelOf}
                          tournament={tournament}
                          divisions={ids}
                          isHidden={isHidden}
                        />
                      ) : (
                        <PlanTable
                          caption={day}
                          matches={each}
                          tournament={tournament}
                          divisions={ids}
                          zone={found.timezone}
                          isHidden={isHidden}
                        />
                      )}
                    </Section>
                  ))}
                </>
              )
            }}
          </Loaded>
          <Rest of={list.rest} />
        </>
      )}
    </Loaded>
  )
}

/** The channel of each match by its GUID: the one that has it in its queue, or else the one that has its address. */
function useChannelOf(tournament: string, channels: readonly Channel[]): (match: Match) => string | undefined {
  const queues = useQueries({
    queries: channels.map(({ guid }) => {
      const path = queueAddress(tournament, guid)
      return {
        queryKey: [path],
        queryFn: ({ signal }: { readonly signal: AbortSignal }) => request<ChannelQueue>(path, { signal }),
      }
    }),
  })
  const queued = new Map(
    queues.flatMap(({ data }) => data?.entries.map(({ match }) => [match.guid, data.channel] as const) ?? []),
  )
  const byUrl = new Map(channels.map(({ url, guid }) => [url, guid]))
  return ({ guid, streamUrl }) => queued.get(guid) ?? (streamUrl === null ? undefined : byUrl.get(streamUrl))
}

interface Day {
  readonly day: string
  readonly start: number
  readonly events: readonly TimelineEvent[]
  readonly matches: readonly Match[]
}

/** The days on which matches are played, with what of the timeline is on them. */
function daysOf(matches: readonly Match[], timeline: readonly TimelineEvent[], zone: string): readonly Day[] {
  return byDay(matches, zone).map(([day, each]) => {
    const start = Date.parse(each[0]?.scheduledAt as string)
    return { day, start, matches: each, events: timeline.filter((event) => isOn(event, day, start, zone)) }
  })
}

/** Whether a date of the timeline begins on a day, or lasts over it. */
function isOn({ startTime, endTime }: TimelineEvent, day: string, at: number, zone: string): boolean {
  if (dayOf(startTime, zone) === day) return true
  return endTime !== null && Date.parse(startTime) < at && (Date.parse(endTime) > at || dayOf(endTime, zone) === day)
}

function Events({ events, day, zone }: Pick<Day, 'events' | 'day'> & { readonly zone: string }) {
  if (events.length === 0) return null
  return (
    <ul className={styles.events}>
      {events.map(({ guid, title, description, startTime, endTime }) => (
        <li key={guid}>
          <span className={styles.when}>
            {dayOf(startTime, zone) === day ? (
              <Instant at={startTime} as="time" />
            ) : (
              <Instant at={startTime} as="day" />
            )}
            {endTime !== null && (
              <>
                {' – '}
                <time dateTime={endTime}>
                  {dayOf(endTime, zone) === day ? timeOf(endTime, zone) : dayOf(endTime, zone)}
                </time>
              </>
            )}
          </span>
          <span>
            <b dir="auto">{title}</b>
            {description !== null && (
              <span className="muted" dir="auto">
                {' '}
                {description}
              </span>
            )}
          </span>
        </li>
      ))}
    </ul>
  )
}
