import { Link } from '@tanstack/react-router'
import { type CSSProperties, useState } from 'react'
import styles from './team.module.css'

/** A team: a bar of its own colour, and its name. */

interface Named {
  readonly id: string
  readonly name: string
  readonly color?: string | null
}

/** The colour of a team as a custom property; teams without one have the colour of edges. */
export const colorOf = (team: { readonly color?: string | null } | null): CSSProperties =>
  ({ '--team': team?.color ?? 'var(--edge)' }) as CSSProperties

export function TeamName({ team, isStrong = false }: { readonly team: Named; readonly isStrong?: boolean }) {
  return (
    <span className={`${styles.team} ${isStrong ? 'strong' : ''}`} style={colorOf(team)}>
      <bdi>{team.name}</bdi>
    </span>
  )
}

export function TeamLink({
  team,
  tournament,
  isStrong = false,
}: {
  readonly team: Named
  readonly tournament: string
  readonly isStrong?: boolean
}) {
  return (
    <Link
      to="/t/$tournament/teams/$team"
      params={{ tournament, team: team.id }}
      className={`${styles.team} ${isStrong ? 'strong' : ''}`}
      style={colorOf(team)}
    >
      <bdi>{team.name}</bdi>
    </Link>
  )
}

interface FaceProps {
  readonly name: string
  readonly picture: string | null
  readonly isTeam?: boolean
  /** The narrowest size that pictures of this kind come in. (M18) */
  readonly width?: 64 | 128
}

/** The picture of a team or a person in its narrowest size; their initials where there is none. (W23) */
export function Face({ name, picture, isTeam = false, width = 64 }: FaceProps) {
  const [broken, setBroken] = useState<string | null>(null)
  const own = picture?.endsWith('/full.webp') ? picture.replace(/full\.webp$/, `${width}.webp`) : null
  return (
    <span className={isTeam ? styles.emblem : styles.face} aria-hidden="true">
      {own === null || own === broken ? (
        initialsOf(name)
      ) : (
        <img src={own} alt="" width="28" height="28" loading="lazy" onError={() => setBroken(own)} />
      )}
    </span>
  )
}

export function initialsOf(name: string): string {
  const parts = name.split(/[\s_-]+/).filter((part) => part !== '')
  const letters = parts.length > 1 ? parts.slice(0, 2).map((part) => Array.from(part)[0]) : Array.from(name).slice(0, 2)
  return letters.join('').toUpperCase()
}
