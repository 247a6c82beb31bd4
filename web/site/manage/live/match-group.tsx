import { memo, useState } from 'react'
import type { FlowState, Match, StaffGroup, TournamentWithParts } from '../../../../client/generated.ts'
import type { CodeOf } from '../../data/tournament.ts'
import { type WordId, words } from '../../data/words.ts'
import { Changed } from '../../parts/changed.tsx'
import { sideName } from '../../parts/match.tsx'
import type { RoundOf } from '../../parts/rounds.ts'
import { Section } from '../../parts/section.tsx'
import { State } from '../../parts/state.tsx'
import { colorOf } from '../../parts/team.tsx'
import { Instant } from '../../parts/time.tsx'
import { Acts } from './acts.tsx'
import { hoursOf } from './clock.ts'
import { atOf, type ChannelOf, type Group } from './console.ts'
import styles from './live.module.css'
import { nowOf } from './now.ts'

/** The matches of one state, a line each; the chosen one is open, with what can be done to it. */

export interface Shared {
  readonly tournament: TournamentWithParts
  readonly channels: readonly ChannelOf[]
  readonly flows: ReadonlyMap<string, FlowState>
  readonly staff: readonly StaffGroup[]
  readonly chosen: string | null
  readonly choose: (match: string) => void
  readonly time: number
  readonly roundOf: RoundOf
  readonly codeOf: CodeOf
}

const looks = {
  late: ['problem', 'alert'],
  ready: ['ready', undefined],
  running: ['running', 'run'],
  waiting: ['waiting', 'quiet'],
} as const

const mostWaiting = 8

interface Props extends Shared {
  readonly group: Group
  readonly matches: readonly Match[]
}

export function MatchGroup({ group, matches, chosen, flows, time, ...shared }: Props) {
  const [isWhole, setWhole] = useState(false)
  if (matches.length === 0) return null
  const [shape, tone] = looks[group]
  // Those that wait are many, and nothing can be done to most of them.
  const shown = group === 'waiting' && !isWhole ? matches.slice(0, mostWaiting) : matches
  return (
    <Section
      title={
        <State shape={shape} {...(tone !== undefined && { tone })}>
          {words(`live.group-${group}`)}
        </State>
      }
      beside={<span className="num muted">{matches.length}</span>}
    >
      <ul className={styles.matches}>
        {shown.map((match) => (
          <Line
            key={match.guid}
            match={match}
            group={group}
            flow={flows.get(match.guid)}
            isChosen={match.guid === chosen}
            // By the minute, so that lines without a change are not drawn again.
            minute={Math.floor(time / 60_000)}
            {...shared}
          />
        ))}
      </ul>
      {shown.length < matches.length && (
        <button type="button" className={`btn ${styles.whole}`} onClick={() => setWhole(true)}>
          {words('live.show-all', { count: matches.length })}
        </button>
      )}
    </Section>
  )
}

interface LineProps extends Omit<Shared, 'chosen' | 'flows' | 'time'> {
  readonly match: Match
  readonly group: Group
  readonly flow: FlowState | undefined
  readonly isChosen: boolean
  readonly minute: number
}

const Line = memo(function Line({
  match,
  group,
  flow,
  isChosen,
  choose,
  minute,
  channels,
  roundOf,
  codeOf,
  ...shared
}: LineProps) {
  const id = `acts-${match.guid}`
  const hasScore = match.status === 'running'
  return (
    <li className={isChosen ? styles.chosen : ''} {...(isChosen && { 'data-chosen': true })}>
      <div className={styles.line}>
        <button
          type="button"
          className={styles.head}
          aria-expanded={isChosen}
          aria-controls={id}
          data-match={match.guid}
          onClick={() => choose(match.guid)}
        >
          <span className="code">
            <span className="unseen">{words('match.match')} </span>
            {codeOf(match)}
          </span>
        </button>
        <span className={styles.at}>{match.scheduledAt !== null && <Instant at={match.scheduledAt} as="time" />}</span>
        <span className={styles.sides}>
          {match.sides.map((side, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a match has two sides, in a fixed order
            <span key={at} className={styles.side} style={colorOf(side.team)}>
              <bdi className={side.team === null ? 'muted' : ''}>{sideName(side)}</bdi>
              {hasScore && (
                <Changed of={side.score ?? 0} className="num">
                  {side.score ?? 0}
                </Changed>
              )}
            </span>
          ))}
        </span>
        <span className={styles.now}>
          <bdi>{flow === undefined ? roundOf(match) : nowOf(flow)}</bdi>
        </span>
        <span className={styles.people}>
          <Officials match={match} /> <Channel match={match} channels={channels} />
        </span>
        <Age match={match} group={group} minute={minute} />
      </div>
      {isChosen && <Acts id={id} match={match} flow={flow} channels={channels} {...shared} />}
    </li>
  )
})

function Officials({ match: { officials } }: { readonly match: Match }) {
  if (officials.length === 0) return <span className="muted">{words('live.no-official')}</span>
  return (
    <>
      {officials.map(({ user, role }, at) => (
        <span key={`${user.guid} ${role}`} title={words(`role-one.${role.replace('role:', '')}` as WordId)}>
          {at > 0 && ', '}
          <bdi>{user.preferredName}</bdi>
        </span>
      ))}
    </>
  )
}

function Channel({ match, channels }: Pick<LineProps, 'match' | 'channels'>) {
  const found = channels.find(({ queue }) =>
    queue?.entries.some((entry) => entry.match.guid === match.guid && entry.status !== 'done'),
  )
  return (
    <span className="muted">
      {'· '}
      {found === undefined ? words('live.no-channel') : <bdi>{found.channel.name}</bdi>}
    </span>
  )
}

/** How late it is, how long it has run, or how long it is until it begins. */
function Age({ match, group, minute }: Pick<LineProps, 'match' | 'group' | 'minute'>) {
  const at = atOf(match)
  const ms = at === null ? 0 : minute * 60_000 - Date.parse(at)
  if (at === null) return <span className={`muted ${styles.age}`}>{words('match.no-time')}</span>
  if (group === 'late')
    return (
      <span className={`${styles.age} ${styles.bad}`}>
        {words('live.late-by', { minutes: Math.floor(ms / 60_000) })}
      </span>
    )
  if (group === 'running')
    return <span className={`num ${styles.age}`}>{words('live.hours', { time: hoursOf(ms) })}</span>
  return (
    <span className={`muted ${styles.age}`}>
      {ms <= -3_600_000
        ? words('live.in-hours', { time: hoursOf(-ms) })
        : words('live.in', { minutes: Math.ceil(-ms / 60_000) })}
    </span>
  )
}
