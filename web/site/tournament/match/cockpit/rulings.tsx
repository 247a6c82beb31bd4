import { type ReactNode, useState } from 'react'
import { words } from '../../../data/words.ts'
import { Section } from '../../../parts/section.tsx'
import { Walkover } from '../../../parts/walkover.tsx'
import { ownName } from '../people.ts'
import { titleOf } from '../view.ts'
import styles from './cockpit.module.css'
import type { Table } from './ops.ts'
import { Reasoned } from './reasoned.tsx'
import { linesOf } from './steps.tsx'

/** What a referee rules by hand where the flow does not provide for it; each with its reason in the log. */

export function Rulings(table: Table) {
  const { view, session } = table
  const [isWalkover, setWalkover] = useState(false)
  // Most matches need none of it: it is drawn once somebody looks at it.
  const [isOpen, setOpen] = useState(false)
  const isOn = session.status === 'running' || session.status === 'paused'
  if (!isOn) return null
  return (
    <Section title={words('cockpit.rulings')}>
      <details className={styles.rulings} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>{words('cockpit.rulings-all')}</summary>
        {isOpen && <All {...table} toWalkover={() => setWalkover(true)} />}
      </details>
      {isWalkover && (
        <Walkover match={view.match} tournament={{ id: view.tournament }} close={() => setWalkover(false)} />
      )}
    </Section>
  )
}

function All({ toWalkover, ...table }: Table & { readonly toWalkover: () => void }) {
  const { ops } = table
  return (
    <div className="btns">
      <SetMap {...table} />
      <AwardMap {...table} />
      <Reasoned
        label={words('cockpit.void-map')}
        title={words('cockpit.void-map')}
        ops={ops}
        act={(reason) => ops.send('override', { op: 'void_map', reason })}
      >
        <p>{words('cockpit.void-map-text')}</p>
      </Reasoned>
      <GoTo {...table} />
      <Reasoned
        label={words('cockpit.skip')}
        title={words('cockpit.skip')}
        ops={ops}
        act={(reason) => ops.send('override', { op: 'skip', reason })}
      />
      <Substitute {...table} />
      <Speakers {...table} />
      <Reasoned
        label={words('cockpit.redraw')}
        title={words('cockpit.redraw')}
        ops={ops}
        act={(reason) => ops.send('override', { op: 'redraw', reason })}
      >
        <p>{words('cockpit.redraw-text')}</p>
      </Reasoned>
      <Reasoned
        label={words('cockpit.end-flow')}
        title={words('cockpit.end-flow')}
        ops={ops}
        isDanger
        act={(reason) => ops.send('override', { op: 'end_flow', reason })}
      >
        <p>{words('cockpit.end-flow-text')}</p>
      </Reasoned>
      <Reasoned
        label={words('cockpit.restart')}
        title={words('cockpit.restart')}
        ops={ops}
        isDanger
        act={(reason) => ops.send('restart', { reason })}
      >
        <p>{words('cockpit.restart-text')}</p>
      </Reasoned>
      <button type="button" className="btn btn-danger" onClick={toWalkover}>
        {words('live.walkover')}…
      </button>
    </div>
  )
}

interface ChoiceProps {
  readonly label: ReactNode
  readonly value: string
  readonly set: (value: string) => void
  readonly options: readonly (readonly [value: string, text: string])[]
}

function Choice({ label, value, set, options }: ChoiceProps) {
  return (
    <label className="field">
      <span>{label}</span>
      <select className="in" required value={value} onChange={({ target }) => set(target.value)}>
        <option value="">{words('cockpit.choose')}</option>
        {options.map(([each, text]) => (
          <option key={each} value={each}>
            {text}
          </option>
        ))}
      </select>
    </label>
  )
}

function SetMap({ session, ops }: Table) {
  const [map, setMap] = useState('')
  const maps = (session.pool?.maps ?? []).map((each) => [each.guid, titleOf(each.map)] as const)
  return (
    <Reasoned
      label={words('cockpit.set-map')}
      title={words('cockpit.set-map')}
      ops={ops}
      isReady={map !== ''}
      act={(reason) => ops.send('override', { op: 'set_map', map, reason })}
    >
      <Choice label={words('cockpit.map')} value={map} set={setMap} options={maps} />
    </Reasoned>
  )
}

