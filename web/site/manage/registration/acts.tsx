import { useState } from 'react'
import type { RegistrationState } from '../../../../client/generated.ts'
import { useMay } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { Message } from '../message.tsx'
import { type Act, acts } from './act.ts'
import { ActDialog } from './act-dialog.tsx'
import type { Entry } from './desk.ts'
import styles from './registration.module.css'

/** What can be done with the chosen teams: only acts that fit one of them are offered. */
export function BulkActs({
  teams,
  registration,
  done,
}: {
  readonly teams: readonly Entry[]
  readonly registration: RegistrationState
  readonly done?: () => void
}) {
  const [asked, setAsked] = useState<{ readonly act: Act; readonly teams: readonly Entry[] } | null>(null)
  const isOne = done === undefined
  const may = useMay()
  return (
    <div className={isOne ? 'btns' : styles.chosenBar}>
      {!isOne && <span className="strong">{words('desk.chosen', { count: teams.length })}</span>}
      {acts.map((act) => {
        const fitting = teams.filter(act.fits)
        if (fitting.length === 0) return null
        return (
          <button
            key={act.name}
            type="button"
            className={`btn ${act.isDanger ? 'btn-danger' : ''}`}
            onClick={() => setAsked({ act, teams: fitting })}
          >
            {words(`desk.act-${act.name}`)}
            {!isOne && fitting.length < teams.length && <span className={styles.count}>{fitting.length}</span>}…
          </button>
        )
      })}
      {may('registration.message') && <Message teams={teams} />}
      {asked !== null && (
        <ActDialog
          act={asked.act}
          teams={asked.teams}
          registration={registration}
          close={(isDone) => {
            setAsked(null)
            if (isDone) done?.()
          }}
        />
      )}
    </div>
  )
}
