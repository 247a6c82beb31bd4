import { memo } from 'react'
import type { Match, StaffGroup, TournamentWithParts } from '../../../../client/generated.ts'
import { useRead } from '../../data/queries.ts'
import { useMatchCodes } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { sideName } from '../../parts/match.tsx'
import { Section } from '../../parts/section.tsx'
import { State } from '../../parts/state.tsx'
import { Instant } from '../../parts/time.tsx'
import { type ChannelOf, isAt, queueAddress } from './console.ts'
import styles from './live.module.css'

/** What the channels show and will show, and where the referees are. */

interface Props {
  readonly tournament: TournamentWithParts
  readonly channels: readonly ChannelOf[]
  readonly matches: readonly Match[]
  readonly referees: StaffGroup['users']
}

export const Aside = memo(function Aside({ tournament, channels, matches, referees }: Props) {
  const known = new Map(matches.map((match) => [match.guid, match]))
  return (
    <div className="stack">
      {channels.map(({ channel }) => (
        <Queue key={channel.guid} tournament={tournament} channel={channel} known={known} />
      ))}
      {referees.length > 0 && (
        <Section
          title={words('live.referees')}
          beside={<span className="small muted">{words('live.count', { count: referees.length })}</span>}
        >
          <table className={`table ${styles.referees}`}>
            <thead className="unseen">
              <tr>
                <th scope="col">{words('live.referee')}</th>
                <th scope="col">{words('live.busy')}</th>
                <th scope="col">{words('live.then')}</th>
              </tr>
            </thead>
            <tbody>
              {referees.map((user) => (
                <Referee key={user.guid} user={user} matches={matches} />
              ))}
            </tbody>
          </table>
        </Section>
      )}
    </div>
  )
})

function Referee({
  user,
  matches,
}: {
  readonly user: StaffGroup['users'][number]
  readonly matches: readonly Match[]
}) {
  const own = matches.filter((match) => isAt(match, user.guid))
  const running = own.filter(({ status }) => status === 'running')
  const [next] = own
    .filter(({ status, scheduledAt }) => status !== 'running' && scheduledAt !== null)
    .toSorted((one, other) => (one.scheduledAt ?? '').localeCompare(other.scheduledAt ?? ''))
  const codeOf = useMatchCodes()
  const numbers = running.map(codeOf).join(', ')
  return (
    <tr>
      <th scope="row">
        <bdi>{user.preferredName}</bdi>
      </th>
      <td>
        {running.length === 0 ? (
          <span className="strong">{words('live.free')}</span>
        ) : running.length === 1 ? (
          <span className="code">{numbers}</span>
        ) : (
          <State shape="problem" tone="warning">
            {numbers}
          </State>
        )}
      </td>
      <td className="n">
        {next?.scheduledAt == null ? (
          <span className="muted">–</span>
        ) : (
          <>
            <span className="code">{codeOf(next)}</span>, <Instant at={next.scheduledAt} as="time" />
          </>
        )}
      </td>
    </tr>
  )
}

interface QueueProps {
  readonly tournament: TournamentWithParts
  readonly channel: ChannelOf['channel']
  readonly known: ReadonlyMap<string, Match>
}

const shown = 4

function Queue({ tournament, channel, known }: QueueProps) {
  const queue = useRead(queueAddress(tournament.id, channel.guid), { live: true }).data
  const codeOf = useMatchCodes()
  const codeIn = ({ guid, number }: { readonly guid: string; readonly number: number }) => {
    const match = known.get(guid)
    return match === undefined ? String(number) : codeOf(match)
  }
  const entries = queue?.entries ?? []
  const live = entries.find(({ status }) => status === 'live')
  const waiting = entries.filter(({ status }) => status === 'queued' || status === 'next')
  return (
    <Section
      title={<bdi>{channel.name}</bdi>}
      beside={
        live === undefined ? (
          <State shape="off" tone="quiet">
            {words('live.off-air')}
          </State>
        ) : (
          <State shape="running" tone="run">
            {words('live.on-air')}
          </State>
        )
      }
    >
      <ul className={styles.queue}>
        {live !== undefined && (
          <li className="strong">
            <span className="code">{codeIn(live.match)}</span> <Pair match={known.get(live.match.guid)} />
          </li>
        )}
        {waiting.slice(0, shown).map(({ match, plannedAt }) => (
          <li key={match.guid}>
            <span className="code">{codeIn(match)}</span> <Pair match={known.get(match.guid)} />
            {plannedAt !== null && <Instant at={plannedAt} as="time" />}
          </li>
        ))}
        {entries.length === 0 && <li className="muted">{words('schedule.nothing-planned')}</li>}
        {waiting.length > shown && <li className="muted">{words('live.more', { count: waiting.length - shown })}</li>}
      </ul>
    </Section>
  )
}

function Pair({ match }: { readonly match: Match | undefined }) {
  return <bdi className={styles.pair}>{match?.sides.map(sideName).join(', ') ?? ''}</bdi>
}
