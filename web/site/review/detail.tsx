import { Link } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import type { ReviewedRequest } from '../../../client/generated.ts'
import type { OwnPlatform, VisibilityDecision } from '../data/generated.ts'
import { decisionsAddress, requestsAddress } from '../data/platforms.ts'
import { useFacts, usePages, useRead, useRenewal } from '../data/queries.ts'
import { tournamentAddress } from '../data/tournament.ts'
import { words } from '../data/words.ts'
import { Icon } from '../parts/icon.tsx'
import { Empty, Loaded } from '../parts/loaded.tsx'
import { More } from '../parts/more.tsx'
import { Section } from '../parts/section.tsx'
import { Face } from '../parts/team.tsx'
import { Ago, Instant } from '../parts/time.tsx'
import { Decide } from './decide.tsx'
import { RequestState } from './line.tsx'
import { Published } from './published.tsx'
import styles from './review.module.css'

/** A request: the tournament with what it publishes, next to the decision and those before it. */

interface Props {
  readonly platform: OwnPlatform
  readonly of: ReviewedRequest
  /** Whether it was opened after a decision, which took the focus with it. */
  readonly isNext: boolean
  /** Whether it is in the list that the page shows. */
  readonly isListed: boolean
  readonly done: (request: ReviewedRequest) => void
}

export function RequestDetail({ platform, of, isNext, isListed, done }: Props) {
  const { guid, status, requestedAt, tournament } = of
  const heading = useRef<HTMLHeadingElement>(null)
  const [takesFocus] = useState(isNext)
  useEffect(() => {
    // Not where the page begins with it.
    if (takesFocus || document.activeElement !== document.body) heading.current?.focus()
  }, [takesFocus])
  // Of a draft that withdrew, the service shows its name alone.
  const isHidden = status === 'withdrawn' && tournament.status === 'draft'
  const record = useRead(isHidden ? null : tournamentAddress(tournament.guid))
  useRenewal(tournamentAddress(tournament.guid), requestedAt)
  const history = usePages(decisionsAddress(platform.contextId, guid))
  useFacts(requestsAddress(platform.contextId), () => void history.refetch())
  const decisions = history.data?.pages.flatMap((page) => page.decisions)
  return (
    <aside className={styles.detail} aria-label={tournament.name}>
      <header>
        <Face name={tournament.name} picture={tournament.imageUrl} isTeam />
        <div>
          <h2 ref={heading} tabIndex={-1}>
            <bdi>{tournament.name}</bdi>
          </h2>
          <p className={styles.facts}>
            {isListed && <RequestState status={status} />}
            <span className="muted">
              {words('review.asked-by')}{' '}
              <Link to="/u/$user" params={{ user: tournament.organiser.guid }}>
                <bdi>{tournament.organiser.preferredName}</bdi>
              </Link>
              , <Ago at={requestedAt} />
            </span>
          </p>
        </div>
        <Link
          from="/review/$platform"
          to="."
          search={({ request: _request, ...others }) => others}
          className="btn btn-quiet btn-icon"
          aria-label={words('dialog.close')}
          resetScroll={false}
        >
          <Icon name="close" />
        </Link>
      </header>
      <div className={styles.beside}>
        <div className="stack">
          <Decide
            key={requestedAt}
            platform={platform}
            of={of}
            counts={record.data?.counts}
            latest={decisions?.[0]}
            renew={() => void history.refetch()}
            done={done}
          />
          <Section title={words('review.decisions')} level={3}>
            <Loaded of={{ ...history, data: decisions }} rows={2}>
              {(all) =>
                all.length === 0 ? (
                  <Empty>{words('review.no-decisions')}</Empty>
                ) : (
                  <>
                    <ol className="lines">
                      {all.map((decision) => (
                        <DecisionLine key={decision.decidedAt} of={decision} />
                      ))}
                    </ol>
                    <More of={history} />
                  </>
                )
              }
            </Loaded>
          </Section>
        </div>
        <Section title={words('review.publishes')} level={3}>
          {isHidden ? (
            <Empty>{words('review.hidden')}</Empty>
          ) : (
            <Loaded of={record} rows={8}>
              {(found) => <Published of={found} />}
            </Loaded>
          )}
        </Section>
      </div>
    </aside>
  )
}

function DecisionLine({ of: { decision, decidedBy, decidedAt, reason } }: { readonly of: VisibilityDecision }) {
  return (
    <li className={styles.decision}>
      <p>
        <RequestState status={decision} />{' '}
        <span className="muted">
          <bdi>{decidedBy.preferredName}</bdi>, <Instant at={decidedAt} />
        </span>
      </p>
      {reason !== null && (
        <p className={styles.reason} dir="auto">
          {reason}
        </p>
      )}
    </li>
  )
}
