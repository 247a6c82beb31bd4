import { getRouteApi, Link } from '@tanstack/react-router'
import type { TournamentWithParts } from '../../../../client/generated.ts'
import { address } from '../../data/api.ts'
import { useTournament, useTournamentId } from '../../data/tournament.ts'
import { type WordId, words } from '../../data/words.ts'
import { FollowedList } from '../../parts/followed-list.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { ActLink } from '../act-link.tsx'
import { DeliveryLine } from './line.tsx'

/** What was sent, or is to be, to the chat channels: the messages, what failed, why, and when it is tried again. */

const states = ['failed', 'waiting', 'delivered'] as const
type State = (typeof states)[number]

const route = getRouteApi('/manage/$tournament/deliveries')

export function ManageDeliveries() {
  const read = useTournament()
  return (
    <div className="page wide stack">
      <Loaded of={read} rows={8}>
        {(tournament) => <Of tournament={tournament} />}
      </Loaded>
    </div>
  )
}

const listAddress = (tournament: string, state: State | undefined) =>
  address('/tournaments/{tournament}/deliveries', { tournament }, { ...(state !== undefined && { state }), limit: 25 })

function Of({ tournament }: { readonly tournament: TournamentWithParts }) {
  const id = useTournamentId()
  const search = route.useSearch()
  const state = states.find((each) => each === search.state)
  const at = listAddress(id, state)
  return (
    <>
      <div className="title">
        <div>
          <h1 data-title={`${words('manage.deliveries')} · ${tournament.name}`}>{words('manage.deliveries')}</h1>
          <p>{words('deliveries.intro')}</p>
        </div>
      </div>
      <nav className="choices" aria-label={words('deliveries.filter')}>
        {[undefined, ...states].map((each) => (
          <Link
            key={each ?? 'all'}
            to="/manage/$tournament/deliveries"
            params={{ tournament: id }}
            search={each === undefined ? {} : { state: each }}
            className="btn"
            aria-current={each === state ? 'true' : undefined}
            activeOptions={{ exact: true, includeSearch: true }}
            replace
          >
            {words(`deliveries.state-${each ?? 'all'}` as WordId)}
          </Link>
        ))}
      </nav>
      <FollowedList at={at} itemsOf={({ deliveries }) => deliveries} rows={8} empty={<Nothing state={state} />}>
        {(deliveries) => (
          <ul className="lines">
            {deliveries.map((delivery) => (
              <DeliveryLine key={delivery.guid} of={delivery} list={at} tournament={tournament} />
            ))}
          </ul>
        )}
      </FollowedList>
    </>
  )
}

function Nothing({ state }: { readonly state: State | undefined }) {
  return (
    <>
      {state === undefined ? words('deliveries.none') : words(`deliveries.none-${state}`)}{' '}
      {state === undefined && <ActLink act="updates.publish">{words('deliveries.write')}</ActLink>}
    </>
  )
}
