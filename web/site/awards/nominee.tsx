import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Nominee } from '../../../client/generated.ts'
import { words } from '../data/words.ts'
import { Face } from '../parts/team.tsx'
import styles from './awards.module.css'

/** A nominee: what it is, and its place and votes once they are public. */

const percent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 })

interface Props {
  readonly nominee: Nominee
  /** What the reader chooses it by, in the place of its number. */
  readonly choice?: ReactNode
}

export function NomineeLine({ nominee, choice }: Props) {
  const { label, imageUrl, description, declined, result } = nominee
  return (
    <li className={styles.nominee}>
      {choice ?? (
        <span className="num" title={words('awards.place')}>
          {result?.place ?? (result === null ? '' : '–')}
        </span>
      )}
      <Face name={label} picture={imageUrl} isTeam width={128} />
      <div>
        <Name nominee={nominee} />
        {declined && <span className="muted"> {words('awards.declined')}</span>}
        {result?.winner && <span className={styles.winner}>{words('awards.winner')}</span>}
        {description !== '' && (
          <p className="muted small" dir="auto">
            {description}
          </p>
        )}
        {result?.share != null && (
          <svg className={styles.bar} viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
            <rect width={result.share * 100} height="4" />
          </svg>
        )}
      </div>
      {result?.votes != null && result.share !== null && (
        <p className={styles.votes}>
          <b className="num">{result.votes}</b>{' '}
          <span className="muted small">
            {words('awards.votes', { count: result.votes, share: percent.format(result.share) })}
          </span>
        </p>
      )}
    </li>
  )
}

function Name({ nominee: { label, link, user, team, tournament, result } }: { readonly nominee: Nominee }) {
  const name = <bdi>{label}</bdi>
  const className = `plain ${result?.winner ? 'strong' : ''}`
  if (user !== null)
    return (
      <Link to="/u/$user" params={{ user: user.guid }} className={className}>
        {name}
      </Link>
    )
  if (team !== null)
    return (
      <Link
        to="/t/$tournament/teams/$team"
        params={{ tournament: team.tournament.id, team: team.id }}
        className={className}
      >
        {name}
      </Link>
    )
  if (tournament !== null)
    return (
      <Link to="/t/$tournament" params={{ tournament: tournament.id }} className={className}>
        {name}
      </Link>
    )
  if (link !== null)
    return (
      <a href={link} rel="nofollow ugc noopener" className={className}>
        {name}
      </a>
    )
  return <span className={className}>{name}</span>
}
