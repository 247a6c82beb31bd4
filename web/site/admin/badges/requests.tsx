import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { address } from '../../data/api.ts'
import type { BadgeRequest, ReviewedBadgeRequest } from '../../data/generated.ts'
import { usePages } from '../../data/queries.ts'
import { words } from '../../data/words.ts'
import { useWrite } from '../../data/writes.ts'
import { AskedBadges } from '../../parts/asked-badges.tsx'
import { Danger } from '../../parts/danger.tsx'
import { TextValue } from '../../parts/form/fields.tsx'
import { Empty, Loaded } from '../../parts/loaded.tsx'
import { More } from '../../parts/more.tsx'
import { Section } from '../../parts/section.tsx'
import { State } from '../../parts/state.tsx'
import { Instant } from '../../parts/time.tsx'
import { Approval } from './approval.tsx'
import styles from './badges.module.css'

/** What organisers ask for: those that wait, or those that were decided. */

const route = getRouteApi('/admin/badges')
const shapes = { pending: 'waiting', approved: 'done', rejected: 'problem', withdrawn: 'off' } as const

export function Requests() {
  const isDecided = route.useSearch().requests === 'decided'
  const status = isDecided ? 'approved,rejected,withdrawn' : 'pending'
  const pages = usePages(address('/admin/badgeRequests', {}, { limit: 20, status }))
  const found = pages.data?.pages.flatMap(({ badgeRequests }) => badgeRequests)
  const [last, setLast] = useState<ReviewedBadgeRequest | null>(null)
  return (
    <Section
      title={words('admin-badges.requests')}
      beside={
        <div className="choices">
          {(['waiting', 'decided'] as const).map((each) => (
            <Link
              key={each}
              to="/admin/badges"
              search={(before) => ({ ...before, requests: each === 'decided' ? each : undefined }) as typeof before}
              className="btn"
              aria-current={(each === 'decided') === isDecided ? 'true' : undefined}
              activeOptions={{ exact: true, includeSearch: true }}
              resetScroll={false}
            >
              {words(`admin-badges.${each}`)}
            </Link>
          ))}
        </div>
      }
    >
      <div role="status">{last !== null && <Reviewed of={last} />}</div>
      <Loaded of={{ ...pages, data: found }} rows={4}>
        {(requests) =>
          requests.length === 0 ? (
            <Empty>{words(isDecided ? 'admin-badges.decided-none' : 'admin-badges.waiting-none')}</Empty>
          ) : (
            <>
              <ul className="lines">
                {requests.map((request) => (
                  <Line key={request.guid} request={request} reviewed={setLast} />
                ))}
              </ul>
              <More of={pages} />
            </>
          )
        }
      </Loaded>
    </Section>
  )
}

/** What became of the request that was decided last, and who was left out of it. (B6) */
function Reviewed({ of: { request, skipped } }: { readonly of: ReviewedBadgeRequest }) {
  const recipients = request.badges.flatMap((badge) => badge.recipients)
  const nameOf = (guid: string) => recipients.find(({ user }) => user.guid === guid)?.user.preferredName ?? guid
  const isApproved = request.status === 'approved'
  return (
    <div className="notice">
      <div>
        <p>
          <bdi className="strong">{request.tournament.name}</bdi>:{' '}
          {words(isApproved ? 'admin-badges.was-approved' : 'admin-badges.was-rejected', {
            count: request.badges.length,
          })}
        </p>
        {skipped.length > 0 && (
          <ul>
            {skipped.map(({ userGuid, why }) => (
              <li key={userGuid}>
                <bdi>{nameOf(userGuid)}</bdi>: {words(`admin-badges.skipped-${why}`)}
              </li>
            ))}
          </ul>
        )}
      </div>
    </div>
  )
}

interface LineProps {
  readonly request: BadgeRequest
  readonly reviewed: (of: ReviewedBadgeRequest) => void
}

function Line({ request, reviewed }: LineProps) {
  const { tournament, status, message, reason, badges, createdBy, createdAt, reviewedBy, decidedAt } = request
  return (
    <li className={styles.request}>
      <p className={styles.asked}>
        <Link to="/t/$tournament" params={{ tournament: tournament.id }} className="plain strong">
          <bdi>{tournament.name}</bdi>
        </Link>
        {status !== 'pending' && (
          <State shape={shapes[status]} tone={status === 'rejected' ? 'alert' : 'quiet'}>
            {words(`manage-badges.is-${status}`)}
          </State>
        )}
        <span className="muted">
          <bdi>{createdBy?.preferredName ?? '–'}</bdi>, <Instant at={createdAt} />
        </span>
      </p>
      {message !== '' && <p dir="auto">{message}</p>}
      {decidedAt !== null && (
        <p className="muted">
          {words('manage-badges.decided-by')} <bdi>{reviewedBy?.preferredName ?? '–'}</bdi>, <Instant at={decidedAt} />
          {reason !== null && (
            <>
              : <bdi>{reason}</bdi>
            </>
          )}
        </p>
      )}
      <AskedBadges badges={badges} />
      {status === 'pending' && <Review request={request} reviewed={reviewed} />}
    </li>
  )
}

function Review({ request, reviewed }: LineProps) {
  const { guid, tournament, updatedAt } = request
  const [reason, setReason] = useState('')
  const review = useWrite('POST /admin/badgeRequests/{badgeRequest}/review', (known, reply) => {
    reviewed(reply)
    known.renew('/admin/badgeRequests')
    known.renew('/badges')
  })
  const params = { badgeRequest: guid }
  return (
    <div className="btns">
      <Approval key={updatedAt} request={request} review={review} />
      <Danger
        label={words('admin-badges.reject')}
        of={tournament.name}
        title={words('admin-badges.reject-title', { name: tournament.name })}
        isReady={reason.trim() !== ''}
        error={review.error}
        isSending={review.isSending}
        act={() =>
          review.send({
            params,
            body: { decision: 'rejected', reason: reason.trim(), expectedUpdatedAt: updatedAt },
          })
        }
      >
        <p>{words('admin-badges.reject-what')}</p>
        <TextValue
          name="reason"
          label={words('admin-badges.reject-why')}
          value={reason}
          change={setReason}
          maxLength={2_000}
          rows={3}
          isRequired
        />
      </Danger>
    </div>
  )
}
