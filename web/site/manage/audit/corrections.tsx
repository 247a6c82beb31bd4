import { useState } from 'react'
import type { CorrectionEntry, TournamentWithParts } from '../../../../client/generated.ts'
import { address } from '../../data/api.ts'
import { useMay, useTournamentId } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { FollowedList } from '../../parts/followed-list.tsx'
import { Section } from '../../parts/section.tsx'
import { Ago } from '../../parts/time.tsx'
import styles from './audit.module.css'
import type { Names } from './names.ts'
import { UndoDialog } from './undo.tsx'

/** Results that were put right, matches that were opened again, withdrawals that were taken back. */

interface Props {
  readonly tournament: TournamentWithParts
  readonly names: Names
}

export function Corrections({ tournament, names }: Props) {
  const id = useTournamentId()
  const at = address('/tournaments/{tournament}/corrections', { tournament: id })
  return (
    <Section title={words('audit.corrections')}>
      <FollowedList at={at} itemsOf={({ corrections }) => corrections} empty={words('audit.no-corrections')} rows={2}>
        {(corrections) => (
          <ol className="lines">
            {corrections.map((correction) => (
              <Line key={correction.guid} of={correction} tournament={tournament} names={names} />
            ))}
          </ol>
        )}
      </FollowedList>
    </Section>
  )
}

function Line({ of, tournament, names }: Props & { readonly of: CorrectionEntry }) {
  const { team, matches, reason, actor, createdAt, undoneAt } = of
  const may = useMay()
  const [isOpen, setOpen] = useState(false)
  const title =
    team === null
      ? words('audit.correction', { count: matches.length, numbers: matches.join(', ') })
      : words('audit.return', { team: names.nameOf(team) ?? words('audit.one-team') })
  return (
    <li className={styles.entry}>
      <p className={styles.when}>
        <Ago at={createdAt} />
      </p>
      <p className={styles.what}>
        {actor !== null && <bdi>{actor.preferredName}</bdi>} <strong>{title}</strong>
      </p>
      <p className={styles.change}>
        {reason === null ? <span className="muted">{words('audit.no-reason')}</span> : <bdi>{reason}</bdi>}
      </p>
      <div className={styles.act}>
        {undoneAt !== null && (
          <span className="muted">
            {words('audit.undone')} <Ago at={undoneAt} />
          </span>
        )}
        {undoneAt === null && may('corrections.undo') && (
          <button type="button" className="btn" onClick={() => setOpen(true)}>
            {words('audit.undo')}…<span className="unseen">{title}</span>
          </button>
        )}
      </div>
      {isOpen && <UndoDialog of={of} title={title} tournament={tournament} close={() => setOpen(false)} />}
    </li>
  )
}
