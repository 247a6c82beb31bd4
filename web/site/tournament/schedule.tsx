import { Link } from '@tanstack/react-router'
import type { Match } from '../../../client/generated.ts'
import { FaultOf } from '../chrome/faults.tsx'
import { address } from '../data/api.ts'
import { usePages, useRead } from '../data/queries.ts'
import { words } from '../data/words.ts'
import { EmbedButton } from '../parts/embed.tsx'
import { Empty, Loaded } from '../parts/loaded.tsx'
import { MatchLine, MatchTable } from '../parts/match.tsx'
import { More } from '../parts/more.tsx'
import { PrintButton, Printed } from '../parts/print.tsx'
import { Section } from '../parts/section.tsx'
import { useSpoilers } from '../parts/spoilers.tsx'
import { cityOf, dayOf, Instant, ownZone } from '../parts/time.tsx'
import { byDay } from './matches.tsx'
import { divisionIds, useDivisions, useTournament, useTournamentId } from './reads.ts'
import styles from './schedule.module.css'

/** When everything is: dates of the tournament and its matches by day, and the channels that show them. */
export function Schedule() {
  const tournament = useTournamentId()
  const name = useTournament().data?.name
  return (
    <Printed name={name} className="page stack">
      <div className="title">
        <div>
          <h1>{words('tournament.schedule')}</h1>
          <p>{words('schedule.zone', { city: cityOf(ownZone) })}</p>
        </div>
        <div className="btns no-print">
          <PrintButton isSmall />
          <a className="btn" href={`/api/tournaments/${encodeURIComponent(tournament)}/calendar.ics`}>
            {words('tournament.calendar')}
          </a>
          <EmbedButton
            path={`/embed/t/${encodeURIComponent(tournament)}/schedule`}
            title={`${words('tournament.schedule')}, ${name ?? ''}`}
          />
        </div>
      </div>
      <Parts tournament={tournament} />
    </Printed>
  )
}

/** The same inside another website. */
export function EmbeddedSchedule() {
  const tournament = useTournamentId()
  const { data, error, refetch } = useTournament()
  if (data === undefined && error !== null) return <FaultOf error={error} again={() => void refetch()} />
  return (
    <div className="page wide stack">
      <div className="title">
        <div>
          <h1>{words('tournament.schedule')}</h1>
          <p>
            <bdi>{data?.name}</bdi>. {words('schedule.zone', { city: cityOf(ownZone) })}
          </p>
        </div>
        <Link to="/t/$tournament/schedule" params={{ tournament }} className="btn">
          {words('embed.open')}
        </Link>
      </div>
      <Parts tournament={tournament} />
    </div>
  )
}

function Parts({ tournament }: { readonly tournament: string }) {
  const read = useTournament()
  const channels = useRead(address('/tournaments/{tournament}/channels', { tournament }), { live: true })
  const pages = usePages(address('/tournaments/{tournament}/matches', { tournament }, { limit: 100, delayed: true }))
  const ids = divisionIds(useDivisions().data)
  const isHidden = useSpoilers(read.data?.guid)
  const matches = pages.data?.pages.flatMap((page) => page.matches.filter(({ scheduledAt }) => scheduledAt !== null))
  const zone = read.data?.timezone ?? 'UTC'
  return (
    <>
      {(channels.data?.channels.length ?? 0) > 0 && (
        <Section title={words('schedule.channels')}>
          <ul className="lines">
            {channels.data?.channels.map(({ guid, name, url }) => (
              <li key={guid} className={styles.channel}>
                <bdi className="strong">{name}</bdi>
                {url !== null && (
                  <a href={url} rel="nofollow ugc noopener">
                    {words('schedule.watch')}
                  </a>
                )}
              </li>
            ))}
          </ul>
        </Section>
      )}
      <Loaded of={read} rows={4}>
        {({ timeline = [] }) =>
          timeline.length === 0 ? null : (
            <Section title={words('tournament.timeline')}>
              <ul className="lines">
                {timeline.map(({ guid, title, description, startTime, endTime }) => (
                  <li key={guid} className={styles.event}>
                    <span>
                      <Instant at={startTime} zone={zone} />
                      {endTime !== null && <span className="muted"> – {dayOf(endTime)}</span>}
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
            </Section>
          )
        }
      </Loaded>
      <Loaded of={{ ...pages, data: matches }} rows={10}>
        {(found: readonly Match[]) =>
          found.length === 0 ? (
            <Empty>{words('schedule.none')}</Empty>
          ) : (
            <>
              {byDay(
                found.toSorted((one, other) => (one.scheduledAt ?? '').localeCompare(other.scheduledAt ?? '')),
              ).map(([day, each]) => (
                <Section key={day} title={day}>
                  <MatchTable caption={day}>
                    {each.map((match) => (
                      <MatchLine
                        key={match.guid}
                        match={match}
                        tournament={tournament}
                        division={ids.get(match.division) ?? match.division}
                        zone={zone}
                        isHidden={isHidden}
                      />
                    ))}
                  </MatchTable>
                </Section>
              ))}
              <More of={pages} />
            </>
          )
        }
      </Loaded>
    </>
  )
}
