import { Link } from '@tanstack/react-router'
import { useOwnPlatforms } from '../data/platforms.ts'
import { words } from '../data/words.ts'

/** The way to the requests that wait, for readers who review a platform. */
export function Reviewing() {
  if ((useOwnPlatforms().data ?? []).length === 0) return null
  return (
    <li>
      <Link to="/review">{words('review.title')}</Link>
    </li>
  )
}
