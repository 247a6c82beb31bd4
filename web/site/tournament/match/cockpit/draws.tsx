import { words } from '../../../data/words.ts'
import { Section } from '../../../parts/section.tsx'
import styles from './cockpit.module.css'
import type { Table } from './ops.ts'

/** That nothing was drawn twice can be checked by everybody: the commitment before, the seed at the end. (match-flows: Draws) */
export function Draws({ session }: Table) {
  const { commitment, drawnAs, nonces, seed } = session.draws
  if (commitment === null) return null
  const given = session.seats.filter((_seat, at) => nonces[at] != null).map(({ name }) => name)
  return (
    <Section title={words('cockpit.draws')}>
      <details className={styles.draws}>
        <summary>
          <span className="code">{`${commitment.slice(0, 6)}…${commitment.slice(-4)}`}</span>{' '}
          {given.length > 0 && <bdi className="muted">{words('cockpit.nonces', { teams: given.join(', ') })}</bdi>}
        </summary>
        <p className="code">{commitment}</p>
        <p className="muted">{seed === null ? words('cockpit.seed-later') : words('cockpit.seed')}</p>
        {seed !== null && <p className="code">{seed}</p>}
        {drawnAs !== session.session && (
          <>
            <p className="muted">{words('cockpit.drawn-as')}</p>
            <p className="code">{drawnAs}</p>
          </>
        )}
      </details>
    </Section>
  )
}
