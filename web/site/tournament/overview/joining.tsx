import { useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import type { Team } from '../../../../client/generated.ts'
import { request } from '../../data/api.ts'
import { words } from '../../data/words.ts'
import styles from './overview.module.css'
import type { Place } from './phase.ts'

/** What a reader does to take part: makes a team, and registers it. */

/** A command of the API, with what became of it. */
function useCommand(done: () => void) {
  const cache = useQueryClient()
  const [isRunning, setRunning] = useState(false)
  const [fault, setFault] = useState<string | null>(null)
  const run = async (path: string, body: object) => {
    setRunning(true)
    setFault(null)
    try {
      await request(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      // Lists of teams and counts of places are other answers, which nobody here follows.
      await cache.invalidateQueries()
      done()
    } catch (error) {
      setFault(error instanceof Error && error.message !== '' ? error.message : words('state.failed'))
    } finally {
      setRunning(false)
    }
  }
  return { run, isRunning, fault }
}

function Fault({ text }: { readonly text: string | null }) {
  if (text === null) return null
  return (
    <p className="notice notice-alert" role="alert">
      <bdi>{text}</bdi>
    </p>
  )
}

interface CreateProps {
  readonly tournament: Place
  readonly reader: string
  readonly done: () => void
}

export function CreateTeam({ tournament: { id, teamSize }, reader, done }: CreateProps) {
  const { run, isRunning, fault } = useCommand(done)
  const field = useId()
  const isSolo = teamSize.max === 1
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        const name = String(new FormData(event.currentTarget).get('name') ?? '').trim()
        void run(`/tournaments/${encodeURIComponent(id)}/teams`, { captainId: reader, ...(name && { teamName: name }) })
      }}
    >
      <div className="field">
        <label htmlFor={field}>{words(isSolo ? 'registration.own-name' : 'registration.team-name')}</label>
        <input id={field} className="in" name="name" maxLength={64} required={!isSolo} autoComplete="off" dir="auto" />
      </div>
      <Fault text={fault} />
      <p className="btns">
        <button type="submit" className="btn btn-primary" disabled={isRunning}>
          {words(isSolo ? 'registration.take-part' : 'registration.make-team')}
        </button>
      </p>
    </form>
  )
}

interface RegisterProps {
  readonly tournament: Place
  readonly team: Team
  readonly done: () => void
}

export function RegisterTeam({ tournament: { id }, team, done }: RegisterProps) {
  const { run, isRunning, fault } = useCommand(done)
  return (
    <>
      <Fault text={fault} />
      <button
        type="button"
        className="btn btn-primary"
        disabled={isRunning}
        onClick={() => void run(`/tournaments/${encodeURIComponent(id)}/register/${team.guid}`, {})}
      >
        {words('registration.register', { team: team.name })}
      </button>
    </>
  )
}
