import type { BadgeRequest } from '../../data/generated.ts'
import { useTournamentId } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { useWrite } from '../../data/writes.ts'
import { AskedBadges } from '../../parts/asked-badges.tsx'
import { Danger } from '../../parts/danger.tsx'
import { Section } from '../../parts/section.tsx'
import { State } from '../../parts/state.tsx'
import { Instant } from '../../parts/time.tsx'
import styles from './badges.module.css'

/** A request as it was sent, and what became of it. */

const shapes = { pending: 'waiting', approved: 'done', rejected: 'problem', withdrawn: 'off' } as const

export function RequestView({ request, change }: { readonly request: BadgeRequest; readonly change: () => void }) {
  const { guid, status, message, badges, reason, createdBy, reviewedBy, createdAt, decidedAt } = request
  return (
    <Section
      title={
        <State shape={shapes[status]} tone={status === 'rejected' ? 'alert' : 'quiet'}>
          {words(`manage-badges.is-${status}`)}
        </State>
      }
      beside={
        <span className="muted">
          <bdi>{createdBy?.preferredName ?? '–'}</bdi>, <Instant at={createdAt} />
        </span>
      }
    >
      {status === 'pending' && <p className={styles.text}>{words('manage-badges.waits')}</p>}
      {reason !== null && (
        <p className="notice notice-alert">
          <strong>{words('manage-badges.why')}</strong> <bdi>{reason}</bdi>
        </p>
      )}
      {decidedAt !== null && reviewedBy !== null && (
        <p className={`muted ${styles.text}`}>
          {words('manage-badges.decided-by')} <bdi>{reviewedBy.preferredName}</bdi>, <Instant at={decidedAt} />
        </p>
      )}
      {message !== '' && (
        <p className={styles.text}>
          <bdi>{message}</bdi>
        </p>
      )}
      <AskedBadges badges={badges} />
      {status === 'pending' && (
        <div className="btns">
          <button type="button" className="btn" onClick={change}>
            {words('manage-badges.change')}
          </button>
          <Withdraw guid={guid} />
        </div>
      )}
    </Section>
  )
}

function Withdraw({ guid }: { readonly guid: string }) {
  const tournament = useTournamentId()
  const withdraw = useWrite('POST /tournaments/{tournament}/badgeRequests/{badgeRequest}/withdraw', (known) =>
    known.renew(`/tournaments/${tournament}/badgeRequests`),
  )
  return (
    <Danger
      label={words('manage-badges.withdraw')}
      title={words('manage-badges.withdraw-title')}
      isPlain
      error={withdraw.error}
      isSending={withdraw.isSending}
      act={() => withdraw.send({ params: { tournament, badgeRequest: guid } })}
    >
      <p>{words('manage-badges.withdraw-what')}</p>
    </Danger>
  )
}
