import { useId, useState } from 'react'
import type { Match, StreamAssignment, UserCard } from '../../../../client/generated.ts'
import { address } from '../../data/api.ts'
import { useRead } from '../../data/queries.ts'
import { useAccess, useTournamentId } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { useWrite } from '../../data/writes.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { PersonField } from '../../parts/finder.tsx'
import { Field, Form } from '../../parts/form/form.tsx'
import { InstantInput } from '../../parts/form/instant.tsx'
import { mayAssign } from '../rights.ts'
import styles from './streams.module.css'

/** Assigns people to a match or to the whole tournament, one after the other; who is likely comes as a list. */

type Role = StreamAssignment['role']

interface Props {
  readonly match: Match | null
  readonly assigned: readonly StreamAssignment[]
  readonly zone: string
  readonly close: () => void
}

const hourMs = 3_600_000

export function AssignDialog({ match, assigned, zone, close }: Props) {
  const tournament = useTournamentId()
  const roles = useAccess().data?.roles ?? []
  const [begin, setBegin] = useState<string | null>(() => match?.scheduledAt ?? new Date().toISOString())
  const [end, setEnd] = useState<string | null>(() =>
    new Date(Date.parse(match?.scheduledAt ?? new Date().toISOString()) + 3 * hourMs).toISOString(),
  )
  const [last, setLast] = useState('')
  const assign = useWrite('POST /tournaments/{tournament}/streamAssignments', (known, reply) => {
    setLast(reply.user.preferredName)
    known.renew(`/tournaments/${tournament}/stream`)
  })
  const send = async (user: UserCard, role: Role, side: 1 | 2 | null = null) => {
    if (begin === null || end === null) return false
    const times = { startsAt: begin, endsAt: end }
    return assign.send({
      params: { tournament },
      body: { user: user.guid, role, match: match?.guid ?? null, ...(side !== null && { side }), ...times },
    })
  }
  const isFree = (user: UserCard) => assigned.every((each) => each.user.guid !== user.guid)
  const shared = { send, isFree, isSending: assign.isSending }
  return (
    <Dialog
      title={match === null ? words('streams.assign-whole') : words('streams.assign-match', { number: match.number })}
      close={close}
    >
      <Form error={assign.error} onSubmit={() => {}}>
        <div className={styles.times}>
          <Field name="startsAt" label={words('streams.from')} isRequired>
            {(of) => <InstantInput of={of} zone={zone} value={begin} set={setBegin} isRequired />}
          </Field>
          <Field name="endsAt" label={words('streams.to')} isRequired>
            {(of) => <InstantInput of={of} zone={zone} value={end} set={setEnd} isRequired />}
          </Field>
        </div>
        <p className="small muted">{words('streams.window')}</p>
        {mayAssign('player', roles) &&
          match?.sides.map(({ team }, at) =>
            team === null ? null : <Players key={team.guid} team={team.guid} side={at === 0 ? 1 : 2} {...shared} />,
          )}
        {mayAssign('caster', roles) && <Casters {...shared} />}
        <Anybody isInMatch={match !== null} {...shared} />
      </Form>
      <p role="status">{last !== '' && words('streams.assigned', { name: last })}</p>
    </Dialog>
  )
}

interface Shared {
  readonly send: (user: UserCard, role: Role, side?: 1 | 2 | null) => Promise<boolean>
  readonly isFree: (user: UserCard) => boolean
  readonly isSending: boolean
}

function Players({ team, side, ...shared }: Shared & { readonly team: string; readonly side: 1 | 2 }) {
  const at = { tournament: useTournamentId(), team }
  const read = useRead(address('/tournaments/{tournament}/teams/{team}', at)).data
  if (read === undefined) return null
  const active = read.members.filter(({ isActive }) => isActive)
  const players = (active.length > 0 ? active : read.members).map(({ user }) => user)
  return <Likely title={read.name} of={players} as="player" side={side} {...shared} />
}

const casting: readonly string[] = ['role:caster', 'role:hcaster', 'role:host']

function Casters(shared: Shared) {
  const read = useRead(address('/tournaments/{tournament}/staff', { tournament: useTournamentId() })).data ?? []
  const users = new Map(
    read.filter(({ role }) => casting.includes(role)).flatMap(({ users: all }) => all.map((user) => [user.guid, user])),
  )
  return <Likely title={words('streams.casters')} of={[...users.values()]} as="caster" side={null} {...shared} />
}

interface LikelyProps extends Shared {
  readonly title: string
  readonly of: readonly UserCard[]
  readonly as: Role
  readonly side: 1 | 2 | null
}

function Likely({ title, of, as, side, send, isFree, isSending }: LikelyProps) {
  if (of.length === 0) return null
  return (
    <fieldset className={styles.likely}>
      <legend className="strong">
        <bdi>{title}</bdi>
      </legend>
      <div className="btns">
        {of.map((user) => (
          <button
            key={user.guid}
            type="button"
            className="btn"
            aria-disabled={isSending || !isFree(user)}
            aria-pressed={!isFree(user)}
            onClick={() => void send(user, as, side)}
          >
            <bdi>{user.preferredName}</bdi>
          </button>
        ))}
      </div>
    </fieldset>
  )
}

/** Somebody who is in no list. */
function Anybody({ isInMatch, send, isSending }: Shared & { readonly isInMatch: boolean }) {
  const id = useId()
  const roles = useAccess().data?.roles ?? []
  const allowed = (['observer', 'caster', 'player'] as const).filter((role) => mayAssign(role, roles))
  const [user, choose] = useState<UserCard | null>(null)
  const [role, setRole] = useState<Role>(allowed[0] ?? 'observer')
  const [side, setSide] = useState('')
  const [turn, setTurn] = useState(0)
  const add = async () => {
    const of = side === '1' ? 1 : side === '2' ? 2 : null
    if (user === null || !(await send(user, role, of))) return
    choose(null)
    setTurn(turn + 1)
  }
  return (
    <fieldset className={styles.likely}>
      <legend className="strong">{words('streams.anybody')}</legend>
      <div className={styles.anybody}>
        <label htmlFor={id} className="unseen">
          {words('streams.person')}
        </label>
        <PersonField key={turn} id={id} placeholder={words('invite.placeholder')} chosen={user} choose={choose} />
        <label>
          <span className="unseen">{words('streams.role')}</span>
          <select className="in" value={role} onChange={({ target }) => setRole(target.value as Role)}>
            {allowed.map((each) => (
              <option key={each} value={each}>
                {words(`play.role-${each}`)}
              </option>
            ))}
          </select>
        </label>
        {isInMatch && (
          <label>
            <span className="unseen">{words('streams.of-side')}</span>
            <select className="in" value={side} onChange={({ target }) => setSide(target.value)}>
              <option value="">{words('streams.no-side')}</option>
              {[1, 2].map((each) => (
                <option key={each} value={each}>
                  {words('streams.side', { side: each })}
                </option>
              ))}
            </select>
          </label>
        )}
        <button type="button" className="btn" aria-disabled={user === null || isSending} onClick={() => void add()}>
          {words('streams.assign')}
        </button>
      </div>
    </fieldset>
  )
}
