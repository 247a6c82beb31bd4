import { Link } from '@tanstack/react-router'
import type { TournamentWithParts } from '../../../../client/generated.ts'
import { words } from '../../data/words.ts'
import { Changed } from '../../parts/changed.tsx'
import { CopyButton } from '../../parts/copy.tsx'
import { hasWon, matchLink } from '../../parts/match.tsx'
import { useRoundNames } from '../../parts/rounds.ts'
import { SpoilerSwitch } from '../../parts/spoilers.tsx'
import { Instant } from '../../parts/time.tsx'
import styles from './match.module.css'
import { OverlayLink } from './overlay-link.tsx'
import { type Index, indexes } from './people.ts'
import { isBegun, nameAt, sideAt, type View } from './view.ts'

/** Both sides with the score, which is the largest thing on the page. */

interface Props {
  readonly view: View
  readonly whole: TournamentWithParts | undefined
}

export function Board({ view, whole }: Props) {
  const { match } = view
  const hasScore = isBegun(view) && !view.isHidden && match.outcome !== 'bye'
  const [first, second] = [nameAt(view, 0), nameAt(view, 1)]
  const title = `${first} : ${second}`
  return (
    <header>
      <div className={styles.above}>
        <Context view={view} />
        <Buttons view={view} whole={whole} />
      </div>
      <h1 className={styles.board} data-title={`${title} · ${whole?.name ?? ''}`}>
        <SideTitle view={view} at={0} tournament={view.tournament} />
        <Points view={view} at={0} hasScore={hasScore} />
        <span className={styles.colon} aria-hidden="true">
          :
        </span>
        <span className="unseen"> {hasScore ? words('play.to') : words('play.against')} </span>
        <Points view={view} at={1} hasScore={hasScore} />
        {hasScore && <span className="unseen">, </span>}
        <SideTitle view={view} at={1} tournament={view.tournament} />
      </h1>
      <div className={styles.under}>
        <Beneath view={view} at={0} />
        <p className={styles.pips}>
          {indexes.map((at) => (
            <Pips key={at} view={view} at={at} hasScore={hasScore} />
          ))}
        </p>
        <Beneath view={view} at={1} />
      </div>
    </header>
  )
}

function Context({ view: { match, tournament, division, zone } }: { readonly view: View }) {
  const roundOf = useRoundNames()
  const { bracket, number, bestOf, status, startedAt, completedAt } = match
  const began = status === 'completed' ? null : startedAt
  return (
    <p className={styles.context}>
      <Link to="/t/$tournament/bracket/$division/$bracket" params={{ tournament, division, bracket }}>
        {roundOf(match)}
      </Link>
      , {words('play.number', { number, games: bestOf })}
      {began !== null && status === 'running' && (
        <>
          {' '}
          {words('play.began')} <Instant at={began} zone={zone} as="time" />.
        </>
      )}
      {status === 'completed' && completedAt !== null && (
        <>
          {' '}
          {words('play.ended')} <Instant at={completedAt} zone={zone} />.
        </>
      )}
    </p>
  )
}

function Buttons({ view, whole }: Props) {
  const { streamUrl, vodUrl, status } = view.match
  return (
    <div className="btns no-print">
      {streamUrl !== null && status !== 'completed' && status !== 'cancelled' && (
        <a className="btn btn-primary" href={streamUrl} rel="nofollow ugc noopener">
          {words('match.watch')}
        </a>
      )}
      {vodUrl !== null && (
        <a className="btn btn-primary" href={vodUrl} rel="nofollow ugc noopener">
          {words('match.vod')}
        </a>
      )}
      <CopyButton text={location.href} label={words('play.share')} shown={words('play.share-short')} />
      <OverlayLink view={view} />
      <SpoilerSwitch tournament={whole?.guid} />
    </div>
  )
}

const sideStyle = (at: Index) => (at === 0 ? styles.one : styles.other)

function SideTitle({ view, at, tournament }: { readonly view: View; readonly at: Index; readonly tournament: string }) {
  const { team } = sideAt(view, at)
  return (
    <span className={`${styles.side} ${sideStyle(at)}`}>
      {team === null ? (
        <span className="muted">{nameAt(view, at)}</span>
      ) : (
        <Link to="/t/$tournament/teams/$team" params={{ tournament, team: team.id }} className="plain">
          <bdi>{team.name}</bdi>
        </Link>
      )}
    </span>
  )
}

function Points({ view, at, hasScore }: { readonly view: View; readonly at: Index; readonly hasScore: boolean }) {
  const { score } = sideAt(view, at)
  const shown = hasScore ? (score ?? (view.match.status === 'running' ? 0 : '–')) : '–'
  return (
    <b
      className={`num ${styles.points} ${at === 0 ? styles.points1 : styles.points2} ${shown === '–' ? styles.none : ''}`}
      aria-hidden={!hasScore}
    >
      <Changed key={String(hasScore)} of={shown}>
        {shown}
      </Changed>
    </b>
  )
}

/** Games won of those that are needed, as far as that is known. */
function Pips({ view, at, hasScore }: { readonly view: View; readonly at: Index; readonly hasScore: boolean }) {
  const { winsNeeded, outcome } = view.match
  const isCounted = hasScore && (outcome === null || outcome === 'score')
  const won = isCounted ? Math.min(winsNeeded, sideAt(view, at).score ?? 0) : 0
  if (winsNeeded > 12) return null
  return (
    <span
      className={`${styles.pip} ${sideStyle(at)}`}
      role="img"
      aria-label={words('play.wins', { team: nameAt(view, at), won, needed: winsNeeded })}
      aria-hidden={!isCounted}
    >
      {Array.from({ length: winsNeeded }, (_, place) => place).map((place) => (
        <i key={place} className={(at === 0 ? winsNeeded - 1 - place : place) < won ? styles.won : ''} />
      ))}
    </span>
  )
}

/** What is known of a side beneath its name: seed, where it comes from, how it ended. */
function Beneath({ view, at }: { readonly view: View; readonly at: Index }) {
  const { team, from, result } = sideAt(view, at)
  const { tournament, division, people, isHidden } = view
  const seed = team === null ? null : (people.teams[at]?.seed ?? null)
  const isWithdrawn = (people.teams[at]?.withdrawnAt ?? null) !== null
  return (
    <p className={`${styles.beneath} ${sideStyle(at)}`}>
      {!isHidden && hasWon(sideAt(view, at)) && <strong>{words('match.winner')}</strong>}
      {!isHidden && result === 'forfeit' && <strong>{words('match.forfeit')}</strong>}
      {isWithdrawn && <strong>{words('play.withdrawn')}</strong>}
      {seed !== null && <span>{words('play.seed', { seed })}</span>}
      {from !== null && team !== null && (
        <Link {...matchLink(tournament, division, from.number)}>
          {words(from.outcome === 'winner' ? 'match.winner-of' : 'match.loser-of', { number: from.number })}
        </Link>
      )}
    </p>
  )
}
