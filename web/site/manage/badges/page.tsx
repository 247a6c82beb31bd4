import { useMemo, useState } from 'react'
import { address } from '../../data/api.ts'
import type { BadgeRequest } from '../../data/generated.ts'
import { usePages, useRead } from '../../data/queries.ts'
import { useTournament, useTournamentId } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { Empty, Loaded } from '../../parts/loaded.tsx'
import { More } from '../../parts/more.tsx'
import { Section } from '../../parts/section.tsx'
import { ActLink } from '../act-link.tsx'
import { RequestForm } from './request-form.tsx'
import { RequestView } from './request-view.tsx'
import { valuesOf, valuesOfDraft } from './values.ts'

/** Asks for badges for those who were placed, and shows what became of each request. */
export function ManageBadges() {
  const tournament = useTournamentId()
  const whole = useTournament()
  const pages = usePages(address('/tournaments/{tournament}/badgeRequests', { tournament }, { limit: 20 }))
  const requests = pages.data?.pages.flatMap(({ badgeRequests }) => badgeRequests)
  const read = { data: requests, error: pages.error, isFetching: pages.isFetching, refetch: pages.refetch }
  return (
    <div className="page wide stack">
      <div className="title">
        <div>
          <h1>{words('manage.badges')}</h1>
          <p>{words('manage-badges.about')}</p>
        </div>
      </div>
      <Loaded of={whole} rows={8}>
        {({ status }) => (
          <Loaded of={read} rows={8}>
            {(all) => (
              <>
                {status !== 'completed' && all.length === 0 ? (
                  <Empty>
                    {words('manage-badges.not-yet')}{' '}
                    <ActLink act="tournaments.changeStatus">{words('manage-badges.complete')}</ActLink>
                  </Empty>
                ) : (
                  <Requests requests={all} isCompleted={status === 'completed'} />
                )}
                <More of={pages} />
              </>
            )}
          </Loaded>
        )}
      </Loaded>
    </div>
  )
}

interface Props {
  readonly requests: readonly BadgeRequest[]
  readonly isCompleted: boolean
}

function Requests({ requests, isCompleted }: Props) {
  const [isAsking, setAsking] = useState(requests.length === 0)
  const [isChanging, setChanging] = useState(false)
  const pending = requests.find(({ status }) => status === 'pending')
  return (
    <>
      {pending !== undefined && isChanging && <Change request={pending} done={() => setChanging(false)} />}
      {pending === undefined && isCompleted && !isAsking && (
        <p>
          <button type="button" className="btn" onClick={() => setAsking(true)}>
            {words('manage-badges.ask-again')}
          </button>
        </p>
      )}
      {pending === undefined && isCompleted && isAsking && (
        <Section
          title={words('manage-badges.ask')}
          beside={<span className="muted">{words('manage-badges.until')}</span>}
        >
          <Proposal />
        </Section>
      )}
      {requests
        .filter((request) => !(isChanging && request === pending))
        .map((request) => (
          <RequestView key={request.guid} request={request} change={() => setChanging(true)} />
        ))}
    </>
  )
}

/** What the service proposes by placements, to be changed before it is sent. */
function Proposal() {
  const tournament = useTournamentId()
  const draft = useRead(address('/tournaments/{tournament}/badgeRequests/draft', { tournament }))
  const saved = useMemo(() => (draft.data === undefined ? null : valuesOfDraft(draft.data)), [draft.data])
  return (
    <Loaded of={{ ...draft, data: saved ?? undefined }} rows={6}>
      {(values) => <RequestForm saved={values} request={null} done={() => {}} />}
    </Loaded>
  )
}

function Change({ request, done }: { readonly request: BadgeRequest; readonly done: () => void }) {
  const saved = useMemo(() => valuesOf(request), [request])
  return (
    <Section title={words('manage-badges.change-title')}>
      <RequestForm saved={saved} request={request} done={done} />
    </Section>
  )
}
