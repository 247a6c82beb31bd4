import { useState } from 'react'
import type { Pool, PoolMap } from '../../../../client/generated.ts'
import { useTournamentId } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { useWrite } from '../../data/writes.ts'
import { StateIcon } from '../../parts/icon.tsx'
import { Failure } from '../../parts/loaded.tsx'
import { mapName } from '../../parts/map.tsx'
import { lengthOf } from '../../parts/numbers.ts'
import { Section } from '../../parts/section.tsx'
import { State } from '../../parts/state.tsx'
import { Findings } from './findings.tsx'
import styles from './pools.module.css'
import { poolAddress } from './reads.ts'

/** What is worth a look before a pool is published: what keeps it, and what does not but may be unwanted. */

const usualMinutes = 5

export function Checks({ pool }: { readonly pool: Pool }) {
  const tournament = useTournamentId()
  const [minutes, setMinutes] = useState(String(usualMinutes))
  const check = useWrite('POST /tournaments/{tournament}/pools/{pool}/maps/check', (known, reply) =>
    known.put(poolAddress(tournament, pool.guid), reply),
  )
  const send = () => void check.send({ params: { tournament, pool: pool.guid } })
  const failures = pool.failures ?? []
  const findings = [...twiceOf(pool.maps), ...usedOf(pool.maps), ...longOf(pool.maps, Number(minutes || usualMinutes))]
  return (
    <Section
      title={words('poolers.checks')}
      beside={
        <div className="btns">
          <label className={styles.sort}>
            <span className="muted">{words('poolers.too-long-from')}</span>
            <input
              className={`in num ${styles.minutes}`}
              type="number"
              min={1}
              max={60}
              value={minutes}
              onChange={({ target }) => setMinutes(target.value)}
            />
          </label>
          <button
            type="button"
            className="btn"
            aria-disabled={check.isSending || pool.maps.length === 0}
            onClick={send}
          >
            {words('poolers.check-now')}
          </button>
          <span role="status" className="muted">
            {check.isSending ? words('poolers.checking') : check.isDone ? words('poolers.checked') : ''}
          </span>
        </div>
      }
    >
      {check.error !== null && <Failure error={check.error} again={send} isTrying={check.isSending} />}
      {failures.length + findings.length === 0 && (
        <p>
          <State shape="done">{words('poolers.no-findings')}</State>
        </p>
      )}
      <Findings pool={pool} failures={failures} />
      <ul className={`lines ${styles.findings}`}>
        {findings.map((text) => (
          <li key={text}>
            <StateIcon name="waiting" />
            <span>{text}</span>
          </li>
        ))}
      </ul>
    </Section>
  )
}

/** Songs that stand there in several difficulties or versions. */
function twiceOf(maps: readonly PoolMap[]): readonly string[] {
  const songs = Object.groupBy(maps, ({ map }) => map.key ?? map.hash)
  return Object.values(songs).flatMap((same) => {
    const [first] = same ?? []
    if (first === undefined || (same ?? []).length < 2) return []
    return [words('poolers.song-twice', { name: mapName(first.map), count: (same ?? []).length })]
  })
}

function usedOf(maps: readonly PoolMap[]): readonly string[] {
  return maps.flatMap(({ map, usedBefore = [] }) => {
    const [last] = usedBefore
    if (last === undefined) return []
    return [
      words('poolers.was-used', {
        name: mapName(map),
        pool: `${last.tournament.name}, ${last.pool.name}`,
        more: usedBefore.length - 1,
        identity: last.identity,
      }),
    ]
  })
}

function longOf(maps: readonly PoolMap[], minutes: number): readonly string[] {
  return maps
    .filter(({ map }) => (map.durationSeconds ?? 0) > minutes * 60)
    .map(({ map }) => words('poolers.is-long', { name: mapName(map), length: lengthOf(map.durationSeconds) }))
}
