import { getRouteApi, Link } from '@tanstack/react-router'
import { address } from '../../../data/api.ts'
import { useRead } from '../../../data/queries.ts'
import { words } from '../../../data/words.ts'
import { Empty } from '../../../parts/loaded.tsx'
import { sideName } from '../../../parts/match.tsx'
import { useRoundNames } from '../../../parts/rounds.ts'
import { Section } from '../../../parts/section.tsx'
import { Spoken } from '../../../parts/spoken.tsx'
import { Instant } from '../../../parts/time.tsx'
import { Board } from '../board.tsx'
import { Decisions } from '../decisions.tsx'
import { Games } from '../games.tsx'
import { Live } from '../live.tsx'
import { useLiveValues } from '../live-values.ts'
import matchStyles from '../match.module.css'
import { Now } from '../now.tsx'
import { indexes, ownName } from '../people.ts'
import { Strip } from '../strip.tsx'
import { nameAt, type View } from '../view.ts'
import styles from './cockpit.module.css'
import { OfStaff, type Present, usePresent } from './present.tsx'

/** The match for those who talk about it: large numbers, what was played, who plays, and what comes next. Nothing to press. */

const route = getRouteApi('/manage/$tournament/live/$match/caster')

export function CasterView() {
  return <OfStaff match={route.useParams().match}>{(loaded) => <OfMatch {...loaded} />}</OfStaff>
}

function OfMatch({ match, tournament }: Present) {
  const { view } = usePresent({ match, tournament })
  const values = useLiveValues(view, false)
  const isOn = values.held.length > 0
  return (
    <div className={`${matchStyles.match} ${styles.caster}`}>
      <p className={styles.head}>
        <Link to="/manage/$tournament/live" params={{ tournament: tournament.id }}>
          {words('manage.live')}
        </Link>
        <span className="strong">{words('caster.title')}</span>
        {tournament.streamDelaySeconds > 0 && (
          <span className="muted">{words('caster.ahead', { seconds: tournament.streamDelaySeconds })}</span>
        )}
      </p>
      <Board view={view} whole={tournament} />
      <Now view={view} song={values.song} isReady />
      {view.session !== undefined && <Strip view={view} session={view.session} />}
      {isOn && <Live view={view} values={values} />}
      <div className="two">
        <People view={view} />
        <Next match={match} tournament={tournament} />
      </div>
      <Games view={view} notes={new Map()} />
      <Decisions view={view} corrections={[]} />
    </div>
  )
}

/** Who plays, with what they say of themselves. */
function People({ view }: { readonly view: View }) {
  return (
    <Section title={words('play.lineups')}>
      <div className={matchStyles.lineups}>
        {indexes.map((at) => (
          <div key={at} className={`${matchStyles.lineup} ${at === 0 ? matchStyles.one : matchStyles.other}`}>
            <h3>
              <bdi>{nameAt(view, at)}</bdi>
            </h3>
            <p>
              <Spoken of={view.people.teams[at]?.pronunciation ?? null} className={styles.spoken} />
            </p>
            <ul>
              {(view.people.teams[at]?.members ?? []).map(({ user }) => (
                <li key={user.guid} className={styles.person}>
                  <bdi className="strong">{ownName(user)}</bdi>
                  {user.pronouns !== null && <bdi className="muted"> {user.pronouns}</bdi>}
                  <Spoken of={user.pronunciation} className={styles.spoken} />
                  {user.bio !== null && user.bio !== '' && (
                    <bdi className={styles.bio} dir="auto">
                      {user.bio}
                    </bdi>
                  )}
                </li>
              ))}
            </ul>
          </div>
        ))}
      </div>
    </Section>
  )
}

/** The matches that come next, by their time. */
function Next({ match, tournament }: Present) {
  const roundOf = useRoundNames()
  const at = address(
    '/tournaments/{tournament}/matches',
    { tournament: tournament.id },
    { status: 'ready,waiting', limit: 100 },
  )
  const next = (useRead(at, { live: true }).data?.matches ?? [])
    .filter(({ guid, scheduledAt }) => guid !== match.guid && scheduledAt !== null)
    .toSorted((one, other) => (one.scheduledAt ?? '').localeCompare(other.scheduledAt ?? ''))
    .slice(0, 3)
  return (
    <Section title={words('caster.next')}>
      {next.length === 0 ? (
        <Empty>{words('caster.nothing')}</Empty>
      ) : (
        <ul className="lines">
          {next.map((each) => (
            <li key={each.guid}>
              <div>
                <p className="strong">
                  {each.sides.map((side, place) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: a match has two sides, in a fixed order
                    <span key={place}>
                      {place > 0 && <> {words('match.against')} </>}
                      <bdi>{sideName(side)}</bdi>
                    </span>
                  ))}
                </p>
                <p className="muted">
                  {words('match.context', { number: each.number, round: roundOf(each) })},{' '}
                  {each.scheduledAt !== null && <Instant at={each.scheduledAt} zone={tournament.timezone} />}
                </p>
              </div>
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}
