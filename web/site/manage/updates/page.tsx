import { getRouteApi, Link } from '@tanstack/react-router'
import type { TournamentWithParts } from '../../../../client/generated.ts'
import { useLateness } from '../../data/horizon.ts'
import { useRead } from '../../data/queries.ts'
import { useTournament, useTournamentId } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { StateIcon } from '../../parts/icon.tsx'
import { Empty, Loaded } from '../../parts/loaded.tsx'
import { Composer } from './composer.tsx'
import { listAddress } from './draft.ts'
import { Published } from './published.tsx'
import styles from './updates.module.css'

/** News of the tournament: what is written, as it will be on the page and in the chat, and what was published. */

const route = getRouteApi('/manage/$tournament/updates')

export function ManageUpdates() {
  const read = useTournament()
  return (
    <div className="page wide stack">
      <Loaded of={read} rows={10}>
        {(tournament) => <Of tournament={tournament} />}
      </Loaded>
    </div>
  )
}

function Of({ tournament }: { readonly tournament: TournamentWithParts }) {
  const id = useTournamentId()
  const { update: edited } = route.useSearch()
  const list = useRead(listAddress(id), { live: true })
  const seconds = useLateness(tournament) || tournament.streamDelaySeconds
  return (
    <>
      <div className="title">
        <div>
          <h1 data-title={`${words('manage.updates')} · ${tournament.name}`}>{words('manage.updates')}</h1>
          <p>{words('composer.intro')}</p>
        </div>
      </div>
      {seconds > 0 && (
        <p className={`notice notice-warning ${styles.delay}`}>
          <StateIcon name="waiting" />
          <span>
            <strong>{words('composer.delay', { minutes: Math.ceil(seconds / 60) })}</strong>{' '}
            {words('composer.delay-text')}
          </span>
        </p>
      )}
      <Loaded of={list} rows={8}>
        {({ updates, chatAvailable = false }) => {
          const update = updates.find(({ guid }) => guid === edited)
          if (edited !== undefined && update === undefined)
            return (
              <Empty>
                {words('composer.gone')}{' '}
                <Link to="/manage/$tournament/updates" params={{ tournament: id }} search={{}}>
                  {words('composer.new')}
                </Link>
              </Empty>
            )
          return (
            <Composer
              key={edited ?? 'new'}
              tournament={tournament}
              update={update}
              hasChat={chatAvailable}
              last={updates[0]?.createdAt}
            />
          )
        }}
      </Loaded>
      <div className={styles.published}>
        <Published tournament={tournament} edited={edited} />
      </div>
    </>
  )
}
