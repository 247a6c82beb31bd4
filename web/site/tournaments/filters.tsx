import { Link, useNavigate } from '@tanstack/react-router'
import { useId } from 'react'
import { address } from '../data/api.ts'
import { useRead } from '../data/queries.ts'
import { type WordId, words } from '../data/words.ts'
import type { FilterName, Search } from './query.ts'
import styles from './tournaments.module.css'

/** The filters of the list of tournaments. */

const statuses: readonly (readonly [string | undefined, WordId])[] = [
  [undefined, 'tournaments.all'],
  ['ongoing', 'status.ongoing'],
  ['approved', 'status.approved'],
  ['completed', 'status.completed'],
]

const changed = (search: Search, change: { readonly [Name in FilterName]?: string | undefined }): Search =>
  Object.fromEntries(
    Object.entries({ ...search, ...change }).filter(([, value]) => value !== undefined && value !== ''),
  )

export function Filters({ search }: { readonly search: Search }) {
  const navigate = useNavigate({ from: '/tournaments' })
  const go = (change: { readonly [Name in FilterName]?: string | undefined }) =>
    void navigate({ search: changed(search, change) })
  return (
    <div className={`${styles.filters} no-print`}>
      <form
        className={styles.find}
        onSubmit={(event) => {
          event.preventDefault()
          go({ q: String(new FormData(event.currentTarget).get('q') ?? '').trim() })
        }}
      >
        <input
          key={search.q}
          className="in"
          type="search"
          name="q"
          defaultValue={search.q}
          maxLength={100}
          placeholder={words('tournaments.filter')}
          aria-label={words('tournaments.filter')}
        />
        <button type="submit" className="btn">
          {words('search.do')}
        </button>
      </form>
      <div className="choices">
        {statuses.map(([value, word]) => (
          <Link
            key={word}
            to="/tournaments"
            search={changed(search, { status: value })}
            className="btn"
            aria-current={search.status === value ? 'true' : undefined}
            activeOptions={{ exact: true, includeSearch: true }}
          >
            {words(word)}
          </Link>
        ))}
      </div>
      <label className={styles.check}>
        <input
          type="checkbox"
          checked={search.registration === 'open'}
          onChange={({ target }) => go({ registration: target.checked ? 'open' : undefined })}
        />
        {words('tournaments.open-only')}
      </label>
      <Platform chosen={search.platform} go={(platform) => go({ platform })} />
      <Day label={words('tournaments.from')} value={search.from} go={(from) => go({ from })} />
      <Day label={words('tournaments.to')} value={search.to} go={(to) => go({ to })} />
      {(['organiser', 'participant'] as const).map((name) => {
        const user = search[name]
        return user === undefined ? null : (
          <Person key={name} name={name} user={user} drop={() => go({ [name]: undefined })} />
        )
      })}
    </div>
  )
}

interface PlatformProps {
  readonly chosen: string | undefined
  readonly go: (platform: string | undefined) => void
}

function Platform({ chosen, go }: PlatformProps) {
  const id = useId()
  const platforms = useRead(address('/tournament-platforms', {})).data
  const main = platforms?.find(({ isSystem }) => isSystem)
  const others = platforms?.filter(({ isSystem }) => !isSystem) ?? []
  // Its place is kept until it is known whether there is a choice.
  if (platforms !== undefined && others.length === 0 && chosen === undefined) return null
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{words('calendar.platform')}</label>
      <select id={id} className="in" value={chosen ?? ''} onChange={({ target }) => go(target.value || undefined)}>
        <option value="">{main?.name ?? words('calendar.main-listing')}</option>
        {others.map(({ guid, contextId, name }) => (
          <option key={guid} value={contextId}>
            {name}
          </option>
        ))}
      </select>
    </div>
  )
}

interface DayProps {
  readonly label: string
  readonly value: string | undefined
  readonly go: (day: string | undefined) => void
}

function Day({ label, value, go }: DayProps) {
  const id = useId()
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <input
        key={value}
        id={id}
        className="in"
        type="date"
        defaultValue={value}
        min="2020-01-01"
        max="2099-12-31"
        onChange={({ target }) => {
          // A date is typed digit by digit: only a whole one is meant.
          if (target.value === '' || (target.validity.valid && target.value >= '2020')) go(target.value || undefined)
        }}
      />
    </div>
  )
}

interface PersonProps {
  readonly name: 'organiser' | 'participant'
  readonly user: string
  readonly drop: () => void
}

/** Whose tournaments are shown: pages of people lead here with this filter. */
function Person({ name, user, drop }: PersonProps) {
  const card = useRead(address('/users/{user}/card', { user })).data
  return (
    <p className={styles.person}>
      <span>
        {words(`tournaments.by-${name}`)} <bdi className="strong">{card?.preferredName ?? user}</bdi>
      </span>
      <button type="button" className="btn" onClick={drop}>
        {words(`tournaments.drop-${name}`)}
      </button>
    </p>
  )
}
