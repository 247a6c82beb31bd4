import { Link } from '@tanstack/react-router'
import { type CSSProperties, useMemo, useState } from 'react'
import type { Match } from '../../../../client/generated.ts'
import { address } from '../../data/api.ts'
import { useRead } from '../../data/queries.ts'
import { divisionIds, useDivisions, useMatchCodes, useTournamentId } from '../../data/tournament.ts'
import { type WordId, words } from '../../data/words.ts'
import { StateIcon } from '../../parts/icon.tsx'
import { Empty, Loaded } from '../../parts/loaded.tsx'
import { matchLink, sideName } from '../../parts/match.tsx'
import { asTitle, useRoundNames } from '../../parts/rounds.ts'
import { Section } from '../../parts/section.tsx'
import { Instant } from '../../parts/time.tsx'
import { useMatches } from '../matches.ts'
import { Hours } from './hours.tsx'
import { type Group, groupsOf, isLate, lateMinutes, latestOf, type Played, playedOf } from './lateness.ts'
import { lengthOf } from './lengths.ts'
import { PlanAsPlayed } from './plan-as-played.tsx'
import styles from './rehearsal.module.css'

/** Where the evening runs late: planned against played times, by round, channel and match. Reads the rehearsal itself. */

const views = ['round', 'channel', 'match'] as const
type View = (typeof views)[number]

interface Props {
  /** How many teams do not come. */
  readonly absent: number
  /** To what of the page the compared times belong. */
  readonly compare: React.ReactNode
}

export function Late({ absent, compare }: Props) {
  const [view, setView] = useState<View>('round')
  const matches = useMatches()
  return (
    <Section
      title={words('rehearse.late')}
      beside={
        // biome-ignore lint/a11y/useSemanticElements: these are buttons, not fields
        <div className="choices" role="group" aria-label={words('rehearse.late-by')}>
          {views.map((each) => (
            <button key={each} type="button" className="btn" aria-pressed={each === view} onClick={() => setView(each)}>
              {words(`rehearse.by-${each}` as WordId)}
            </button>
          ))}
        </div>
      }
    >
      <Loaded of={matches} rows={8}>
        {(all) => <Of matches={all} view={view} absent={absent} compare={compare} />}
      </Loaded>
    </Section>
  )
}

function Of({ matches, view, absent, compare }: Props & { readonly matches: readonly Match[]; readonly view: View }) {
  const tournament = useTournamentId()
  const roundOf = useRoundNames()
  const channelOf = useChannelNames()
  const played = useMemo(() => playedOf(matches), [matches])
  if (played.length === 0) return <Empty>{words('rehearse.unplayed')}</Empty>
  const titleOf = (match: Match) => asTitle(roundOf(match))
  return (
    <>
      <div className={styles.verdict}>
        <Verdict played={played} left={matches.filter(isLeft).length} titleOf={roundOf} />
        <div className="btns">
          <Link to="/manage/$tournament/schedule" params={{ tournament }} className="btn">
            {words('rehearse.change-times')}
          </Link>
          <PlanAsPlayed played={played} compare={compare} />
        </div>
      </div>
      <Hours matches={matches} absent={absent} />
      {view === 'match' ? (
        <Matches played={played} roundOf={roundOf} channelOf={channelOf} />
      ) : (
        <Groups
          caption={words(view === 'round' ? 'rehearse.table-round' : 'rehearse.table-channel')}
          head={words(view === 'round' ? 'match.round' : 'rehearse.channel')}
          groups={groupsOf(matches, view === 'round' ? titleOf : channelOf)}
        />
      )}
      <p className="small muted">{words('rehearse.late-from', { minutes: lateMinutes })}</p>
    </>
  )
}

/** A match that may not be needed is left only once it is. */
const isLeft = ({ status, sides, conditional }: Match) =>
  !(conditional && status === 'locked') &&
  status !== 'completed' &&
  status !== 'cancelled' &&
  !sides.some(({ bye }) => bye)

/** Gives the name of the channel that a match is on. */
function useChannelNames(): (match: Match) => string {
  const tournament = useTournamentId()
  const read = useRead(address('/tournaments/{tournament}/channels', { tournament }), { live: true })
  const names = new Map(read.data?.channels.map(({ url, name }) => [url, name]))
  return ({ streamUrl }) =>
    streamUrl === null ? words('rehearse.no-channel') : (names.get(streamUrl) ?? words('rehearse.other-channel'))
}

interface VerdictProps {
  readonly played: readonly Played[]
  readonly left: number
  readonly titleOf: (match: Match) => string
}