function AwardMap({ session, ops }: Table) {
  const [winner, setWinner] = useState('')
  const [game, setGame] = useState('')
  const games = session.games.filter(({ phase }) => phase !== 'up_next')
  return (
    <Reasoned
      label={words('cockpit.award')}
      title={words('cockpit.award')}
      ops={ops}
      isReady={winner !== ''}
      act={(reason) =>
        ops.send('override', {
          ...{ op: 'award_map', winner: Number(winner), reason },
          ...(game !== '' && { game: Number(game) }),
        })
      }
    >
      <Choice
        label={words('cockpit.winner')}
        value={winner}
        set={setWinner}
        options={session.seats.map(({ seat, name }) => [String(seat), name])}
      />
      <label className="field">
        <span>{words('cockpit.game')}</span>
        <select className="in" value={game} onChange={({ target }) => setGame(target.value)}>
          <option value="">{words('cockpit.this-game')}</option>
          {games.map((each) => (
            <option key={each.game} value={each.game}>
              {each.game}
            </option>
          ))}
        </select>
      </label>
    </Reasoned>
  )
}

function GoTo({ session, ops }: Table) {
  const [step, setStep] = useState('')
  const lines = session.flow === null ? [] : linesOf(session.flow.steps)
  return (
    <Reasoned
      label={words('cockpit.go-to')}
      title={words('cockpit.go-to')}
      ops={ops}
      isReady={step !== ''}
      act={(reason) => ops.send('override', { op: 'go_to', step, reason })}
    >
      <Choice
        label={words('cockpit.step')}
        value={step}
        set={setStep}
        options={lines.map(({ path, text }) => [path, `${path} ${text}`])}
      />
    </Reasoned>
  )
}

const seatsOf = ({ session }: Table) => session.seats.map(({ seat, name }) => [String(seat), name] as const)

/** The members of a seat's team. */
function membersOf({ view }: Table, seat: string): readonly (readonly [guid: string, name: string])[] {
  return (view.people.teams[Number(seat) - 1]?.members ?? []).map(({ user }) => [user.guid, ownName(user)])
}

function Substitute(table: Table) {
  const { session, ops } = table
  const [seat, setSeat] = useState('')
  const [out, setOut] = useState('')
  const [incoming, setIn] = useState('')
  const lineup = session.seats.find((each) => String(each.seat) === seat)?.lineup ?? []
  const members = membersOf(table, seat)
  return (
    <Reasoned
      label={words('cockpit.substitute')}
      title={words('cockpit.substitute')}
      ops={ops}
      isReady={seat !== '' && out !== '' && incoming !== ''}
      act={(reason) => ops.send('override', { op: 'substitute', seat: Number(seat), out, in: incoming, reason })}
    >
      <Choice label={words('cockpit.team')} value={seat} set={setSeat} options={seatsOf(table)} />
      <Choice
        label={words('cockpit.out')}
        value={out}
        set={setOut}
        options={members.filter(([guid]) => lineup.includes(guid))}
      />
      <Choice
        label={words('cockpit.in')}
        value={incoming}
        set={setIn}
        options={members.filter(([guid]) => !lineup.includes(guid))}
      />
    </Reasoned>
  )
}

/** Who may act for a team, in the place of its captain. */
function Speakers(table: Table) {
  const { ops } = table
  const [seat, setSeat] = useState('')
  const [user, setUser] = useState('')
  return (
    <Reasoned
      label={words('cockpit.speaker')}
      title={words('cockpit.speaker')}
      ops={ops}
      isReady={seat !== '' && user !== ''}
      act={(reason) => ops.send('override', { op: 'speakers', seat: Number(seat), users: [user], reason })}
    >
      <p>{words('cockpit.speaker-text')}</p>
      <Choice label={words('cockpit.team')} value={seat} set={setSeat} options={seatsOf(table)} />
      <Choice label={words('cockpit.player')} value={user} set={setUser} options={membersOf(table, seat)} />
    </Reasoned>
  )
}
