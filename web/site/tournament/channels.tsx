import { Link } from '@tanstack/react-router'
import type { Channel, ChannelQueue, Match } from '../../../client/generated.ts'
import { address } from '../data/api.ts'
import { useRead } from '../data/queries.ts'
import { divisionIds, useDivisions } from '../data/tournament.ts'
import { words } from '../data/words.ts'
import { Blocks } from '../parts/loaded.tsx'
import { matchLink, Score, type Side, SideName } from '../parts/match.tsx'
import { Section } from '../parts/section.tsx'
import { useSpoilers } from '../parts/spoilers.tsx'
import { State } from '../parts/state.tsx'
import { Instant } from '../parts/time.tsx'
import styles from './channels.module.css'
import { useRunning } from './match-list.ts'

/** The channels of a tournament: what each shows now, and what comes next there. */

interface Place {
  readonly id: string
  readonly guid: string
  readonly timezone: string
}

export const queueAddress = (tournament: string, channel: string) =>
  address('/tournaments/{tournament}/channels/{channel}/queue', { tournament, channel })

export function useChannels(tournament: string) {
  return useRead(address('/tournaments/{tournament}/channels', { tournament }), { live: true })
}

interface Props {
  readonly tournament: Place
  /** The matches that the page knows, for those further down in the queues. */
  readonly matches?: ReadonlyMap<string, Match>
}

export function ChannelList({ tournament, matches }: Props) {
  const read = useChannels(tournament.id)
  const channels = read.data?.channels ?? []
  const running = new Map(useRunning(tournament.id).data?.matches.map((match) => [match.guid, match]))
  if (read.isPending) return <Blocks rows={3} />
  if (channels.length === 0) return null
  return (
    <Section title={words('schedule.channels')}>
      <ul className={styles.channels}>
        {channels.map((channel) => (
          <OneChannel
            key={channel.guid}
            tournament={tournament}
            channel={channel}
            running={running}
            {...(matches && { matches })}
          />
        ))}
      </ul>
    </Section>
  )
}

interface ChannelProps extends Props {
  readonly channel: Channel
  readonly running: ReadonlyMap<string, Match>
}

function OneChannel({ tournament, channel, running, matches }: ChannelProps) {
  const queue = useRead(queueAddress(tournament.id, channel.guid), { live: true }).data
  const live = queue?.entries.find(({ status }) => status === 'live')
  const shown = live && (running.get(live.match.guid) ?? matches?.get(live.match.guid))
  return (
    <li>
      <p className={styles.head}>
        <bdi className="strong">{channel.name}</bdi>
        <a href={channel.url} rel="nofollow ugc noopener">
          {words('schedule.watch')}
          <span className="unseen">
            {' '}
            <bdi>{channel.name}</bdi>
          </span>
        </a>
      </p>
      {shown !== undefined && (
        <p className={styles.live}>
          <State shape="running" tone="run">
            {words('match.running')}
          </State>
          <Pairing tournament={tournament} match={shown} />
        </p>
      )}
      <Next tournament={tournament} queue={queue} {...(matches && { matches })} isAlone={shown === undefined} />
    </li>
  )
}

interface NextProps extends Props {
  readonly queue: ChannelQueue | undefined
  /** Whether nothing runs on the channel. */
  readonly isAlone: boolean
}

/** What comes next on a channel: the next match, and as many of the others as are known. */
function Next({ tournament, queue, matches, isAlone }: NextProps) {
  if (queue === undefined) return <p className="muted">{words('state.loading')}</p>
  const waiting = queue.entries.filter(({ status }) => status === 'queued' || status === 'next')
  if (waiting.length === 0) return isAlone ? <p className="muted">{words('schedule.nothing-planned')}</p> : null
  return (
    <ol className={styles.queue}>
      {waiting.map(({ match: { guid, number }, plannedAt }, place) => {
        const known = queue.next?.match.guid === guid ? queue.next.match : matches?.get(guid)
        const at = plannedAt ?? known?.scheduledAt ?? null
        return (
          <li key={guid}>
            <span className="muted">
              {place === 0 ? words('schedule.next') : at === null && words('schedule.then')}{' '}
              {at !== null && <Instant at={at} as="time" />}
            </span>
            {known === undefined ? (
              <span>{words('schedule.match', { number })}</span>
            ) : (
              <Pairing tournament={tournament} match={known} />
            )}
          </li>
        )
      })}
    </ol>
  )
}

function Pairing({ tournament, match }: { readonly tournament: Place; readonly match: Match }) {
  const isHidden = useSpoilers(tournament.guid)
  const divisions = divisionIds(useDivisions().data)
  const [first, second] = match.sides as readonly [Side, Side]
  return (
    <Link
      {...matchLink(tournament.id, divisions.get(match.division) ?? match.division, match.number)}
      className={`plain ${styles.pairing}`}
    >
      <SideName side={first} />
      {match.status === 'running' || match.status === 'completed' ? (
        <Score sides={match.sides} isHidden={isHidden} />
      ) : (
        <span className="muted">{words('home.against')}</span>
      )}
      <SideName side={second} />
      <span className="unseen">{words('match.open', { number: match.number })}</span>
    </Link>
  )
}
