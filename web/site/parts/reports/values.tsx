import type { Values } from '../../data/reports/types.ts'
import { words } from '../../data/words.ts'
import { percentOf, wholeOf } from '../numbers.ts'

/** What is reported of a side or of a player, in one line: the score, and what else is known. */
export function ValuesOf({ of }: { readonly of: Values | undefined }) {
  if (of === undefined) return <span className="muted">{words('reports.none')}</span>
  const { score, accuracy, misses, completion = 'passed' } = of
  const more = [
    ...(accuracy == null ? [] : [percentOf(accuracy)]),
    ...(misses == null ? [] : [words('reports.misses', { count: misses })]),
    ...(completion === 'passed' ? [] : [words(`reports.is-${completion}`)]),
  ]
  return (
    <>
      <span className="num strong">{score === null ? '–' : wholeOf(score)}</span>
      {more.length > 0 && <span className="small muted"> {more.join(', ')}</span>}
    </>
  )
}
