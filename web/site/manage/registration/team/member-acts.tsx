import { useState } from 'react'
import type { Team, UserCard } from '../../../../../client/generated.ts'
import { useTournamentId } from '../../../data/tournament.ts'
import { words } from '../../../data/words.ts'
import { useWrite } from '../../../data/writes.ts'
import { Danger } from '../../../parts/danger.tsx'
import { Dialog } from '../../../parts/dialog.tsx'
import { Form } from '../../../parts/form/form.tsx'
import { useChanged } from '../../../team/changed.ts'
import type { Entry } from '../desk.ts'

/** What the organiser alone does about a member. */

export function MakeCaptain({ team, member }: { readonly team: Team; readonly member: UserCard }) {
  const params = { tournament: useTournamentId(), team: team.guid }
  const change = useWrite('PATCH /tournaments/{tournament}/teams/{team}', useChanged(team))
  const name = member.preferredName
  return (
    <Danger
      label={words('manage-team.captain')}
      title={words('manage-team.captain-title', { name })}
      isPlain
      error={change.error}
      isSending={change.isSending}
      act={() => change.send({ params, body: { captain: member.guid } })}
    >
      <p>{words('manage-team.captain-what', { name, before: team.captain.preferredName })}</p>
    </Danger>
  )
}

interface MoveProps {
  readonly team: Team
  readonly member: UserCard
  readonly teams: readonly Entry[]
  /** How many players a team may have. */
  readonly size: number
  readonly close: () => void
}

/**
 * Takes a player out of the team and invites them into another. They are in one team at a time and join by themselves, so these
 * are two steps. After a refused invitation, only that one is tried again. (D30)
 */
export function MoveDialog({ team, member, teams, size, close }: MoveProps) {
  const tournament = useTournamentId()
  const others = teams.filter((each) => each.team.guid !== team.guid && each.withdrawnAt === null)
  const [to, setTo] = useState('')
  const [hasLeft, setLeft] = useState(false)
  const [isDone, setDone] = useState(false)
  const changed = useChanged(team)
  const remove = useWrite('DELETE /tournaments/{tournament}/teams/{team}/members/{member}', (known) => {
    setLeft(true)
    changed(known)
  })
  const invite = useWrite('POST /tournaments/{tournament}/teams/{team}/invitations', (known) => {
    setDone(true)
    known.renew(`/tournaments/${tournament}/teams`)
  })
  const name = member.preferredName
  const target = others.find((each) => each.team.guid === to)?.team.name ?? ''
  const act = async () => {
    const isOut = hasLeft || (await remove.send({ params: { tournament, team: team.guid, member: member.guid } }))
    if (isOut) await invite.send({ params: { tournament, team: to }, body: { userIdentifier: member.guid } })
  }
  return (
    <Dialog title={words('manage-team.move-title', { name })} close={close}>
      {isDone ? (
        <>
          <p role="status">{words('manage-team.moved', { name, from: team.name, to: target })}</p>
          <div className="btns">
            <button type="button" className="btn btn-primary" onClick={close}>
              {words('dialog.close')}
            </button>
          </div>
        </>
      ) : (
        <Form error={invite.error ?? remove.error} onSubmit={act}>
          <p>{words(hasLeft ? 'manage-team.move-left' : 'manage-team.move-what', { name, from: team.name })}</p>
          <label className="field">
            <span className="strong">{words('manage-team.move-to')}</span>
            <select className="in" value={to} required onChange={({ target: { value } }) => setTo(value)}>
              <option value="">{words('answers.choose')}</option>
              {others.map(({ team: { guid, name: other }, members }) => (
                <option key={guid} value={guid} disabled={members.length >= size}>
                  {words('manage-team.move-option', { name: other, members: members.length, size })}
                </option>
              ))}
            </select>
          </label>
          <div className="btns">
            <button
              type="submit"
              className="btn btn-primary"
              aria-disabled={to === '' || remove.isSending || invite.isSending}
            >
              {words(hasLeft ? 'invite.do' : 'manage-team.move')}
            </button>
            <button type="button" className="btn" onClick={close}>
              {words('danger.cancel')}
            </button>
          </div>
        </Form>
      )}
    </Dialog>
  )
}
