import type { Import } from '../../../../client/generated.ts'
import { words } from '../../data/words.ts'
import { difficultyOf, mapName } from '../../parts/map.tsx'
import { State } from '../../parts/state.tsx'
import styles from './pools.module.css'

/** What becomes of each row of an import. */

const shapes = {
  added: 'done',
  present: 'waiting',
  choice: 'problem',
  missing: 'problem',
  pending: 'waiting',
  rejected: 'off',
} as const

export function TotalsOf({ of }: { readonly of: Import['counts'] }) {
  return (
    <span className="muted" role="status">
      {words('poolers.import-totals', { ...of })}
    </span>
  )
}

export function ImportRows({ rows }: { readonly rows: Import['rows'] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a table wider than the page is scrolled by keys too
    <section className="wide-content" tabIndex={0} aria-label={words('poolers.import-rows')}>
      <table className="table">
        <thead>
          <tr>
            <th scope="col" className="n narrow">
              {words('poolers.import-row')}
            </th>
            <th scope="col">{words('maps.map')}</th>
            <th scope="col" className="narrow">
              {words('maps.difficulty')}
            </th>
            <th scope="col">{words('poolers.outcome')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ index, input, outcome, reason, map, choices }) => (
            <tr key={index}>
              <td className="n narrow">{index + 1}</td>
              <th scope="row" className={styles.input}>
                <bdi>{map === null ? input : mapName(map)}</bdi>
              </th>
              <td className="narrow">{map === null ? '–' : difficultyOf(map)}</td>
              <td>
                <State
                  shape={shapes[outcome]}
                  {...((outcome === 'choice' || outcome === 'missing') && { tone: 'warning' as const })}
                  {...(outcome === 'rejected' && { tone: 'alert' as const })}
                >
                  {words(`poolers.outcome-${outcome}`)}
                </State>
                {choices.length > 0 && (
                  <p className="small muted">{choices.map((each) => difficultyOf(each)).join(', ')}</p>
                )}
                {outcome === 'rejected' && reason !== null && (
                  <p className="small muted">{words('poolers.outcome-why', { reason: reason.replaceAll('.', '_') })}</p>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
