import { useState } from 'react'
import type { Map as CatalogueMap, UsedBefore } from '../../../../client/generated.ts'
import { mirrorUrl } from '../../../../src/core/mirror.ts'
import { words } from '../../data/words.ts'
import { difficultyOf, mapName, numberOf } from '../../parts/map.tsx'
import { lengthOf } from '../../parts/numbers.ts'
import { initialsOf } from '../../parts/team.tsx'
import styles from './pools.module.css'

/** A map in the lists of poolers: its picture, what it is called, and the numbers by which it is judged. */

interface OfMap {
  readonly map: CatalogueMap
}

/**
 * The picture of a map, else its initials. The service shows pictures of maps only once everybody may see these: the address
 * of a picture would tell which maps are in drafts. (M26)
 */
export function Cover({
  map,
  isPublic,
  isLarge = false,
}: OfMap & { readonly isPublic: boolean; readonly isLarge?: boolean }) {
  const [broken, setBroken] = useState<string | null>(null)
  const { imageUrl } = map
  const size = isLarge ? 72 : 36
  return (
    <span className={`${styles.cover} ${isLarge ? styles.large : ''}`} aria-hidden="true">
      {isPublic && imageUrl !== null && imageUrl !== broken ? (
        <img
          src={mirrorUrl('', imageUrl)}
          alt=""
          width={size}
          height={size}
          loading="lazy"
          onError={() => setBroken(imageUrl)}
        />
      ) : (
        initialsOf(mapName(map))
      )}
    </span>
  )
}

/** Whether a suggested map is known to everybody, from another pool. */
export const isPublicElsewhere = (used: readonly UsedBefore[] = []): boolean =>
  used.some(({ identity, publishedAt }) => identity === 'exact' && publishedAt !== null)

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

/** The names of these columns; narrow lists say them with the numbers. */
export function NumbersHead() {
  return (
    <span className={`small muted ${styles.numbers}`} aria-hidden="true">
      <span>{words('maps.difficulty')}</span>
      <span>{words('maps.length')}</span>
      <span>{words('poolers.nps')}</span>
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
