import type { RefObject } from 'react'
import { address } from '../../data/api.ts'
import { useRead, useReader } from '../../data/queries.ts'
import { words } from '../../data/words.ts'
import type { FormState } from '../../parts/form/use-form.ts'
import { Instant } from '../../parts/time.tsx'
import styles from './availability.module.css'
import type { Answer, Answers } from './slots.ts'

/** What somebody else has answered otherwise while the reader was painting: each of both can be chosen. (W10) */

export interface Difference {
  /** The keys of its answers. */
  readonly keys: readonly string[]
  /** When it is, or which match. */
  readonly label: string
  readonly mine: Answer | null
  readonly theirs: Answer | null
}

/** Who answered last, and when, as far as the API tells. */
export interface Submission {
  readonly updatedByGuid: string
  readonly submittedAt: string
}

interface Props {
  readonly form: FormState<Answers>
  readonly differences: readonly Difference[]
  readonly by: Submission | undefined
  readonly place: RefObject<HTMLDivElement | null>
}

export function Differing({ form, differences, by, place }: Props) {
  if (differences.length === 0) return null
  const all = differences.flatMap(({ keys }) => keys)
  const keep = (keys: readonly string[]) => {
    for (const key of keys) form.keep(key)
  }
  const take = (keys: readonly string[]) => {
    for (const key of keys) form.take(key)
  }
  return (
    <div ref={place} tabIndex={-1} className={`notice notice-warning ${styles.differing}`} role="status">
      <p className="strong">
        {words('availability.meanwhile')} {by !== undefined && <By of={by} />}
      </p>
      <ul>
        {differences.map(({ keys, label, mine, theirs }) => (
          <li key={keys[0]}>
            <span className="strong">{label}</span>
            <span>
              {words('availability.mine')} <Said of={mine} />
              <br />
              {words('availability.theirs')} <Said of={theirs} />
            </span>
            <span className="btns">
              <button type="button" className="btn" onClick={() => keep(keys)}>
                {words('form.mine')}
                <span className="unseen"> {label}</span>
              </button>
              <button type="button" className="btn" onClick={() => take(keys)}>
                {words('form.theirs')}
                <span className="unseen"> {label}</span>
              </button>
            </span>
          </li>
        ))}
      </ul>
      {differences.length > 1 && (
        <p className="btns">
          <button type="button" className="btn" onClick={() => keep(all)}>
            {words('availability.all-mine')}
          </button>
          <button type="button" className="btn" onClick={() => take(all)}>
            {words('availability.all-theirs')}
          </button>
        </p>
      )}
    </div>
  )
}

export function Said({ of }: { readonly of: Answer | null }) {
  if (of === null) return <>{words('availability.none')}</>
  return (
    <>
      {words(`availability.${of.status}`)}
      {of.reason !== undefined && (
        <>
          {', '}
          <bdi>{of.reason}</bdi>
        </>
      )}
    </>
  )
}

function By({ of: { updatedByGuid, submittedAt } }: { readonly of: Submission }) {
  const { user } = useReader()
  const isOwn = user?.guid === updatedByGuid
  const card = useRead(isOwn ? null : address('/users/{user}/card', { user: updatedByGuid })).data
  return (
    <span className="muted">
      {isOwn ? words('availability.by-you') : card && <bdi>{card.preferredName ?? card.username}</bdi>}{' '}
      <Instant at={submittedAt} />
    </span>
  )
}
