import { useState } from 'react'
import { words } from '../../data/words.ts'
import { TextField } from '../../parts/form/fields.tsx'
import { Form } from '../../parts/form/form.tsx'
import { useForm } from '../../parts/form/use-form.ts'
import { Icon } from '../../parts/icon.tsx'
import { TeamName } from '../../parts/team.tsx'
import styles from './qualifier.module.css'
import type { Decision, Undecided } from './seed.tsx'

/** Teams that nothing parts, while only some go on: their order is decided by hand with a reason, or drawn. (D67) */

interface Props {
  readonly of: Undecided
  readonly decide: (decision: Decision) => void
}

export function Ties({ of: { ties, commitment }, decide }: Props) {
  const [order, setOrder] = useState(() => ties.map(({ teams }) => teams))
  const form = useForm({ key: null, saved: { reason: '' } })
  const move = (tie: number, from: number, to: number) =>
    setOrder((before) => {
      const teams = before[tie] ?? []
      const team = teams[from]
      return team === undefined ? before : before.with(tie, teams.toSpliced(from, 1).toSpliced(to, 0, team))
    })
  return (
    <div className={`notice notice-warning ${styles.ties}`}>
      <p className="strong">{words('ledger.tied', { count: ties.length })}</p>
      <p>{words('ledger.tied-text')}</p>
      <Form
        className={styles.form}
        onSubmit={() => decide({ order: order.flat().map(({ guid }) => guid), reason: form.values.reason.trim() })}
      >
        {order.map((teams, tie) => (
          <fieldset key={ties[tie]?.places.join()}>
            <legend className="strong">
              {words('ledger.tied-for', { places: ties[tie]?.places.join(', ') ?? '' })}
            </legend>
            <ol className="lines">
              {teams.map((team, at) => (
                <li key={team.guid} className={styles.tied}>
                  <span className="push">
                    <TeamName team={team} />
                  </span>
                  {(['up', 'down'] as const).map((way) => {
                    const to = way === 'up' ? at - 1 : at + 1
                    const isEnd = to < 0 || to >= teams.length
                    return (
                      <button
                        key={way}
                        type="button"
                        className="btn btn-quiet btn-icon"
                        aria-label={words(`poolers.move-${way}`, { name: team.name })}
                        aria-disabled={isEnd}
                        onClick={() => isEnd || move(tie, at, to)}
                      >
                        <Icon name={way} />
                      </button>
                    )
                  })}
                </li>
              ))}
            </ol>
          </fieldset>
        ))}
        <TextField form={form} name="reason" label={words('ledger.tie-reason')} isRequired maxLength={500} />
        <div className="btns">
          <button type="submit" className="btn" aria-disabled={form.values.reason.trim() === ''}>
            {words('ledger.take-order')}
          </button>
          <button type="button" className="btn" onClick={() => decide({ draw: true })}>
            {words('ledger.draw')}
          </button>
        </div>
        <p className="small muted">
          {words('ledger.commitment')} <span className={`code ${styles.cut}`}>{commitment}</span>
        </p>
      </Form>
    </div>
  )
}
