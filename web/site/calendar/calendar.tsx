import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useId } from 'react'
import { address } from '../data/api.ts'
import { useEveryPage } from '../data/every-page.ts'
import type { CalendarEntry } from '../data/generated.ts'
import { usePages, useRead } from '../data/queries.ts'
import { words } from '../data/words.ts'
import { Empty, Loaded } from '../parts/loaded.tsx'
import { Rest } from '../parts/more.tsx'
import { Section } from '../parts/section.tsx'
import { ownZone, zoneOf } from '../parts/time.tsx'
import styles from './calendar.module.css'
import { dayKey, type Period, periodOf, startOf, type View, views } from './days.ts'
import { Agenda, Weeks } from './entries.tsx'

/** Everything that is planned: by month, by week, or as a list, with what is shown in the address. */

const route = getRouteApi('/calendar')
const kinds = ['tournament', 'registration', 'timeline', 'qualifier', 'match', 'award'] as const
type Search = ReturnType<typeof route.useSearch>

const changed = (search: Search, change: { readonly [Name in keyof Search]?: string | undefined }): Search =>
  Object.fromEntries(Object.entries({ ...search, ...change }).filter(([, value]) => value !== undefined))

export function Calendar() {
  const search = route.useSearch()
  const view = views.find((each) => each === search.view) ?? 'month'
  const period = periodOf(view, startOf(search.on))
  const chosen = kinds.filter((kind) => search.kinds === undefined || search.kinds.split(',').includes(kind))
  const filter = {
    ...(chosen.length > 0 && chosen.length < kinds.length && { kinds: chosen.join(',') }),
    ...(search.platform && { platform: search.platform }),
  }
  const feed = new URLSearchParams(filter).toString()
  return (
    <div className="page stack">
      <div className="title">
        <div>
          <h1>{words('calendar.title')}</h1>
          <p>{words('schedule.zone', { zone: zoneOf(ownZone) })}</p>
        </div>
        <a className="btn no-print" href={`/api/calendar.ics${feed === '' ? '' : `?${feed}`}`}>
          {words('home.subscribe')}
        </a>
      </div>
      <Filters search={search} chosen={chosen} />
      <Section title={period.title} beside={<Steps search={search} view={view} period={period} />}>
        <Entries view={view} period={period} filter={filter} search={search} />
      </Section>
    </div>
  )
}

function Filters({ search, chosen }: { readonly search: Search; readonly chosen: readonly (typeof kinds)[number][] }) {
  const navigate = useNavigate({ from: '/calendar' })
  const platforms = useRead(address('/tournament-platforms', {}))
  const id = useId()
  const others = platforms.data?.filter(({ isSystem }) => !isSystem) ?? []
  const main = platforms.data?.find(({ isSystem }) => isSystem)
  const choose = (kind: (typeof kinds)[number], isOn: boolean) => {
    const next = kinds.filter((each) => (each === kind ? isOn : chosen.includes(each)))
    const isAll = next.length === 0 || next.length === kinds.length
    void navigate({ search: changed(search, { kinds: isAll ? undefined : next.join(',') }), replace: true })
  }
  return (
    <div className={`${styles.filters} no-print`}>
      <fieldset className={styles.kinds}>
        <legend className="unseen">{words('calendar.kinds')}</legend>
        {kinds.map((kind) => (
          <label key={kind}>
            <input
              type="checkbox"
              checked={chosen.includes(kind)}
              onChange={({ target }) => choose(kind, target.checked)}
            />
            {words(`calendar.${kind}`)}
          </label>
        ))}
      </fieldset>
      {(platforms.data === undefined || others.length > 0) && (
        <div className={styles.platform}>
          <label htmlFor={id}>{words('calendar.platform')}</label>
          <select
            id={id}
            className="in"
            value={search.platform ?? ''}
            onChange={({ target }) =>
              void navigate({ search: changed(search, { platform: target.value || undefined }), replace: true })
            }
          >
            <option value="">{main?.name ?? words('calendar.main-listing')}</option>
            {others.map(({ guid, contextId, name }) => (
              <option key={guid} value={contextId}>
                {name}
              </option>
            ))}
          </select>
        </div>
      )}
    </div>
  )
}

interface StepsProps {
  readonly search: Search
  readonly view: View
  readonly period: Period
}

function Steps({ search, view, period }: StepsProps) {
  return (
    <div className={`${styles.steps} no-print`}>
      <div className="choices">
        {views.map((each) => (
          <Link
            key={each}
            to="/calendar"
            search={changed(search, { view: each === 'month' ? undefined : each })}
            className="btn"
            aria-current={each === view ? 'true' : undefined}
            activeOptions={{ exact: true, includeSearch: true }}
            replace
          >
            {words(`calendar.${each}`)}
          </Link>
        ))}
      </div>
      <div className="btns">
        <Link to="/calendar" search={changed(search, { on: dayKey(period.earlier) })} className="btn">
          {words('calendar.earlier')}
        </Link>
        <Link to="/calendar" search={changed(search, { on: undefined })} className="btn">
          {words('calendar.today')}
        </Link>
        <Link to="/calendar" search={changed(search, { on: dayKey(period.later) })} className="btn">
          {words('calendar.later')}
        </Link>
      </div>
    </div>
  )
}

interface EntriesProps extends StepsProps {
  readonly filter: { readonly kinds?: string; readonly platform?: string }
}

function Entries({ view, period, filter, search }: EntriesProps) {
  const [from, to] = [period.from.toISOString(), new Date(period.to.getTime() - 1).toISOString()]
  const pages = usePages(address('/calendar', {}, { from, to, limit: 100, ...filter }))
  // A period is shown whole: a grid with days left out would tell that they are free.
  const rest = useEveryPage(pages)
  const found: readonly CalendarEntry[] | undefined = pages.data?.pages.flatMap(({ entries }) => entries)
  return (
    <Loaded of={{ ...pages, data: found }} rows={12}>
      {(entries) => (
        <>
          {view === 'list' ? (
            <Agenda entries={entries} period={period} />
          ) : (
            <Weeks
              entries={entries}
              period={period}
              month={view === 'month' ? startOf(search.on).getMonth() : undefined}
              weekOf={(day) => changed(search, { view: 'week', on: day })}
            />
          )}
          <Rest of={rest} />
          {entries.length === 0 && !pages.hasNextPage && <Empty>{words('calendar.none')}</Empty>}
        </>
      )}
    </Loaded>
  )
}
