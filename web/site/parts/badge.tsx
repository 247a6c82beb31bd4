import { useState } from 'react'
import styles from './badge.module.css'
import { initialsOf } from './team.tsx'

/**
 * The picture of a badge as it is, since small ones have no smaller variants; the letters of its name where none comes.
 * (W23)
 */
export function Picture({
  address,
  name,
  isLarge = false,
}: {
  readonly address: string | null
  readonly name: string
  readonly isLarge?: boolean
}) {
  const [broken, setBroken] = useState<string | null>(null)
  const size = isLarge ? 96 : 48
  return (
    <span className={`${styles.picture} ${isLarge ? styles.large : ''}`} aria-hidden="true">
      {address === null || address === broken ? (
        initialsOf(name)
      ) : (
        <img src={address} alt="" width={size} height={size} loading="lazy" onError={() => setBroken(address)} />
      )}
    </span>
  )
}
