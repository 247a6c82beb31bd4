import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useMay, useTournamentId } from '../data/tournament.ts'
import { type ManagePath, pageOfAct } from './pages.ts'

/** A link to the page on which something is done, for readers who may do it there. */
export function ActLink({
  act,
  hash,
  isMain = false,
  children,
}: {
  readonly act: string
  readonly hash?: string
  /** As the button of the page. */
  readonly isMain?: boolean
  readonly children: ReactNode
}) {
  const tournament = useTournamentId()
  const page = pageOfAct(act, useMay())
  if (page === undefined) return null
  return (
    <Link
      to={page.to as ManagePath}
      params={{ tournament }}
      {...(hash !== undefined && { hash })}
      {...(isMain && { className: 'btn btn-primary' })}
    >
      {children}
    </Link>
  )
}
