import { Link } from '@tanstack/react-router'
import { useEffect } from 'react'
import type { ReviewedRequest } from '../../../client/generated.ts'
import { words } from '../data/words.ts'
import { State } from '../parts/state.tsx'
import { Face } from '../parts/team.tsx'
import { Ago } from '../parts/time.tsx'
import styles from './review.module.css'

/** A request in the queue. */

interface Props {
  readonly of: ReviewedRequest
  readonly isOpen: boolean
  /** Whether the list has requests of several states. */
  readonly hasState: boolean
  readonly hold: (request: ReviewedRequest) => void
}

export function RequestLine({ of, isOpen, hasState, hold }: Props) {
  const { guid, status, requestedAt, tournament } = of
  const { name, imageUrl, organiser } = tournament
  useEffect(() => {
    if (isOpen) hold(of)
  }, [isOpen, of, hold])
  return (
    <li className={`${styles.line} ${isOpen ? styles.open : ''}`}>
      <Face name={name} picture={imageUrl} isTeam />
      <div>
        <Link
          from="/review/$platform"
          to="."
          search={(before) => ({ ...before, request: guid })}
          className="plain strong"
          data-request
          resetScroll={false}
          {...(isOpen && { 'aria-current': 'true' as const })}
        >
          <bdi>{name}</bdi>
        </Link>
        <p className="small muted">
          <bdi>{organiser.preferredName}</bdi>, <Ago at={requestedAt} />
        </p>
      </div>
      {hasState && <RequestState status={status} />}
    </li>
  )
}

const shapes = {
  pending: 'waiting',
  approved: 'done',
  rejected: 'problem',
  blocked: 'problem',
  withdrawn: 'off',
} as const

export function RequestState({ status }: { readonly status: ReviewedRequest['status'] }) {
  const isRefused = status === 'rejected' || status === 'blocked'
  return (
    <State shape={shapes[status]} tone={isRefused ? 'alert' : status === 'pending' ? 'warning' : 'quiet'}>
      {words(`review.status-${status}`)}
    </State>
  )
}
