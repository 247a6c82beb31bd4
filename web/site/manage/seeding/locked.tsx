import { Link } from '@tanstack/react-router'
import type { BracketWithMatches } from '../../../../client/generated.ts'
import { words } from '../../data/words.ts'

/** Once something was played, teams keep their places: why that is, and what can be done all the same. */

/** Whether a match was begun, or a later round was paired from results. */
export function isLocked({ format, rounds, matches }: BracketWithMatches): boolean {
  if (format === 'swiss' && rounds.length > 1) return true
  return matches.some(
    ({ status, outcome, startedAt }) =>
      status === 'running' || startedAt !== null || outcome === 'score' || outcome === 'draw',
  )
}

export function Locked({
  bracket: { guid, matches },
  tournament,
}: {
  readonly bracket: BracketWithMatches
  readonly tournament: string
}) {
  const played = matches.filter(({ outcome, status }) => status === 'completed' && outcome !== 'bye').length
  const running = matches.filter(({ status }) => status === 'running').length
  return (
    <div className="notice notice-warning">
      <div>
        <p className="strong">{words('seeding.locked', { played, running })}</p>
        <p>{words('seeding.locked-why')}</p>
        <ul>
          <li>{words('seeding.locked-correct')}</li>
          <li>{words('seeding.locked-withdraw')}</li>
          <li>
            <Link to="/manage/$tournament/brackets" params={{ tournament }} search={{ again: guid }}>
              {words('draw.again')}
            </Link>
            : {words('seeding.locked-again')}
          </li>
        </ul>
      </div>
    </div>
  )
}
