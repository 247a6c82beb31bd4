import { Link } from '@tanstack/react-router'
import type { Flair } from '../../../client/generated.ts'
import type { ListedMap } from '../data/generated.ts'
import { words } from '../data/words.ts'
import styles from './map.module.css'

/** What the pages of maps and pools show alike. */

type Shown = Pick<ListedMap, 'guid' | 'hash' | 'name' | 'subName' | 'artist' | 'mapper'>

/** The name of a map; of one that the catalogue does not know, the start of its hash. */
export const mapName = ({ name, hash }: { readonly name: string | null; readonly hash: string }): string =>
  name ?? hash.slice(0, 8)

export function MapLink({ map }: { readonly map: Shown }) {
  return (
    <>
      <Link to="/maps/$map" params={{ map: map.guid }} className="plain strong">
        <bdi>{mapName(map)}</bdi>
        {map.subName !== null && (
          <>
            {' '}
            <bdi>{map.subName}</bdi>
          </>
        )}
      </Link>
      {map.artist !== null && (
        <p className="muted small">
          <bdi>{map.artist}</bdi>
        </p>
      )}
    </>
  )
}

export function MapperLink({ mapper }: { readonly mapper: string | null }) {
  if (mapper === null) return <>–</>
  return (
    <Link to="/maps" search={{ mapper }} className="plain">
      <bdi>{mapper}</bdi>
    </Link>
  )
}

export function FlairName({ flair }: { readonly flair: Pick<Flair, 'name' | 'color'> | null }) {
  if (flair === null) return null
  return (
    <span className={styles.flair}>
      <svg width="10" height="10" viewBox="0 0 10 10" aria-hidden="true">
        <rect width="10" height="10" rx="2" fill={flair.color} />
      </svg>
      <bdi>{flair.name}</bdi>
    </span>
  )
}

export const numberOf = (value: number | null, digits = 0): string =>
  value === null ? '–' : value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })

/** The difficulty, with the characteristic where it is not the usual one. */
export function difficultyOf({ difficulty, characteristic }: Pick<ListedMap, 'difficulty' | 'characteristic'>): string {
  const name = words(`difficulty.${difficulty}`)
  return characteristic === 'Standard' ? name : `${name}, ${characteristic}`
}
