import type { Correction } from '../../../client/generated.ts'
import { words } from '../data/words.ts'

/** What a correction would do to other matches. */
export function Affected({ of }: { readonly of: Correction['affected'] }) {
  return (
    <div role="status" className="notice notice-warning">
      <div>
        <p className="strong">{words('withdraw.affected', { count: of.length })}</p>
        <ul>
          {of.map(({ matchGuid, number, change }) => (
            <li key={matchGuid}>
              {words('withdraw.match', { number })}: {words(`correction.${change}`)}
            </li>
          ))}
        </ul>
      </div>
    </div>
  )
}
