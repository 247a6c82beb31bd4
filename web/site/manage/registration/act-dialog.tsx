import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { RegistrationState } from '../../../../client/generated.ts'
import { ApiError } from '../../data/api.ts'
import { useTournamentId } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { useWriteEach } from '../../data/writes.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { State } from '../../parts/state.tsx'
import { TeamName } from '../../parts/team.tsx'
import type { Act } from './act.ts'
import { type Entry, isBlocked } from './desk.ts'
import styles from './registration.module.css'

/** Asks before an act, with what it will do to each team; then tells what became of each. (W19) */

interface Props {
  readonly act: Act
  readonly teams: readonly Entry[]
  readonly registration: RegistrationState
  readonly close: (isDone: boolean) => void
}

export function ActDialog({ act, teams, registration: { capacity, registered }, close }: Props) {
  const tournament = useTournamentId()
  const cache = useQueryClient()
  const { send, outcomes } = useWriteEach(act.at)
  const [isSending, setSending] = useState(false)
  const [first, setFirst] = useState('')
  const [waiver, setWaiver] = useState('')
  const seedOf = (at: number) => (act.name === 'qualify' && first !== '' ? Number(first) + at : null)
  const needsWaiver = act.name === 'register' && teams.some(hasPlaceholder)
  const bodyOf = (at: number) => {
    const seed = seedOf(at)
    if (seed !== null) return { seed }
    return needsWaiver && waiver.trim() !== '' ? { waiver: waiver.trim() } : undefined
  }
  // Teams that are refused take no place.
  let left = capacity === null ? Number.POSITIVE_INFINITY : capacity - registered
  const effects = teams.map((entry, at) => {
    const effect = act.effect(entry, { left, seed: seedOf(at) })
    if (!isBlocked(entry)) left -= 1
    return effect
  })
  const start = async () => {
    setSending(true)
    const requests = new Map(
      teams.map(({ team }, at) => {
        const body = bodyOf(at)
        return [team.guid, { params: { tournament, team: team.guid }, ...(body !== undefined && { body }) }]
      }),
    )
    const isDone = await send(requests)
    setSending(false)
    void cache.invalidateQueries({
      predicate: ({ queryKey: [at] }) => String(at).startsWith(`/tournaments/${tournament}`),
    })
    if (isDone) close(true)
  }
  return (
    <Dialog title={words(`desk.ask-${act.name}`, { count: teams.length })} close={() => close(false)}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          void start()
        }}
      >
        <p>{words(`desk.about-${act.name}`)}</p>
        {act.name === 'qualify' && (
          <label className="field">
            <span className="strong">{words(teams.length === 1 ? 'desk.seed' : 'desk.first-seed')}</span>
            <input
              className="in"
              type="number"
              min={1}
              max={1_000_000}
              value={first}
              onChange={({ target }) => setFirst(target.value)}
            />
            <span className="small muted">{words('desk.seed-hint')}</span>
          </label>
        )}
        {needsWaiver && (
          <label className="field">
            <span className="strong">{words('desk.waiver')}</span>
            <input
              className="in"
              maxLength={500}
              value={waiver}
              dir="auto"
              onChange={({ target }) => setWaiver(target.value)}
            />
            <span className="small muted">{words('desk.waiver-hint')}</span>
          </label>
        )}
        <ul className={`lines ${styles.preview}`}>
          {teams.map((entry, at) => (
            <li key={entry.team.guid}>
              <TeamName team={entry.team} />
              <Outcome outcome={outcomes.get(entry.team.guid)} effect={effects[at] ?? ''} />
            </li>
          ))}
        </ul>
        <div className="btns">
          <button
            type="submit"
            className={`btn ${act.isDanger ? 'btn-danger' : 'btn-primary'}`}
            aria-disabled={isSending}
          >
            {words(outcomes.size > 0 && !isSending ? 'desk.try-again' : `desk.act-${act.name}`)}
          </button>
          <button type="button" className="btn" onClick={() => close(false)}>
            {words(outcomes.size > 0 ? 'dialog.close' : 'danger.cancel')}
          </button>
          <span role="status" className="muted">
            {isSending && words('form.saving')}
            {!isSending && outcomes.size > 0 && words('desk.some-refused', { count: refusedOf(outcomes) })}
          </span>
        </div>
      </form>
    </Dialog>
  )
}

const refusedOf = (outcomes: ReadonlyMap<string, unknown>) =>
  [...outcomes.values()].filter((outcome) => outcome instanceof Error).length

const hasPlaceholder = ({ eligibility }: Entry) =>
  eligibility.players.some(({ failures }) => failures.some(({ code }) => code === 'account.none'))

function Outcome({
  outcome,
  effect,
}: {
  readonly outcome: 'sending' | 'done' | Error | undefined
  readonly effect: string
}) {
  if (outcome === undefined) return <span className="muted">{effect}</span>
  if (outcome === 'done') return <State shape="done">{words('desk.done')}</State>
  if (outcome === 'sending') {
    return (
      <State shape="waiting" tone="quiet">
        {words('form.saving')}
      </State>
    )
  }
  return (
    <State shape="problem" tone="alert">
      {outcome instanceof ApiError ? outcome.message : words('form.unreachable')}
    </State>
  )
}
