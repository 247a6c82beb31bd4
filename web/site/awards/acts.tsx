import type { ReactNode } from 'react'
import type { Awards } from '../../../client/generated.ts'
import { address } from '../data/api.ts'
import { signInAddress, useRead, useReader } from '../data/queries.ts'
import { words } from '../data/words.ts'
import { Failure } from '../parts/loaded.tsx'
import { openFor, Progress } from './voting.tsx'

/** Whether the reader may nominate and vote now; what is missing is said once, above all categories. */

export interface Acts {
  readonly nominate: boolean
  readonly vote: boolean
}

const none: Acts = { nominate: false, vote: false }

interface Props {
  readonly awards: Awards
  readonly children: (acts: Acts) => ReactNode
}

export function ActsOf({ awards, children }: Props) {
  const { id, status, categories } = awards
  const { user } = useReader()
  const open = categories.filter((category) => openFor(awards, category) !== null)
  const isNominating = status === 'nominating'
  const isVoting = open.length > 0
  const read = useRead(
    user && (isNominating || isVoting) ? address('/awards/{edition}/eligibility', { edition: id }) : null,
  )
  if (!isNominating && !isVoting) return children(none)
  if (user === null)
    return (
      <>
        <p>
          <a className="btn btn-primary" href={signInAddress()}>
            {words(isNominating ? 'awards.sign-in-nominate' : 'awards.sign-in-vote')}
          </a>
        </p>
        {children(none)}
      </>
    )
  if (read.data === undefined)
    return (
      <>
        {read.error !== null && <Failure error={read.error} again={() => void read.refetch()} />}
        {children(none)}
      </>
    )
  const { nominate, vote } = read.data
  const { allowed, failures } = isNominating ? nominate : vote
  return (
    <>
      {allowed && isVoting && <Progress edition={id} of={open} />}
      {failures.length > 0 && (
        <div className="notice notice-warning">
          <div>
            <p className="strong">{words(isNominating ? 'awards.no-nominating' : 'awards.no-voting')}</p>
            <ul>
              {failures.map(({ code, message }) => (
                <li key={code}>{message}</li>
              ))}
            </ul>
          </div>
        </div>
      )}
      {children({ nominate: isNominating && allowed, vote: isVoting && allowed })}
    </>
  )
}
