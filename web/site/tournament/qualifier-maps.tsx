import type { Qualifier, QualifierAttempt } from '../../../client/generated.ts'
import { address } from '../data/api.ts'
import { useRead, useReader } from '../data/queries.ts'
import { words } from '../data/words.ts'
import { Empty } from '../parts/loaded.tsx'
import { wholeOf } from '../parts/numbers.ts'
import { Section } from '../parts/section.tsx'
import styles from './qualifier.module.css'

/** The maps of a qualifier, with the attempts that the reader has used on each. */

interface Props {
  readonly qualifier: Qualifier
  readonly tournament: string
}

export function Maps({ qualifier: { maps, attempts, status }, tournament }: Props) {
  const { user } = useReader()
  const own = useRead(
    user ? address('/tournaments/{tournament}/qualifier/attempts', { tournament }, { user: '@me', limit: 100 }) : null,
    { live: true },
  ).data
  // Attempts are counted only if one answer has all of them.
  const counted = own?.nextCursor === null ? own.attempts : undefined
  const isWeighted = maps.some(({ weight }) => weight !== 1)
  return (
    <Section
      title={words('qualifier.maps')}
      beside={<span className="muted">{words('qualifier.attempts', { count: attempts })}</span>}
    >
      {maps.length === 0 ? (
        <Empty>{words(status === 'draft' ? 'qualifier.maps-later' : 'qualifier.no-maps')}</Empty>
      ) : (
        <table className="table">
          <caption className="unseen">{words('qualifier.maps')}</caption>
          <thead>
            <tr>
              <th scope="col">{words('map.map')}</th>
              <th scope="col" className="narrow">
                {words('map.difficulty')}
              </th>
              {isWeighted && (
                <th scope="col" className="n narrow">
                  {words('qualifier.weight')}
                </th>
              )}
              <th scope="col" className="n narrow only-wide">
                {words('map.max-score')}
              </th>
              {counted !== undefined && (
                <th scope="col" className="n narrow">
                  {words('qualifier.own')}
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {maps.map((map) => (
              <tr key={map.guid}>
                <th scope="row">
                  <MapTitle map={map} />
                </th>
                <td className="narrow">{map.difficulty.replace('Plus', '+')}</td>
                {isWeighted && <td className="n">{map.weight}</td>}
                <td className="n only-wide">{map.maxScore === null ? '–' : wholeOf(map.maxScore)}</td>
                {counted !== undefined && <td className="n">{usedOf(counted, map.guid, attempts)}</td>}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Section>
  )
}

/** How many attempts the reader has used on a map, of how many. */
function usedOf(attempts: readonly QualifierAttempt[], guid: string, most: number): string {
  const used = attempts.filter(({ map, voidedAt }) => map.guid === guid && voidedAt === null).length
  return most === 0 ? String(used) : words('qualifier.used', { used, most })
}

function MapTitle({ map: { name, artist, mapper, hash } }: { readonly map: Qualifier['maps'][number] }) {
  return (
    <>
      <bdi className="strong">{name ?? hash.slice(0, 8)}</bdi>
      {(artist ?? mapper) !== null && (
        <span className={`small muted ${styles.by}`}>
          <bdi>{[artist, mapper].filter((each) => each !== null).join(', ')}</bdi>
        </span>
      )}
    </>
  )
}
