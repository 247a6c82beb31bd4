import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { address } from '../data/api.ts'
import type { ListedMap } from '../data/generated.ts'
import { usePages } from '../data/queries.ts'
import { words } from '../data/words.ts'
import { Empty, Loaded } from '../parts/loaded.tsx'
import { difficultyOf, MapLink, MapperLink, numberOf } from '../parts/map.tsx'
import { More } from '../parts/more.tsx'
import { lengthOf } from '../parts/numbers.ts'
import styles from './maps.module.css'

/** The archive of maps: all that stood in a published pool. */

const route = getRouteApi('/maps')
const sorts = ['newest', 'used', 'name', 'stars'] as const
type Search = ReturnType<typeof route.useSearch>

/** A number of the address; what is none is left out. */
const starsOf = (text: string | undefined) => {
  const value = Number(text)
  return text === undefined || !(value >= 0 && value <= 100) ? undefined : value
}

/** What is typed is words, or the hash of the files of one map. */
const namedBy = (q: string) => (/^[\da-f]{40}$/i.test(q) ? { hash: q } : { q })

export function Maps() {
  const search = route.useSearch()
  const { q, mapper, flair } = search
  const sort = sorts.find((each) => each === search.sort)
  const [starsMin, starsMax] = [starsOf(search.from), starsOf(search.to)]
  const pages = usePages(
    address(
      '/resources/pooling/maps',
      {},
      {
        limit: 50,
        ...(q && namedBy(q)),
        ...(mapper && { mapper }),
        ...(flair && { flair }),
        ...(starsMin !== undefined && { starsMin }),
        ...(starsMax !== undefined && { starsMax }),
        ...(sort && { sort }),
      },
    ),
  )
  const found = pages.data?.pages.flatMap(({ maps }) => maps)
  const { sort: _, ...filters } = search
  const isFiltered = Object.keys(filters).length > 0
  return (
    <div className="page stack">
      <div className="title">
        <div>
          <h1>{words('maps.title')}</h1>
          <p>{words('maps.what')}</p>
        </div>
      </div>
      <Filters search={search} />
      <Loaded of={{ ...pages, data: found }} rows={12}>
        {(maps) =>
          maps.length === 0 ? (
            <Empty>
              {words(isFiltered ? 'maps.no-hit' : 'maps.none')}{' '}
              {isFiltered && (
                <Link to="/maps" search={{}}>
                  {words('maps.drop-filters')}
                </Link>
              )}
            </Empty>
          ) : (
            <>
              <MapTable maps={maps} />
              <More of={pages} />
            </>
          )
        }
      </Loaded>
    </div>
  )
}

function Filters({ search }: { readonly search: Search }) {
  const navigate = useNavigate({ from: '/maps' })
  const names = ['q', 'mapper', 'flair', 'from', 'to'] as const
  return (
    <form
      key={names.map((name) => search[name]).join('|')}
      className={`${styles.filters} no-print`}
      onSubmit={(event) => {
        event.preventDefault()
        const form = new FormData(event.currentTarget)
        const given = names.map((name) => [name, String(form.get(name) ?? '').trim()] as const)
        const next = Object.fromEntries(given.filter(([, value]) => value !== ''))
        void navigate({ search: { ...next, ...(search.sort && { sort: search.sort }) } })
      }}
    >
      <input
        className={`in ${styles.words}`}
        type="search"
        name="q"
        defaultValue={search.q}
        maxLength={100}
        placeholder={words('maps.filter')}
        aria-label={words('maps.filter')}
      />
      <input
        className={`in ${styles.mapper}`}
        name="mapper"
        defaultValue={search.mapper}
        maxLength={100}
        placeholder={words('maps.mapper')}
        aria-label={words('maps.mapper')}
      />
      <input
        className={`in ${styles.mapper}`}
        name="flair"
        defaultValue={search.flair}
        maxLength={40}
        placeholder={words('maps.flair')}
        aria-label={words('maps.flair')}
      />
      <div className={styles.stars}>
        {(['from', 'to'] as const).map((name) => (
          <input
            key={name}
            className="in"
            type="number"
            name={name}
            min={0}
            max={100}
            step="any"
            defaultValue={search[name]}
            placeholder={words(`maps.stars-${name}`)}
            aria-label={words(`maps.stars-${name}`)}
          />
        ))}
      </div>
      <button type="submit" className="btn">
        {words('search.do')}
      </button>
      <div className="choices">
        {sorts.map((sort) => (
          <Link
            key={sort}
            to="/maps"
            search={
              sort === 'newest'
                ? Object.fromEntries(Object.entries(search).filter(([name]) => name !== 'sort'))
                : { ...search, sort }
            }
            className="btn"
            aria-current={(search.sort ?? 'newest') === sort ? 'true' : undefined}
            activeOptions={{ exact: true, includeSearch: true }}
          >
            {words(`maps.sort-${sort}`)}
          </Link>
        ))}
      </div>
    </form>
  )
}

function MapTable({ maps }: { readonly maps: readonly ListedMap[] }) {
  const hasStars = maps.some(({ starsA, starsB }) => starsA !== null || starsB !== null)
  return (
    <table className="table">
      <caption className="unseen">{words('maps.title')}</caption>
      <thead>
        <tr>
          <th scope="col">{words('maps.map')}</th>
          <th scope="col" className="only-wide">
            {words('maps.mapper')}
          </th>
          <th scope="col" className="only-wide narrow">
            {words('maps.difficulty')}
          </th>
          <th scope="col" className="n narrow only-wide">
            {words('maps.length')}
          </th>
          <th scope="col" className="n narrow only-wide">
            {words('maps.nps')}
          </th>
          {hasStars && (
            <th scope="col" className="n narrow">
              {words('maps.stars')}
            </th>
          )}
          <th scope="col" className="n narrow">
            {words('maps.pools')}
          </th>
        </tr>
      </thead>
      <tbody>
        {maps.map((map) => (
          <tr key={map.guid}>
            <th scope="row">
              <MapLink map={map} />
              <p className="only-narrow small muted">
                <bdi>{map.mapper ?? '–'}</bdi>, {difficultyOf(map)}
              </p>
            </th>
            <td className="only-wide">
              <MapperLink mapper={map.mapper} />
            </td>
            <td className="only-wide narrow">{difficultyOf(map)}</td>
            <td className="n only-wide">{lengthOf(map.durationSeconds)}</td>
            <td className="n only-wide">{numberOf(map.nps, 1)}</td>
            {hasStars && <td className="n">{numberOf(map.starsA ?? map.starsB, 2)}</td>}
            <td className="n">{map.usage.pools}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
