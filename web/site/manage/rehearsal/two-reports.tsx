import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { Match } from '../../../../client/generated.ts'
import { divisionIds, useDivisions, useMatchCodes, useMay, useTournamentId } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { useWrite } from '../../data/writes.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { matchLink, sideName } from '../../parts/match.tsx'
import { Section } from '../../parts/section.tsx'
import { useMatches, useRenewMatches } from '../matches.ts'
import styles from './rehearsal.module.css'

/** Two referees report the same map at once, by the ordinary operation: one report is taken, and the other one refused. */

const at = 'PUT /tournaments/{tournament}/matches/{match}/games/{number}'

/** Points of the winner and of the loser. */
const points = [912_345, 905_120] as const

interface Outcome {
  readonly match: Match
  readonly game: number
  /** What became of the report that each side has won; null where it was taken. */
  readonly failures: readonly (Error | null)[]
}

export function TwoReports() {
  const matches = useMatches()
  if (!useMay()('matches.reportGame')) return null
  return (
    <Section title={words('rehearse.two')}>
      <p className="muted">{words('rehearse.two-what')}</p>
      <Loaded of={matches} rows={2}>
        {(all) => <Of match={nextOf(all)} />}
      </Loaded>
    </Section>
  )
}

/** The match that is played now, or else could be played first. */
function nextOf(matches: readonly Match[]): Match | undefined {
  const order = ({ status, scheduledAt, number }: Match) =>
    `${status === 'running' ? 0 : 1} ${scheduledAt ?? '9'} ${String(number).padStart(6, '0')}`
  return matches
    .filter(({ status }) => status === 'running' || status === 'ready')
    .toSorted((one, other) => order(one).localeCompare(order(other)))[0]
}

function Of({ match }: { readonly match: Match | undefined }) {
  const tournament = useTournamentId()
  const codeOf = useMatchCodes()
  const renew = useRenewMatches()
  const first = useWrite(at)
  const second = useWrite(at)
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const isSending = first.isSending || second.isSending
  const send = async (of: Match) => {
    const game = of.games.length + 1
    const params = { tournament, match: of.guid, number: game }
    const report = (side: 0 | 1) => ({
      params,
      body: { sides: (side === 0 ? points : points.toReversed()).map((score) => ({ score })) },
    })
    setOutcome(null)
    const failures = await Promise.all([first.attempt(report(0)), second.attempt(report(1))])
    setOutcome({ match: of, game, failures })
    renew()
  }
  return (
    <div className={styles.two}>
      {match === undefined ? (
        <p className="muted">{words('rehearse.none-ready')}</p>
      ) : (
        <div className="btns">
          <button type="button" className="btn" aria-disabled={isSending} onClick={() => isSending || void send(match)}>
            {words('rehearse.two-act')}
          </button>
          <span>
            {words('rehearse.two-of', {
              number: codeOf(match),
              game: match.games.length + 1,
              teams: match.sides.map(sideName).join(' – '),
            })}
          </span>
        </div>
      )}
      <div role="status">
        {isSending && <p className="muted">{words('rehearse.two-sending')}</p>}
        {!isSending && outcome !== null && <Told outcome={outcome} />}
      </div>
    </div>
  )
}

function Told({ outcome: { match, game, failures } }: { readonly outcome: Outcome }) {
  const tournament = useTournamentId()
  const codeOf = useMatchCodes()
  const ids = divisionIds(useDivisions().data)
  const names = match.sides.map(sideName)
  return (
    <>
      <p className="strong">{words('rehearse.two-of', { number: codeOf(match), game, teams: names.join(' – ') })}</p>
      <ul className={`lines ${styles.reports}`}>
        {failures.map((failure, side) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a match has two sides, in a fixed order
          <li key={side}>
            {words('rehearse.two-says', { team: names[side] ?? '' })}{' '}
            {words(failure === null ? 'rehearse.two-taken' : 'rehearse.two-refused')}
            {failure !== null && (
              <p className={styles.alarm}>
                <bdi>{failure.message}</bdi>
              </p>
            )}
          </li>
        ))}
      </ul>
      <p>
        <Link {...matchLink(tournament, ids.get(match.division) ?? match.division, match.number)}>
          {words('rehearse.two-open')}
        </Link>
      </p>
    </>
  )
}
