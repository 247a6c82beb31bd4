import { words } from '../../data/words.ts'
import { groupName } from '../../parts/bracket/groups.ts'
import { TextValue } from '../../parts/form/fields.tsx'
import type { FormState } from '../../parts/form/use-form.ts'
import { TeamName } from '../../parts/team.tsx'
import styles from './brackets.module.css'
import type { Tie, TieDecision, Wish } from './wish.ts'

/** Teams that nothing parts, only some of them going on: an order with its reason, or a draw. (D67) */

interface Props {
  readonly form: FormState<Wish>
  readonly ties: readonly Tie[]
  readonly commitment: string
}

export function TieFields({ form, ties, commitment }: Props) {
  const { tie } = form.values
  const decide = (part: Partial<TieDecision>) =>
    form.set('tie', { ties, commitment, by: 'draw', reason: '', ...tie, ...part })
  const move = (at: number, from: number, by: number) =>
    decide({
      ties: ties.map((each, index) => (index === at ? { ...each, teams: moved(each.teams, from, from + by) } : each)),
    })
  return (
    <fieldset className={`notice notice-warning ${styles.tie}`}>
      <legend className="strong">{words('draw.tied')}</legend>
      <p>{words('draw.tied-text')}</p>
      {ties.map(({ groupIndex, places, teams }, at) => (
        <div key={`${groupIndex} ${places.join(' ')}`}>
          <p>
            {groupIndex !== null && `${words('standings.group', { group: groupName(groupIndex) })}, `}
            {words('draw.tied-places', { places: places.join(', '), count: places.length })}
          </p>
          <ol className="lines">
            {teams.map((team, index) => (
              <li key={team.guid} className={styles.tied}>
                <TeamName team={team} />
                {tie?.by === 'order' && (
                  <span className="btns">
                    {([-1, 1] as const).map((by) => (
                      <button
                        key={by}
                        type="button"
                        className="btn"
                        aria-disabled={teams[index + by] === undefined}
                        onClick={() => move(at, index, by)}
                      >
                        {words(by < 0 ? 'draw.up' : 'draw.down')}
                        <span className="unseen"> {team.name}</span>
                      </button>
                    ))}
                  </span>
                )}
              </li>
            ))}
          </ol>
        </div>
      ))}
      <label className="choice">
        <input type="radio" name="tie" checked={tie?.by === 'draw'} onChange={() => decide({ by: 'draw' })} />
        {words('draw.tied-draw')}
      </label>
      <label className="choice">
        <input type="radio" name="tie" checked={tie?.by === 'order'} onChange={() => decide({ by: 'order' })} />
        {words('draw.tied-order')}
      </label>
      {tie?.by === 'draw' && (
        <p className="small">
          {words('draw.tied-commitment')} <span className={styles.digest}>{commitment}</span>
        </p>
      )}
      {tie?.by === 'order' && (
        <TextValue
          name="reason"
          label={words('draw.tied-reason')}
          hint={words('draw.tied-reason-hint')}
          isRequired
          maxLength={500}
          value={tie.reason}
          change={(reason) => decide({ reason })}
        />
      )}
    </fieldset>
  )
}

function moved<Item>(items: readonly Item[], from: number, to: number): readonly Item[] {
  const left = items.toSpliced(from, 1)
  return left.toSpliced(to, 0, ...items.slice(from, from + 1))
}
