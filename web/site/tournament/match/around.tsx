import { Link } from '@tanstack/react-router'
import { Fragment, type ReactNode } from 'react'
import { address } from '../../data/api.ts'
import { useShownRead } from '../../data/tournament.ts'
import { type WordId, words } from '../../data/words.ts'
import { Failure } from '../../parts/loaded.tsx'
import { matchLink, sideName } from '../../parts/match.tsx'
import { useRoundNames } from '../../parts/rounds.ts'
import { Section } from '../../parts/section.tsx'
import { Instant } from '../../parts/time.tsx'
import styles from './match.module.css'
import { indexes, ownName } from './people.ts'
import { nameAt, type View } from './view.ts'

interface Props {
  readonly view: View
  /** The line-ups are shown nowhere else. */
  readonly hasLineups: boolean
}

/** What is around the match: where to watch, where its sides come from and go to, who works at it, what is left. */
export function Around({ view, hasLineups }: Props) {
  const { match, tournament, division, session } = view
  const feeders = match.sides.flatMap(({ from }) => (from === null ? [] : [from]))
  return (
    <Section title={words('match.around')}>
      <dl className="facts">
        <Watch view={view} />
        <Fact name="match.before" isShown={feeders.length > 0}>
          {feeders.map(({ number, outcome, matchGuid }) => (
            <p key={`${matchGuid}${outcome}`} className={styles.feeder}>
              <Link {...matchLink(tournament, division, number)}>
                {words(outcome === 'winner' ? 'play.winner-of' : 'play.loser-of', { number })}
              </Link>
            </p>
          ))}
        </Fact>
        <Fact name="match.winner-goes" isShown={match.nextMatchGuid !== null}>
          <NextMatch view={view} guid={match.nextMatchGuid} />
        </Fact>
        <Fact name="match.loser-goes" isShown={match.loserMatchGuid !== null}>
          <NextMatch view={view} guid={match.loserMatchGuid} />
        </Fact>
        <Fact name="match.pool" isShown={match.pool !== null}>
          {match.pool !== null && (
            <Link to="/t/$tournament/pools/$pool" params={{ tournament, pool: match.pool.guid }}>
              <bdi>{match.pool.name}</bdi>
            </Link>
          )}
        </Fact>
        <Fact name="play.replays-left" isShown={hasReplays(view)}>
          {session?.seats.map(({ name, replaysLeft }) => `${name}: ${replaysLeft}`).join(', ')}
        </Fact>
        <Fact name="play.timeouts-left" isShown={(session?.flow?.rules.timeouts.count ?? 0) > 0 && isOpen(view)}>
          {session?.seats.map(({ name, timeoutsLeft }) => `${name}: ${timeoutsLeft}`).join(', ')}
        </Fact>
        <Fact name="play.lineups" isShown={hasLineups}>
          {indexes.map((at) => (
            <p key={at}>
              <bdi>{nameAt(view, at)}</bdi>: <bdi>{lineupOf(view, at)}</bdi>
            </p>
          ))}
        </Fact>
        <Officials view={view} />
        <Draws view={view} />
      </dl>
    </Section>
  )
}

function Fact({
  name,
  isShown = true,
  children,
}: {
  readonly name: WordId
  readonly isShown?: boolean
  readonly children: ReactNode
}) {
  if (!isShown) return null
  return (
    <>
      <dt>{words(name)}</dt>
      <dd>{children}</dd>
    </>
  )
}

const isOpen = ({ session }: View) => session?.status === 'running' || session?.status === 'paused'
const hasReplays = (view: View) => isOpen(view) && view.session?.flow?.rules.replays.rule !== 'none'

function lineupOf({ session, people }: View, at: 0 | 1): string {
  const named = (session?.seats[at]?.lineup ?? []).flatMap((user) => (user === null ? [] : (people.nameOf(user) ?? [])))
  return named.length === 0 ? words('play.not-named') : named.join(', ')
}

function Watch({ view: { match } }: { readonly view: View }) {
  const { streamUrl, vodUrl, status } = match
  const isOver = status === 'completed' || status === 'cancelled'
  if (isOver && vodUrl === null) return null
  const [url, name] = isOver ? [vodUrl, 'play.recording' as const] : [streamUrl, 'play.watch' as const]
  return (
    <Fact name={name}>
      {url === null ? (
        <span className="muted">{words('match.not-streamed')}</span>
      ) : (
        <a href={url} rel="nofollow ugc noopener">
          <bdi>{hostOf(url)}</bdi>
        </a>
      )}
    </Fact>
  )
}

/** An address as it is read: without its scheme. */
const hostOf = (url: string): string => url.replace(/^https?:\/\/(www\.)?/, '').replace(/\/$/, '')

/** Where a side goes, and its opponent there. */
function NextMatch({ view, guid }: { readonly view: View; readonly guid: string | null }) {
  const { tournament, division, match, isHidden, zone } = view
  const roundOf = useRoundNames()
  const { data, error, refetch } = useShownRead(
    guid === null
      ? null
      : address('/tournaments/{tournament}/matches/{match}', { tournament, match: guid }, { delayed: true }),
  )
  if (data === undefined && error !== null) return <Failure error={error} again={() => void refetch()} />
  if (data === undefined) return <>…</>
  const teams = new Set(match.sides.map(({ team }) => team?.guid))
  const [other] = data.sides.filter(({ team, from }) => from?.matchGuid !== match.guid && !teams.has(team?.guid))
  return (
    <>
      <Link {...matchLink(tournament, division, data.number)}>
        {words('match.context', { number: data.number, round: roundOf(data) })}
      </Link>
      {other !== undefined && !isHidden && (
        <>
          , {words('play.meets')} <bdi>{sideName(other)}</bdi>
        </>
      )}
      {data.scheduledAt !== null && data.status !== 'completed' && (
        <p className="muted">
          <Instant at={data.scheduledAt} zone={zone} />
        </p>
      )}
      {data.status === 'cancelled' ? (
        <p className="muted">{words('match.cancelled')}</p>
      ) : (
        data.conditional && <p className="muted">{words('match.conditional')}</p>
      )}
    </>
  )
}

function Officials({ view: { match } }: { readonly view: View }) {
  const roles = Map.groupBy(match.officials, ({ role }) => role)
  return [...roles].map(([role, officials]) => (
    <Fact key={role} name={`role.${role.replace('role:', '')}` as WordId}>
      {officials.map(({ user }, at) => (
        <Fragment key={user.guid}>
          {at > 0 && ', '}
          <Link to="/u/$user" params={{ user: user.guid }}>
            <bdi>{ownName(user)}</bdi>
          </Link>
        </Fragment>
      ))}
    </Fact>
  ))
}

/** What proves that nothing was drawn twice: the promise before the first draw, and the seed after the last. */
function Draws({ view: { session } }: { readonly view: View }) {
  const draws = session?.draws
  if (draws == null || draws.commitment === null) return null
  return (
    <Fact name="play.draws">
      <details className={styles.draws}>
        <summary>{words(draws.seed === null ? 'play.committed' : 'play.revealed')}</summary>
        <dl>
          <dt className="muted">{words('play.commitment')}</dt>
          <dd className="code">{draws.commitment}</dd>
          {draws.seed !== null && (
            <>
              <dt className="muted">{words('play.seed-of-draws')}</dt>
              <dd className="code">{draws.seed}</dd>
            </>
          )}
          {draws.drawnAs !== session?.session && (
            <>
              <dt className="muted">{words('play.drawn-as')}</dt>
              <dd className="code">{draws.drawnAs}</dd>
            </>
          )}
        </dl>
      </details>
    </Fact>
  )
}
