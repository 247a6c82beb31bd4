import { words } from '../../data/words.ts'
import { StateIcon } from '../../parts/icon.tsx'
import { fullOf } from '../../parts/time.tsx'
import { type Clash, isHard } from './clashes.ts'
import styles from './schedule.module.css'

/** What is wrong with a time, in a sentence. */
export function clashText(clash: Clash, zone: string): string {
  switch (clash.kind) {
    case 'team':
    case 'rest':
    case 'official': {
      const { name, other } = clash
      return words(`plan.clash-${clash.kind}`, { name, number: other.number, time: timeOf(other.scheduledAt, zone) })
    }
    case 'channel':
    case 'before':
    case 'after': {
      const { other } = clash
      return words(`plan.clash-${clash.kind}`, { number: other.number, time: timeOf(other.scheduledAt, zone) })
    }
    case 'unplanned':
      return words('plan.clash-unplanned', { number: clash.other.number })
    case 'answers':
      return words(`plan.answer-${clash.word}`, { name: clash.name })
    case 'starts':
    case 'ends':
      return words(`plan.clash-${clash.kind}`, { time: fullOf(clash.at, zone) })
  }
}

const timeOf = (at: string | null, zone: string) => (at === null ? '' : fullOf(at, zone))

export function Clashes({ of, zone }: { readonly of: readonly Clash[]; readonly zone: string }) {
  return (
    <ul className={styles.clashes}>
      {of.map((clash) => {
        const text = clashText(clash, zone)
        return (
          <li key={text} className={isHard(clash) ? styles.hard : ''}>
            <StateIcon name={isHard(clash) ? 'problem' : 'waiting'} />
            <bdi>{text}</bdi>
          </li>
        )
      })}
    </ul>
  )
}
