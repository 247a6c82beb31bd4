import { type ReactNode, useState } from 'react'
import type { Team, TeamInvitation, TournamentWithParts, UserCard } from '../../../client/generated.ts'
import { address } from '../data/api.ts'
import { useRead, useRenewal } from '../data/queries.ts'
import { useTournamentId } from '../data/tournament.ts'
import { words } from '../data/words.ts'
import { useWrite } from '../data/writes.ts'
import { Danger } from '../parts/danger.tsx'
import { PersonField } from '../parts/finder.tsx'
import { Form } from '../parts/form/form.tsx'
import { Failure } from '../parts/loaded.tsx'
import { Section } from '../parts/section.tsx'
import { State } from '../parts/state.tsx'
import { Face } from '../parts/team.tsx'
import { Instant, useNow } from '../parts/time.tsx'
import { useChanged } from './changed.ts'
import styles from './team.module.css'

/** Who is in the team, who is invited, and what captains and organisers do about it. */

interface Props {
  readonly tournament: TournamentWithParts
  readonly team: Team
  /** Whether the reader may read the invitations. */
  readonly mayRead: boolean
  readonly mayChange: boolean
  /** For the organiser, who is not bound by the lock: what else can be done about a member. */
  readonly more?: (member: UserCard) => ReactNode
}

const invitationsAddress = (tournament: string, team: Team) =>
  address('/tournaments/{tournament}/teams/{team}/invitations', { tournament, team: team.guid })

export function Roster({ tournament, team, mayRead, mayChange, more }: Props) {
  const at = useTournamentId()
  const invitations = useRead(mayRead ? invitationsAddress(at, team) : null)
  useRenewal(invitationsAddress(at, team), `${team.invited} ${team.members.length}`)
  const invited = invitations.data?.filter(({ user: { guid } }) =>
    team.members.every((each) => each.user.guid !== guid),
  )
  const { min, max, active } = tournament.teamSize
  const onField = team.members.filter(({ isActive }) => isActive).length
  return (
    <Section
      title={words('roster.title')}
      beside={
        <span className="muted">
          {words('roster.count', { members: team.members.length, min, max, onField, active })}
        </span>
      }
    >
      {team.rosterLocked &&
        (more === undefined ? (
          <Locked tournament={tournament} team={team} />
        ) : (
          <p className="notice">{words('roster.locked-organiser')}</p>
        ))}
      <ul className={`lines ${styles.roster}`}>
        {team.members.map(({ user: member, isActive, joinedAt }) => (
          <li key={member.guid} className={styles.member}>
            <span className={styles.person}>
              <Face name={member.preferredName} picture={member.avatarUrl} />
              <bdi className="strong">{member.preferredName}</bdi>
            </span>
            <span className="muted">
              {words(
                member.guid === team.captain.guid ? 'roster.captain' : isActive ? 'roster.active' : 'roster.substitute',
              )}
            </span>
            <span className="muted only-wide">
              {words('roster.since')} <Instant at={joinedAt} as="day" />
            </span>
            <div className="btns">
              {mayChange && <Activity team={team} member={member} isActive={isActive} />}
              {more?.(member)}
              {mayChange && member.guid !== team.captain.guid && <Removal team={team} member={member} />}
            </div>
          </li>
        ))}
        {invited?.map((invitation) => (
          <Invited key={invitation.guid} team={team} invitation={invitation} />
        ))}
      </ul>
      {mayChange && <Invite team={team} places={max - team.members.length} />}
    </Section>
  )
}

/** Since when the roster is locked, and what the team can still do. */
function Locked({ tournament, team }: { readonly tournament: TournamentWithParts; readonly team: Team }) {
  const { rosterLocksAt, timezone, status } = tournament
  const time = useNow(60_000)
  const dates = [team.registeredAt, rosterLocksAt].filter((at) => at !== null && Date.parse(at) <= time)
  const since = dates.toSorted()[0]
  const hasPlace = team.status !== 'unregistered' && team.withdrawnAt === null
  return (
    <p className="notice">
      <span>
        {words('roster.locked')}{' '}
        {since != null && (
          <>
            {words('roster.locked-since')} <Instant at={since} zone={timezone} />.{' '}
          </>
        )}
        {words('roster.locked-but')} {hasPlace && status === 'approved' && words('roster.locked-give-back')}
        {hasPlace && status === 'ongoing' && words('roster.locked-withdraw')}
      </span>
    </p>
  )
}

