import { words } from '../../../data/words.ts'
import { decimalOf, lengthOf } from '../../../parts/numbers.ts'
import { Flair } from '../flair.tsx'
import { type PoolMap, titleOf } from '../view.ts'
import styles from './own.module.css'

/** A map of the pool, as one chooses by it: its category, name, difficulty and length. */
export function MapLine({ of }: { readonly of: PoolMap }) {
  const { map, isTiebreaker } = of
  const { difficulty, durationSeconds, nps, mapper } = map
  const about = [
    difficulty.replace('Plus', '+'),
    ...(durationSeconds === null ? [] : [lengthOf(durationSeconds)]),
    ...(nps === null ? [] : [words('play.nps', { nps: decimalOf(nps) })]),
    ...(mapper === null ? [] : [words('play.mapped-by', { mapper })]),
  ].join(', ')
  return (
    <span className={styles.map}>
      <span className={styles.mapName}>
        <Flair of={of} /> <bdi className="strong">{titleOf(map)}</bdi>
        {isTiebreaker && of.flair !== null && <span className="muted"> {words('choice.tiebreaker')}</span>}
      </span>
      <span className={`small muted ${styles.about}`} dir="auto">
        {about}
      </span>
    </span>
  )
}
