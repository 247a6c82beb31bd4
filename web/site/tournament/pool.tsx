import { Link, useParams } from '@tanstack/react-router'
import type { CSSProperties } from 'react'
import type { Flair, Pool, PoolChange, PoolMap } from '../../../client/generated.ts'
import { address } from '../data/api.ts'
import { useRead } from '../data/queries.ts'
import { words } from '../data/words.ts'
import { CopyButton } from '../parts/copy.tsx'
import { Empty, Loaded } from '../parts/loaded.tsx'
import { decimalOf, lengthOf } from '../parts/numbers.ts'
import { PrintButton, Printed } from '../parts/print.tsx'
import { Section } from '../parts/section.tsx'
import { Instant } from '../parts/time.tsx'
import styles from './pools.module.css'
import { Appearance, PlaylistLink } from './pools.tsx'
import { useTournament, useTournamentId } from './reads.ts'

/** A map pool: its maps with their flairs, its playlist, and its corrections. */
export function PoolPage() {
  const tournament = useTournamentId()
  const { pool } = useParams({ from: '/t/$tournament/pools/$pool' })
  const read = useRead(address('/tournaments/{tournament}/pools/{pool}', { tournament, pool }), { live: true })
  return (
    <Printed name={useTournament().data?.name} className="page stack">
      <Loaded of={read} rows={12}>
        {(found) => <Shown pool={found} tournament={tournament} />}
      </Loaded>
    </Printed>
  )
}

function Shown({ pool, tournament }: { readonly pool: Pool; readonly tournament: string }) {
  const place = useTournament().data
  return (
    <>
      <div className="title">
        <div>
          <p>
            <Link to="/t/$tournament/pools" params={{ tournament }}>
              {words('tournament.pools')}
            </Link>
          </p>
          <h1 data-title={`${pool.name} · ${place?.name ?? ''}`}>
            <bdi>{pool.name}</bdi>
          </h1>
          <p>
            {words('pools.count', { count: pool.maps.length })} <Appearance of={pool} />
          </p>
        </div>
        <div className="btns no-print">
          {pool.status !== 'draft' && <PlaylistLink pool={pool} />}
          <PrintButton isSmall />
        </div>
      </div>
      {pool.description !== null && (
        <p className={styles.description} dir="auto">
          {pool.description}
        </p>
      )}
      {pool.maps.length === 0 ? <Empty>{words('pools.empty')}</Empty> : <Maps maps={pool.maps} name={pool.name} />}
      {pool.changes.length > 0 && (
        <Section title={words('pools.changes')}>
          <ul className={`lines ${styles.changes}`}>
            {pool.changes.map((change) => (
              <Change key={change.revision} change={change} />
            ))}
          </ul>
        </Section>
      )}
    </>
  )
}

function Maps({ maps, name }: { readonly maps: readonly PoolMap[]; readonly name: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a table wider than the page is scrolled by keys too
    <section className="wide-content" tabIndex={0} aria-label={words('pools.maps-of', { name })}>
      <table className="table">
        <thead>
          <tr>
            <th scope="col" className="narrow only-wide">
              {words('pools.flair')}
            </th>
            <th scope="col">{words('map.map')}</th>
            <th scope="col" className="narrow only-wide">
              {words('map.difficulty')}
            </th>
            <th scope="col" className="n narrow only-wide">
              {words('map.length')}
            </th>
            <th scope="col" className="n narrow only-wide">
              {words('map.bpm')}
            </th>
            <th scope="col" className="n narrow only-wide">
              {words('map.njs')}
            </th>
            <th scope="col" className="n narrow only-wide">
              {words('map.nps')}
            </th>
            <th scope="col" className="narrow">
              {words('map.key')}
            </th>
          </tr>
        </thead>
        <tbody>
          {maps.map((each) => (
            <Row key={each.guid} of={each} />
          ))}
        </tbody>
      </table>
    </section>
  )
}

function Row({ of: { map, flair, isTiebreaker, modifiers, note } }: { readonly of: PoolMap }) {
  const { artist, mapper, difficulty, durationSeconds, bpm, njs, nps, key } = map
  const name = titleOf(map)
  const length = durationSeconds === null ? '–' : lengthOf(durationSeconds)
  const tiebreaker = words('pools.tiebreaker')
  const extras = [...(isTiebreaker && flair?.name !== tiebreaker ? [tiebreaker] : []), ...modifiers]
  return (
    <tr>
      <td className="narrow only-wide">
        <FlairName of={flair} />
      </td>
      <th scope="row">
        <bdi className="strong">{name}</bdi>
        <span className={`small muted ${styles.by}`}>
          <bdi>{[artist, mapper].filter((each) => each !== null).join(', ')}</bdi>
        </span>
        <span className={`small ${styles.narrow}`}>
          <FlairName of={flair} />
          <span>{difficulty.replace('Plus', '+')}</span>
          <span>{length}</span>
        </span>
        {extras.length > 0 && <span className={`small muted ${styles.by}`}>{extras.join(', ')}</span>}
        {note !== null && (
          <span className={`small ${styles.by}`} dir="auto">
            {note}
          </span>
        )}
      </th>
      <td className="narrow only-wide">{difficulty.replace('Plus', '+')}</td>
      <td className="n only-wide">{length}</td>
      <td className="n only-wide">{bpm === null ? '–' : decimalOf(bpm)}</td>
      <td className="n only-wide">{njs === null ? '–' : decimalOf(njs)}</td>
      <td className="n only-wide">{nps === null ? '–' : decimalOf(nps)}</td>
      <td className="narrow">
        {key !== null && (
          <span className={styles.key}>
            <span className="code">{key}</span>
            <CopyButton text={key} label={words('map.copy-key', { name })} isQuiet />
          </span>
        )}
      </td>
    </tr>
  )
}

function FlairName({ of }: { readonly of: Flair | null }) {
  if (of === null) return null
  return (
    <span className={styles.flair} style={{ '--flair': of.color } as CSSProperties}>
      <bdi>{of.name}</bdi>
    </span>
  )
}

const titleOf = ({ name, subName, hash }: PoolMap['map']): string =>
  name === null ? hash.slice(0, 8) : [name, subName].filter((each) => each !== null && each !== '').join(' ')

const namesOf = (maps: readonly PoolMap[] | null): string => maps?.map(({ map }) => titleOf(map)).join(', ') ?? ''

function Change({ change: { at, kind, before, after, reason } }: { readonly change: PoolChange }) {
  return (
    <li>
      <Instant at={at} />
      <div>
        <p dir="auto">{words(`pools.${kind}`, { before: namesOf(before), after: namesOf(after) })}</p>
        {reason !== null && (
          <p className="muted" dir="auto">
            {reason}
          </p>
        )}
      </div>
    </li>
  )
}
