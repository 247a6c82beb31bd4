import { Link } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import type { TeamInvitation } from '../../../client/generated.ts'
import { address } from '../data/api.ts'
import { words } from '../data/words.ts'
import { type Known, useWrite } from '../data/writes.ts'
import styles from './invitation.module.css'
import { Failure } from './loaded.tsx'

/** An invitation that the reader has just answered. */
export interface Answered {
  readonly invitation: TeamInvitation
  readonly isAccepted: boolean
}

/** Tells what an answer did, and where it goes on. It takes the focus, because the buttons have gone. */
export function AnsweredInvitation({ of: { invitation, isAccepted } }: { readonly of: Answered }) {
  const { guid, team, tournament } = invitation
  const line = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another answer is announced anew
  useEffect(() => line.current?.focus(), [guid])
  return (
    <div ref={line} tabIndex={-1} role="status" className="notice">
      <p className="push">
        {words(isAccepted ? 'invitation.accepted' : 'invitation.declined', {
          team: team.name,
          tournament: tournament.name,
        })}
      </p>
      {isAccepted && (
        <Link to="/t/$tournament/team" params={{ tournament: tournament.id }} className="btn btn-primary">
          {words('invitation.to-team')}
        </Link>
      )}
    </div>
  )
}

interface Props {
  readonly invitation: TeamInvitation
  readonly tell?: (answered: Answered) => void
}

/** An invitation into a team, with both answers. */
export function Invitation({ invitation, tell }: Props) {
  const { guid, team, tournament, invitedBy, message } = invitation
  const answered = (isAccepted: boolean) => (known: Known) => {
    tell?.({ invitation, isAccepted })
    known.change(address('/users/@me/agenda', {}), (agenda) => ({
      ...agenda,
      invitations: agenda.invitations.filter((each) => each.guid !== guid),
    }))
    known.renew('/users/@me')
    known.renew('/userWithOngoingTournaments/')
    known.renew(`/tournaments/${tournament.id}`)
  }
  const accept = useWrite('POST /invitations/{invitation}/accept', answered(true))
  const decline = useWrite('POST /invitations/{invitation}/decline', answered(false))
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
        <button
          type="button"
          className="btn btn-primary"
          aria-disabled={isSending}
          onClick={() => void accept.send(sent)}
        >
          {words('invitation.accept')}
        </button>
        <button
          type="button"
          className="btn btn-quiet"
          aria-disabled={isSending}
          onClick={() => void decline.send(sent)}
        >
          {words('invitation.decline')}
        </button>
      </div>
      {accept.error && <Failure error={accept.error} again={() => void accept.send(sent)} isTrying={isSending} />}
      {decline.error && <Failure error={decline.error} again={() => void decline.send(sent)} isTrying={isSending} />}
    </div>
  )
}
