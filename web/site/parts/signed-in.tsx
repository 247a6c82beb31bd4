import type { ReactNode } from 'react'
import type { UserCard } from '../../../client/generated.ts'
import { signInAddress, useReader } from '../data/queries.ts'
import { words } from '../data/words.ts'
import { Blocks } from './loaded.tsx'

/** A page for somebody who has signed in; everybody else is offered to. (W1) */
export function SignedIn({
  title,
  why = words('signed-in.needed'),
  children,
}: {
  readonly title: string
  /** What the page says to everybody else. */
  readonly why?: string
  readonly children: (user: UserCard) => ReactNode
}) {
  const { user } = useReader()
  if (user) return children(user)
  return (
    <div className="page stack">
      <h1>{title}</h1>
      {user === undefined ? (
        <Blocks rows={4} />
      ) : (
        <>
          <p className="prose">{why}</p>
          <p>
            <a className="btn btn-primary" href={signInAddress()}>
              {words('who.sign-in')}
            </a>
          </p>
        </>
      )}
    </div>
  )
}
