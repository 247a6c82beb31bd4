import { Link } from '@tanstack/react-router'
import type { UserCard } from '../../../client/generated.ts'
import { address } from '../data/api.ts'
import { useRead } from '../data/queries.ts'
import { words } from '../data/words.ts'
import { Loaded } from '../parts/loaded.tsx'
import { Section } from '../parts/section.tsx'
import { State } from '../parts/state.tsx'
import styles from './first-steps.module.css'

/** Three steps for somebody who is new here; each can be left and come back to. */
export function FirstSteps({ user }: { readonly user: UserCard | null | undefined }) {
  const identities = useRead(address('/users/@me/identities', {}))
  const played = useRead(user ? address('/tournaments', {}, { participant: user.guid, limit: 1 }) : null)
  if (played.data === undefined || played.data.tournaments.length > 0) return null
  return (
    <Section title={words('steps.title')}>
      <Loaded of={identities} rows={3}>
        {(linked) => {
          const isLinked = linked.some(
            ({ platform, verifiedAt }) => platform.startsWith('ranking') && verifiedAt !== null,
          )
          return (
            <ol className="lines">
              <Step isDone={isLinked} title={words('steps.link')} text={words('steps.link-text')}>
                <Link to="/me/settings" className="btn">
                  {words('steps.link-do')}
                </Link>
              </Step>
              <Step isDone={false} title={words('steps.find')} text={words('steps.find-text')}>
                <Link to="/tournaments" search={{ registration: 'open' }} className="btn">
                  {words('steps.find-do')}
                </Link>
              </Step>
              <Step isDone={false} title={words('steps.join')} text={words('steps.join-text')} />
            </ol>
          )
        }}
      </Loaded>
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
      <State shape={isDone ? 'done' : 'ready'} tone="quiet">
        {words(isDone ? 'steps.done' : 'steps.open')}
      </State>
      <div>
        <p className="strong">{title}</p>
        <p className="muted">{text}</p>
      </div>
      {!isDone && children}
    </li>
  )
}