function Activity({
  team,
  member,
  isActive,
}: {
  readonly team: Team
  readonly member: UserCard
  readonly isActive: boolean
}) {
  const params = { tournament: useTournamentId(), team: team.guid, member: member.guid }
  const changed = useChanged(team)
  const set = useWrite('PATCH /tournaments/{tournament}/teams/{team}/members/{member}', changed)
  const send = () => void set.send({ params, body: { isActive: !isActive } })
  return (
    <>
      <button type="button" className="btn btn-quiet" aria-disabled={set.isSending} onClick={send}>
        {words(isActive ? 'roster.to-substitute' : 'roster.to-field')}
        <span className="unseen"> {member.preferredName}</span>
      </button>
      {set.error && <Failure error={set.error} again={send} isTrying={set.isSending} />}
    </>
  )
}

function Removal({ team, member }: { readonly team: Team; readonly member: UserCard }) {
  const params = { tournament: useTournamentId(), team: team.guid, member: member.guid }
  const changed = useChanged(team)
  const remove = useWrite('DELETE /tournaments/{tournament}/teams/{team}/members/{member}', (known) => changed(known))
  return (
    <Danger
      label={words('roster.remove')}
      title={words('roster.remove-title', { name: member.preferredName })}
      error={remove.error}
      isSending={remove.isSending}
      act={() => remove.send({ params })}
    >
      <p>{words('roster.remove-text')}</p>
    </Danger>
  )
}

function Invited({ team, invitation }: { readonly team: Team; readonly invitation: TeamInvitation }) {
  const { guid, user, createdAt } = invitation
  const at = useTournamentId()
  const revoke = useWrite('DELETE /invitations/{invitation}', (known) =>
    known.change(invitationsAddress(at, team), (all) => all.filter((each) => each.guid !== guid)),
  )
  const send = () => void revoke.send({ params: { invitation: guid } })
  return (
    <li className={styles.member}>
      <span className={styles.person}>
        <Face name={user.preferredName} picture={user.avatarUrl} />
        <bdi>{user.preferredName}</bdi>
      </span>
      <State shape="waiting" tone="quiet">
        {words('roster.invited')}
      </State>
      <span className="muted only-wide">
        <Instant at={createdAt} as="day" />
      </span>
      <div className="btns">
        <button type="button" className="btn btn-quiet" aria-disabled={revoke.isSending} onClick={send}>
          {words('roster.revoke')}
          <span className="unseen"> {user.preferredName}</span>
        </button>
        {revoke.error && <Failure error={revoke.error} again={send} isTrying={revoke.isSending} />}
      </div>
    </li>
  )
}

function Invite({ team, places }: { readonly team: Team; readonly places: number }) {
  const at = useTournamentId()
  const [chosen, choose] = useState<UserCard | null>(null)
  const [last, setLast] = useState<string | null>(null)
  const invite = useWrite('POST /tournaments/{tournament}/teams/{team}/invitations', (known, made) => {
    known.change(invitationsAddress(at, team), (all) => [made, ...all.filter(({ guid }) => guid !== made.guid)])
  })
  const send = async () => {
    if (chosen === null) return
    const params = { tournament: at, team: team.guid }
    if (!(await invite.send({ params, body: { userIdentifier: chosen.guid } }))) return
    setLast(chosen.preferredName)
    choose(null)
  }
  return (
    <div id="invite" className={styles.invite}>
      <Form error={invite.error} onSubmit={send}>
        <div className="field">
          <label htmlFor="invited">{words('invite.title')}</label>
          <div className={styles.row}>
            {/* A new field for the next person, so that the text of the last one is gone. */}
            <PersonField
              key={last}
              id="invited"
              describedBy="invited-hint"
              placeholder={words('invite.placeholder')}
              chosen={chosen}
              choose={choose}
            />
            <button type="submit" className="btn" aria-disabled={chosen === null || invite.isSending}>
              {words('invite.do')}
            </button>
          </div>
          <p id="invited-hint" className="small muted">
            {words('invite.hint', { places: Math.max(0, places) })}
          </p>
          <p role="status" className="small">
            {last !== null && words('invite.done', { name: last })}
          </p>
        </div>
      </Form>
    </div>
  )
}
