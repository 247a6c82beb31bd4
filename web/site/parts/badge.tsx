import styles from './badge.module.css'
import { initialsOf } from './team.tsx'

/** The picture of a badge as it is, since small ones have no smaller variants, or the letters of its name. (W23) */
export function Picture({
  address,
  name,
  isLarge = false,
}: {
  readonly address: string | null
  readonly name: string
  readonly isLarge?: boolean
}) {
  const size = isLarge ? 96 : 48
  return (
    <span className={`${styles.picture} ${isLarge ? styles.large : ''}`} aria-hidden="true">
      {address === null ? initialsOf(name) : <img src={address} alt="" width={size} height={size} loading="lazy" />}
    </span>
  )
}
