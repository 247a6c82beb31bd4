import { address } from '../../data/api.ts'
import type { TournamentPackage } from '../../data/generated.ts'
import type { usePages } from '../../data/queries.ts'
import { words } from '../../data/words.ts'
import { Empty, Loaded } from '../../parts/loaded.tsx'
import { More } from '../../parts/more.tsx'
import { sizeOf } from '../../parts/numbers.ts'
import { Instant } from '../../parts/time.tsx'

/** Who took a package of the tournament, when, and by which digest a file is recognised. */

interface Download {
  readonly day: string
  readonly count: number
}

interface TakenPackages {
  readonly packages: readonly TournamentPackage[]
  readonly downloads: readonly Download[]
  readonly nextCursor: string | null
}

export const takenAddress = (tournament: string) => address('/tournaments/{tournament}/packages', { tournament })

export function Taken({ of: pages }: { readonly of: ReturnType<typeof usePages<TakenPackages>> }) {
  return (
    <Loaded of={{ ...pages, data: pages.data?.pages.flatMap(({ packages }) => packages) }} rows={3}>
      {(packages) =>
        packages.length === 0 ? (
          <Empty>{words('package.none')}</Empty>
        ) : (
          <>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what is wider than the page can be scrolled by keys */}
            <section className="wide-content" tabIndex={0} aria-label={words('package.table')}>
              <table className="table">
                <thead>
                  <tr>
                    <th scope="col">{words('package.at')}</th>
                    <th scope="col">{words('package.by')}</th>
                    <th scope="col">{words('package.what')}</th>
                    <th scope="col">{words('package.size')}</th>
                    <th scope="col">{words('package.digest')}</th>
                  </tr>
                </thead>
                <tbody>
                  {packages.map((taken) => (
                    <Line key={`${taken.at}${taken.sha256}`} {...taken} />
                  ))}
                </tbody>
              </table>
            </section>
            <More of={pages} />
          </>
        )
      }
    </Loaded>
  )
}

function Line({ at, by, variant, private: isPrivate, bytes, sha256, direction }: TournamentPackage) {
  return (
    <tr>
      <td className="narrow">
        {words(`package.${direction}`)} <Instant at={at} />
      </td>
      <td>
        <bdi>{by.preferredName}</bdi>
      </td>
      <td>{words(isPrivate ? 'package.variant-private' : `package.variant-${variant}`)}</td>
      <td className="num narrow">{sizeOf(bytes)}</td>
      <td className="code small">{sha256}</td>
    </tr>
  )
}

/** How often the package was taken without signing in, day by day: who did is not known. */
export function Downloads({ of: days }: { readonly of: readonly Download[] }) {
  if (days.length === 0) return null
  return (
    <>
      <h3>{words('package.downloads')}</h3>
      <ul>
        {days.map(({ day, count }) => (
          <li key={day}>
            <time dateTime={day}>{day}</time> {words('package.downloads-of', { count })}
          </li>
        ))}
      </ul>
    </>
  )
}
