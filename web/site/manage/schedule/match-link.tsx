import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Match } from '../../../../client/generated.ts'
import { from, searchWith } from './search.ts'

/** Opens a match next to the plan. */
export function OpenMatch({
  match,
  isOpen,
  className = 'plain',
  children,
}: {
  readonly match: Match
  readonly isOpen: boolean
  readonly className?: string
  readonly children: ReactNode
}) {
  return (
    <Link
      from={from}
      to="."
      search={(search) => searchWith(search, 'match', match.guid)}
      className={className}
      resetScroll={false}
      data-match={match.guid}
      {...(isOpen && { 'aria-current': 'true' })}
    >
      {children}
    </Link>
  )
}