/** The answer in a sentence. */
function Verdict({ played, left, titleOf }: VerdictProps) {
  const latest = latestOf(played)
  const first = played.find(isLate)
  const ended = played.flatMap(({ match }) => match.completedAt ?? []).toSorted()
  const last = ended.at(-1)
  return (
    <div>
      {latest === undefined && <p>{words('rehearse.untimed')}</p>}
      {latest !== undefined && first === undefined && (
        <p className={styles.state}>
          <StateIcon name="done" /> <b>{words('rehearse.in-time')}</b>
        </p>
      )}
      {latest !== undefined && first !== undefined && (
        <p className={`${styles.alarm} ${styles.state}`}>
          <StateIcon name="problem" />{' '}
          <b>
            {words('rehearse.runs-late', {
              round: titleOf(first.match),
              late: lengthOf(latest.late ?? 0),
              where: titleOf(latest.match),
            })}
          </b>
        </p>
      )}
      <p className="muted">
        {words('rehearse.played-of', { played: played.length, left })}{' '}
        {last !== undefined && (
          <>
            {words('rehearse.last-ended')} <Instant at={last} />.
          </>
        )}
      </p>
    </div>
  )
}

interface GroupsProps {
  readonly caption: string
  readonly head: string
  readonly groups: readonly Group[]
}

function Groups({ caption, head, groups }: GroupsProps) {
  const most = Math.max(1, ...groups.map(({ latest }) => latest?.late ?? 0))
  return (
    <Table
      caption={caption}
      heads={[
        head,
        words('rehearse.latest'),
        words('rehearse.matches'),
        words('rehearse.planned'),
        words('rehearse.began'),
        words('rehearse.usual'),
        words('rehearse.ended'),
      ]}
    >
      {groups.map(({ name, count, played, planned, began, latest, usual, ended }) => (
        <tr key={name}>
          <th scope="row">
            <bdi>{name}</bdi>
          </th>
          <td>
            <Lateness of={latest?.late ?? null} most={most} />
          </td>
          <td className="num">{words('rehearse.of', { played: played.length, count })}</td>
          <Time at={planned} />
          <Time at={began} />
          <td>{usual === null ? '–' : lengthOf(usual)}</td>
          <Time at={ended} />
        </tr>
      ))}
    </Table>
  )
}

interface TableProps {
  readonly caption: string
  readonly heads: readonly string[]
  readonly children: React.ReactNode
}

function Table({ caption, heads, children }: TableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls by keys where it is wider than the page
    <section className="wide-content" tabIndex={0} aria-label={caption}>
      <table className={`table ${styles.table}`}>
        <caption className="unseen">{caption}</caption>
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </section>
  )
}

function Time({ at }: { readonly at: string | null }) {
  return <td className="num">{at === null ? '–' : <Instant at={at} as="time" />}</td>
}

interface LatenessProps {
  readonly of: number | null
  /** The most of the table, in minutes. */
  readonly most: number
}

/** In words, with a bar of the same length for the same minutes in a table. */
function Lateness({ of: late, most }: LatenessProps) {
  if (late === null) return <>–</>
  const isBad = isLate({ late })
  return (
    <span className={`${styles.late} ${isBad ? styles.alarm : ''}`}>
      <span className={`${styles.state} nowrap`}>
        {isBad && <StateIcon name="problem" />}
        {late > 0 ? lengthOf(late) : words('rehearse.on-time')}
      </span>
      {late > 0 && (
        <span className={styles.bar} style={{ '--part': late / most } as CSSProperties} aria-hidden="true" />
      )}
    </span>
  )
}

interface MatchesProps {
  readonly played: readonly Played[]
  readonly roundOf: (match: Match) => string
  readonly channelOf: (match: Match) => string
}

function Matches({ played, roundOf, channelOf }: MatchesProps) {
  const tournament = useTournamentId()
  const codeOf = useMatchCodes()
  const ids = divisionIds(useDivisions().data)
  const most = Math.max(1, ...played.map(({ late }) => late ?? 0))
  const caption = words('rehearse.table-match')
  return (
    <Table
      caption={caption}
      heads={[
        words('rehearse.match'),
        words('rehearse.latest'),
        words('rehearse.channel'),
        words('rehearse.planned'),
        words('rehearse.began'),
        words('rehearse.took'),
      ]}
    >
      {played.map(({ match, startedAt, late, took }) => (
        <tr key={match.guid}>
          <th scope="row">
            <Link {...matchLink(tournament, ids.get(match.division) ?? match.division, match.number)}>
              {codeOf(match)}
            </Link>{' '}
            <bdi>{match.sides.map(sideName).join(' – ')}</bdi>
            <span className="small muted"> {roundOf(match)}</span>
          </th>
          <td>
            <Lateness of={late} most={most} />
          </td>
          <td>
            <bdi>{channelOf(match)}</bdi>
          </td>
          <Time at={match.scheduledAt} />
          <Time at={startedAt} />
          <td>{took === null ? '–' : lengthOf(took)}</td>
        </tr>
      ))}
    </Table>
  )
}
