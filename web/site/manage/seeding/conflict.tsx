import type { BracketWithMatches, TeamReference } from '../../../../client/generated.ts'
import { address } from '../../data/api.ts'
import { useRead, useRenewal } from '../../data/queries.ts'
import { useMay, useTournamentId } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { TeamName } from '../../parts/team.tsx'
import { Instant } from '../../parts/time.tsx'
import { indexesOf, type Order, type Place } from './order.ts'
import styles from './seeding.module.css'

/** Somebody else has saved another order meanwhile: both are shown, and one is chosen. (W10) */

interface Props {
  readonly bracket: BracketWithMatches
  readonly mine: Order
  readonly theirs: Order
  readonly known: ReadonlyMap<string, TeamReference>
  readonly places: readonly Place[]
  readonly keep: () => void
  readonly take: () => void
}

export function Conflict({ bracket, mine, theirs, known, places, keep, take }: Props) {
  const who = useLastPlacer(bracket)
  const [own, other] = [indexesOf(mine), indexesOf(theirs)]
  const differing = [...new Set([...other.keys(), ...own.keys()])].filter((team) => own.get(team) !== other.get(team))
  const seedAt = (at: number | undefined) => (at === undefined ? '–' : (places[at]?.seed ?? at + 1))
  return (
    <section className={`notice notice-warning ${styles.conflict}`} aria-labelledby="seeding-conflict">
      <h2 id="seeding-conflict">{words('seeding.conflict')}</h2>
      <p>
        {who === undefined ? words('seeding.conflict-somebody') : words('seeding.conflict-who', { name: who })}{' '}
        <Instant at={bracket.updatedAt} /> {words('seeding.conflict-text')}
      </p>
      {differing.length > 0 && (
        <table className={`table ${styles.both}`}>
          <thead>
            <tr>
              <th scope="col">{words('seeding.team')}</th>
              <th scope="col" className="n">
                {words('seeding.mine')}
              </th>
              <th scope="col" className="n">
                {words('seeding.theirs')}
              </th>
            </tr>
          </thead>
          <tbody>
            {differing.map((guid) => (
              <tr key={guid}>
                <th scope="row">
                  <TeamName team={known.get(guid) ?? { id: guid, name: guid }} />
                </th>
                <td className="n">{seedAt(own.get(guid))}</td>
                <td className="n">{seedAt(other.get(guid))}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <div className="btns">
        <button type="button" className="btn" onClick={keep}>
          {words('seeding.keep')}
        </button>
        <button type="button" className="btn" onClick={take}>
          {words('seeding.take')}
        </button>
      </div>
    </section>
  )
}

/** Who has last placed teams in the bracket, where the reader may know it. */
function useLastPlacer({ guid, updatedAt }: BracketWithMatches): string | undefined {
  const tournament = useTournamentId()
  const may = useMay()
  const at = may('tournaments.audit') ? address('/tournaments/{tournament}/audit', { tournament }, { limit: 50 }) : null
  const { data } = useRead(at)
  useRenewal(at ?? '', updatedAt)
  return data?.entries.find(({ type, subject }) => type === 'bracket.entrants_placed' && subject === guid)?.actor
    ?.preferredName
}
