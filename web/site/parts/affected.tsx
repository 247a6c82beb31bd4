import type { Correction } from '../../../client/generated.ts'
import { words } from '../data/words.ts'

/** What a correction would do to other matches. */
export function Affected({ of }: { readonly of: Correction['affected'] }) {
  return (
    <div role="status" className="notice notice-warning">
      <div>
        <p className="strong">{words('withdraw.affected', { count: of.length })}</p>
        <ul>
          {of.map(({ matchGuid, number, change, before, after }) => (
            <li key={matchGuid}>
              {words('withdraw.match', { number })}: {words(`correction.${change}`)}
              {change === 'team_replaced' && (
                <span className="muted">
                  {' '}
                  (<bdi>{namesOf(before)}</bdi> → <bdi>{namesOf(after)}</bdi>)
                </span>
              )}
            </li>
          ))}
        </ul>
      </div>
    </div>
  )
}

const namesOf = ({ sides }: Correction['affected'][number]['before']): string =>
  sides.map(({ team }) => team?.name ?? words('match.undecided')).join(' – ')
