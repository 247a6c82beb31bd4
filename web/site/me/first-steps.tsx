import { Link } from '@tanstack/react-router'
import type { Agenda, UserCard } from '../../../client/generated.ts'
import { address } from '../data/api.ts'
import { useRead } from '../data/queries.ts'
import { words } from '../data/words.ts'
import { Section } from '../parts/section.tsx'
import { State } from '../parts/state.tsx'
import styles from './first-steps.module.css'

/** What the steps need besides the agenda; nothing is asked for those who know the way. */
export function useFirstSteps(agenda: Agenda | undefined, user: UserCard | null | undefined) {
  const isNew = agenda !== undefined && agenda.duties.length + agenda.streams.length + agenda.matches.length === 0
  const asks = isNew && user ? user : null
  const identities = useRead(asks && address('/users/@me/identities', {}))
  const played = useRead(asks && address('/userWithOngoingTournaments/{user}', { user: asks.guid }))
  // A first attempt that failed is an answer: the agenda does not wait for the next.
  const asked = (asks === null ? [] : [identities, played]).map(({ data, failureReason: error }) => ({ data, error }))
  return { asked, identities: identities.data, played: played.data }
}

interface Props {
  readonly agenda: Agenda
  readonly of: ReturnType<typeof useFirstSteps>
}

/** Three steps for somebody who is new here. Each can be left and come back to: what is done of them is read anew. */
export function FirstSteps({ agenda, of: { asked, identities, played } }: Props) {
  if (asked.length === 0 || identities === undefined || played === undefined) return null
  // Who has played before knows the way.
  if (played.playerRoles.some(({ tournament }) => tournament.status !== 'approved')) return null
  const isLinked = identities.some(({ platform, verifiedAt }) => platform.startsWith('ranking') && verifiedAt !== null)
  const isBegun = identities.some(({ platform }) => platform.startsWith('ranking'))
  const teams = [
    ...played.playerRoles.map(({ tournament }) => tournament),
    // Those of tournaments that are not listed.
    ...[...agenda.deadlines, ...agenda.rosterProblems]
      .filter(({ team }) => team !== null)
      .map((each) => each.tournament),
  ]
  const [own] = teams
  if (own !== undefined && isLinked) return null
  return (
    <Section title={words('steps.title')}>
      <ol className="lines">
        <Step
          isDone={isLinked}
          title={words('steps.link')}
          text={words(isBegun ? 'steps.link-begun' : 'steps.link-text')}
        >
          {!isLinked && (
            <Link to="/me/settings" hash="linking" className="btn btn-primary">
              {words(isBegun ? 'steps.link-go-on' : 'steps.link-do')}
            </Link>
          )}
        </Step>
        <Step isDone={own !== undefined} title={words('steps.find')} text={words('steps.find-text')}>
          <Link
            to="/tournaments"
            search={{ registration: 'open' }}
            className={isLinked && own === undefined ? 'btn btn-primary' : 'btn'}
          >
            {words('steps.find-do')}
          </Link>
        </Step>
        <Step
          isDone={own !== undefined}
          title={words('steps.join')}
          text={words(agenda.invitations.length > 0 ? 'steps.join-invited' : 'steps.join-text')}
        >
          {own !== undefined && (
            <Link to="/t/$tournament/team" params={{ tournament: own.id }} className="btn">
              {words('steps.join-see')}
            </Link>
          )}
        </Step>
      </ol>
      <p className={styles.organise}>
        {words('steps.organise')} <Link to="/new">{words('new.title')}</Link>
      </p>
    </Section>
  )
}

function Step({
  isDone,
  title,
  text,
  children,
}: {
  readonly isDone: boolean
  readonly title: string
  readonly text: string
  readonly children?: React.ReactNode
}) {
  return (
    <li className={styles.step}>
      <State shape={isDone ? 'done' : 'ready'} tone={isDone ? 'run' : 'quiet'}>
        {words(isDone ? 'steps.done' : 'steps.open')}
      </State>
      <div>
        <p className="strong">{title}</p>
        {!isDone && <p className="muted">{text}</p>}
      </div>
      {children}
    </li>
  )
}
