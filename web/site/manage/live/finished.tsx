import { Link } from '@tanstack/react-router'
import { Fragment, memo, useMemo, useState } from 'react'
import type { TournamentWithParts } from '../../../../client/generated.ts'
import { useMatchCodes, useMay } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { Empty } from '../../parts/loaded.tsx'
import { hasWon, Score, sideName } from '../../parts/match.tsx'
import { Section } from '../../parts/section.tsx'
import { useClock } from '../../parts/time.tsx'
import { useDone } from './console.ts'
import styles from './live.module.css'

/** The matches that ended last, each with the way to its cockpit, where its result is corrected. */

interface Props {
  readonly tournament: TournamentWithParts
  /** GUID of the only division whose matches are wanted. */
  readonly division: string | undefined
  /** The matches that are not over, by which those that are change. */
  readonly open: string
}

/** So many are shown before the others are asked for. */
const most = 6

export const Finished = memo(function Finished({ tournament: { id }, division, open }: Props) {
  const may = useMay()
  const codeOf = useMatchCodes()
  const clock = useClock()
  const from = useMemo(clock, [clock])
  const [isWhole, setWhole] = useState(false)
  const done = (useDone(id, from, open).data?.matches ?? [])
    .filter((match) => match.outcome !== 'bye' && (division === undefined || match.division === division))
    .toSorted((one, other) => (other.completedAt ?? '').localeCompare(one.completedAt ?? ''))
  if (done.length === 0) return null
  const to = may('flowSessions.override') ? '/manage/$tournament/live/$match' : '/manage/$tournament/live/$match/caster'
  return (
    <Section
      title={words('live.finished')}
      beside={<span className="small muted">{words('live.count', { count: done.length })}</span>}
    >
      <ul className={styles.queue}>
        {(isWhole ? done : done.slice(0, most)).map((match) => (
          <li key={match.guid}>
            <Link to={to} params={{ tournament: id, match: match.guid }} className="code">
              <span className="unseen">{words('match.match')} </span>
              {codeOf(match)}
            </Link>
            <span className={styles.pair}>
              {match.sides.map((side, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a match has two sides, in a fixed order
                <Fragment key={at}>
                  {at > 0 && ', '}
                  <bdi className={match.outcome === 'walkover' && hasWon(side) ? 'strong' : ''}>{sideName(side)}</bdi>
                </Fragment>
              ))}
            </span>
            <span className={styles.result}>
              {match.outcome === 'score' || match.outcome === 'draw' ? (
                <Score sides={match.sides} />
              ) : (
                <span className="muted">
                  {words(match.outcome === 'walkover' ? 'match.walkover-short' : 'play.outcome-double_forfeit')}
                </span>
              )}
            </span>
          </li>
        ))}
      </ul>
      {!isWhole && done.length > most && (
        <button type="button" className={`btn ${styles.whole}`} onClick={() => setWhole(true)}>
          {words('live.show-all', { count: done.length })}
        </button>
      )}
    </Section>
  )
})

/** Nothing is to be played: why, and what is next. */
export function Over({ tournament: { id } }: Pick<Props, 'tournament'>) {
  return (
    <Empty>
      {words('live.nothing')}{' '}
      <Link to="/manage/$tournament" params={{ tournament: id }} activeOptions={{ exact: true }}>
        {words('manage.overview')}
      </Link>
    </Empty>
  )
}
