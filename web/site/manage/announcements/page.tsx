import type { TournamentWithParts } from '../../../../client/generated.ts'
import { useTournament } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { StateIcon } from '../../parts/icon.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { ActLink } from '../act-link.tsx'
import styles from './announcements.module.css'
import { AnnouncementsForm } from './announcements-form.tsx'

/** What is announced in the chat by itself, when, and in which channel. */
export function ManageAnnouncements() {
  const read = useTournament()
  return (
    <div className="page wide stack">
      <Loaded of={read} rows={12}>
        {(tournament) => (
          <>
            <div className="title">
              <div>
                <h1 data-title={`${words('manage.announcements')} · ${tournament.name}`}>
                  {words('manage.announcements')}
                </h1>
                <p>{words('announcements.intro')}</p>
              </div>
            </div>
            <Obstacles tournament={tournament} />
            <AnnouncementsForm tournament={tournament} />
          </>
        )}
      </Loaded>
    </div>
  )
}

/** Why nothing is announced at all. */
function Obstacles({
  tournament: { status, chatWebhookUrl = null, chatWebhooks = [] },
}: {
  readonly tournament: TournamentWithParts
}) {
  if (chatWebhookUrl === null && chatWebhooks.length === 0)
    return (
      <p className={`notice notice-warning ${styles.obstacle}`}>
        <StateIcon name="problem" />
        <span>
          {words('announcements.no-channel')}{' '}
          <ActLink act="tournaments.update" hash="chat">
            {words('composer.set-chat')}
          </ActLink>
        </span>
      </p>
    )
  if (status === 'draft') return <p className="notice">{words('announcements.draft')}</p>
  return null
}
