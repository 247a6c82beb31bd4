import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { UserCard } from '../../../../client/generated.ts'
import { ApiError } from '../../data/api.ts'
import { dropDraft, ownDrafts } from '../../data/drafts.ts'
import { useRead } from '../../data/queries.ts'
import { tournamentAddress } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { Section } from '../../parts/section.tsx'
import { Instant } from '../../parts/time.tsx'
import styles from './new.module.css'

/** The drafts that were begun here, to go on with. */
export function OwnDrafts({ user }: { readonly user: UserCard }) {
  const [drafts] = useState(ownDrafts)
  if (drafts.length === 0) return null
  return (
    <Section title={words('new.drafts')}>
      <ul className="lines">
        {drafts.map((guid) => (
          <Draft key={guid} guid={guid} user={user} />
        ))}
      </ul>
    </Section>
  )
}

function Draft({ guid, user }: { readonly guid: string; readonly user: UserCard }) {
  const { data, error } = useRead(tournamentAddress(guid))
  const isGone =
    (error instanceof ApiError && error.status === 404) ||
    (data !== undefined && (data.status !== 'draft' || data.organiser.guid !== user.guid))
  useEffect(() => {
    if (isGone) dropDraft(guid)
  }, [isGone, guid])
  if (data === undefined || isGone) return null
  return (
    <li className={styles.draft}>
      <Link to="/new" search={{ draft: guid }}>
        <bdi>{data.name}</bdi>
      </Link>
      <span className="muted">
        {words('new.changed')} <Instant at={data.updatedAt} />
      </span>
    </li>
  )
}
