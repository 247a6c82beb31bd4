import { Link } from '@tanstack/react-router'
import type { TeamInvitation } from '../../../client/generated.ts'
import { address } from '../data/api.ts'
import { words } from '../data/words.ts'
import { type Known, useWrite } from '../data/writes.ts'
import { Failure } from '../parts/loaded.tsx'
import styles from './invitation.module.css'

/** An invitation into a team, with both answers. */
export function Invitation({ invitation }: { readonly invitation: TeamInvitation }) {
  const { guid, team, tournament, invitedBy, message } = invitation
  const answered = (known: Known) => {
    known.change(address('/users/@me/agenda', {}), (agenda) => ({
      ...agenda,
      invitations: agenda.invitations.filter((each) => each.guid !== guid),
    }))
    known.renew('/users/@me')
  }
  const accept = useWrite('POST /invitations/{invitation}/accept', answered)
  const decline = useWrite('POST /invitations/{invitation}/decline', answered)
  const isSending = accept.isSending || decline.isSending
  const sent = { params: { invitation: guid } }
  return (
    <div className={styles.invitation}>
      <p>
        <Link to="/t/$tournament/teams/$team" params={{ tournament: tournament.id, team: team.id }}>
          <bdi>{team.name}</bdi>
        </Link>{' '}
        <span className="muted">
          {words('invitation.into')} <bdi>{tournament.name}</bdi>, {words('invitation.by')}{' '}
          <bdi>{invitedBy.preferredName ?? invitedBy.username}</bdi>
        </span>
        {message !== null && (
          <span className={styles.message} dir="auto">
            {message}
          </span>
        )}
      </p>
      <div className="btns">
        <button type="button" className="btn" disabled={isSending} onClick={() => void accept.send(sent)}>
          {words('invitation.accept')}
        </button>
        <button type="button" className="btn btn-quiet" disabled={isSending} onClick={() => void decline.send(sent)}>
          {words('invitation.decline')}
        </button>
      </div>
      {accept.error && <Failure error={accept.error} again={() => void accept.send(sent)} isTrying={isSending} />}
      {decline.error && <Failure error={decline.error} again={() => void decline.send(sent)} isTrying={isSending} />}
    </div>
  )
}
