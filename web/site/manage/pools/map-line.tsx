import { useState } from 'react'
import type { Map as CatalogueMap, UsedBefore } from '../../../../client/generated.ts'
import { words } from '../../data/words.ts'
import { difficultyOf, mapName, numberOf } from '../../parts/map.tsx'
import { lengthOf } from '../../parts/numbers.ts'
import styles from './pools.module.css'

/** A map in the lists of poolers: its picture, what it is called, and the numbers by which it is judged. */

interface OfMap {
  readonly map: CatalogueMap
}

/** The picture has its place before it comes, and keeps it where there is none. */
export function Cover({ map, isLarge = false }: OfMap & { readonly isLarge?: boolean }) {
  const [broken, setBroken] = useState<string | null>(null)
  const { imageUrl } = map
  const size = isLarge ? 96 : 36
  return (
    <span className={`${styles.cover} ${isLarge ? styles.large : ''}`} aria-hidden="true">
      {imageUrl !== null && imageUrl !== broken && (
        <img src={imageUrl} alt="" width={size} height={size} loading="lazy" onError={() => setBroken(imageUrl)} />
      )}
    </span>
  )
}

export function MapTitle({ map }: OfMap) {
  const under = [map.artist, map.mapper].filter((name) => name !== null)
  return (
    <span className={styles.title}>
      <span className="strong">
        <bdi>{mapName(map)}</bdi>
        {map.subName !== null && (
          <>
            {' '}
            <bdi>{map.subName}</bdi>
          </>
        )}
      </span>
      {under.length > 0 && (
        <span className="small muted">
          {under.map((name, at) => (
            <span key={name}>
              {at > 0 && ', '}
              <bdi>{name}</bdi>
            </span>
          ))}
        </span>
      )}
    </span>
  )
}

/** Difficulty, length and density, each in a column of its own. */
export function MapNumbers({ map }: OfMap) {
  return (
    <span className={styles.numbers}>
      <span>{difficultyOf(map)}</span>
      <span className="num">
        <span className="unseen">{words('maps.length')} </span>
        {lengthOf(map.durationSeconds)}
      </span>
      <span className="num">
        <span className="unseen">{words('maps.nps')} </span>
        {numberOf(map.nps, 1)}
      </span>
    </span>
  )
}

/** Where a map was used before; nothing where it was not. */
export function UsedList({ used }: { readonly used: readonly UsedBefore[] }) {
  if (used.length === 0) return null
  return (
    <>
      <h3>{words('poolers.used-before')}</h3>
      <ul className="lines">
        {used.map(({ tournament, pool, publishedAt, identity }) => (
          <li key={pool.guid} className={styles.fact}>
            <span className="push">
              <bdi>{tournament.name}</bdi>, <bdi>{pool.name}</bdi>
            </span>
            <span className="small muted">
              {words(publishedAt === null ? 'poolers.used-draft' : `poolers.used-${identity}`)}
            </span>
          </li>
        ))}
      </ul>
    </>
  )
}
